import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { codePoints, foldText } from '../../../kernel/text.js';
import { Problem } from '../../../kernel/problems.js';

/** Argon2id with the parameters that OWASP recommends: 19 MiB, two passes, one thread. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const MIN_LENGTH = 12;
const MAX_LENGTH = 128;

/** Keyboards encode the same text differently: é as one character or as two. */
const normal = (password: string): string => password.normalize('NFKC');

/** Hashes and compares passwords, outside the event loop. */
@Injectable()
export class Passwords {
  private dummyHash: Promise<string> | undefined;

  /** The hash to store for a new password. Throws if the password is not allowed. */
  async hash(password: string, email: string): Promise<string> {
    requirePassword(password, email);
    return hash(normal(password), COST);
  }

  /** Takes equally long if there is no stored hash, so that response times do not show which users exist. */
  async isRight(password: string, stored: string | null): Promise<boolean> {
    if (codePoints(normal(password)) > MAX_LENGTH) return false;
    const dummyHash = await (this.dummyHash ??= hash(randomBytes(16), COST));
    const isRight = await verify(stored ?? dummyHash, normal(password));
    return isRight && stored !== null;
  }
}

/** A random password of 120 bits. */
export const makePassword = (): string => randomBytes(15).toString('base64url');

function requirePassword(password: string, email: string): void {
  const length = codePoints(normal(password));
  if (length < MIN_LENGTH) throw Problem.invalidField('password', 'too_short', `must have at least ${MIN_LENGTH} characters`);
  if (length > MAX_LENGTH) throw Problem.invalidField('password', 'too_long', `must have at most ${MAX_LENGTH} characters`);
  if (foldText(password) === foldText(email)) throw Problem.invalidField('password', 'not_allowed', 'must not be the e-mail address');
}
