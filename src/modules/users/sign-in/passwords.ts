import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { codePoints, foldText } from '../../../kernel/text.js';
import { invalid } from '../user-rules.js';

/** Argon2id as OWASP recommends it: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const SHORTEST = 12;
const LONGEST = 128;

/** Keyboards write the same text in different ways (an é of one character or of two). */
const normal = (password: string): string => password.normalize('NFKC');

/** Passwords are hashed and compared away from the event loop. */
@Injectable()
export class Passwords {
  private nobodys: Promise<string> | undefined;

  /** The hash to keep of a new password, if it may be one. */
  async hash(password: string, email: string): Promise<string> {
    requirePassword(password, email);
    return hash(normal(password), COST);
  }

  /** Takes as long where there is nothing to compare with: who is known is not to be told by a watch. */
  async isRight(password: string, stored: string | null): Promise<boolean> {
    if (codePoints(normal(password)) > LONGEST) return false;
    const nobodys = await (this.nobodys ??= hash(randomBytes(16), COST));
    const isRight = await verify(stored ?? nobodys, normal(password));
    return isRight && stored !== null;
  }
}

/** A password that nobody has chosen: 120 bits of chance. */
export const makePassword = (): string => randomBytes(15).toString('base64url');

function requirePassword(password: string, email: string): void {
  const length = codePoints(normal(password));
  if (length < SHORTEST) throw invalid('password', 'too_short', `must have at least ${SHORTEST} characters`);
  if (length > LONGEST) throw invalid('password', 'too_long', `must have at most ${LONGEST} characters`);
  if (foldText(password) === foldText(email)) throw invalid('password', 'not_allowed', 'must not be the e-mail address');
}
