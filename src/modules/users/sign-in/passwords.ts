import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { wordList } from '../../../api/http/package-folder.js';
import { say } from '../../../api/wording/spoken.js';
import { Problem } from '../../../kernel/problems.js';
import { API_NAME } from '../../../kernel/product.js';
import { codePoints, foldText } from '../../../kernel/text.js';
import { OrganizationService } from '../../organization/index.js';
import type { User } from '../user.entity.js';

/** Argon2id with the parameters that OWASP recommends: 19 MiB, two passes, one thread. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes and compares passwords, outside the event loop. */
@Injectable()
export class Passwords {
  private dummyHash: Promise<string> | undefined;

  constructor(private readonly organizations: OrganizationService) {}

  async hash(password: string, { email, name, organizationId }: Pick<User, 'email' | 'name' | 'organizationId'>): Promise<string> {
    requirePassword(password, { email, name, organization: await this.organizations.byId(organizationId) });
    return hash(normalPassword(password), COST);
  }

  /** Takes equally long if there is no stored hash, so that response times do not show which users exist. */
  async isRight(password: string, stored: string | null): Promise<boolean> {
    if (isTooLong(password)) return false;
    const dummyHash = await (this.dummyHash ??= hash(randomBytes(16), COST));
    const isRight = await verify(stored ?? dummyHash, normalPassword(password));
    return isRight && stored !== null;
  }
}

/** A random password of 120 bits. */
export const makePassword = (): string => randomBytes(15).toString('base64url');

export const MIN_LENGTH = 12;
export const MAX_LENGTH = 128;
const DIFFERENT_MIN = 5;
/** So many digits and signs are not guessed, even without a word. */
const WITHOUT_WORDS_MIN = 20;
const WORD_MIN = 4;

export const passwordHint = (): string => say('invitation.passwordHint', { least: MIN_LENGTH, most: MAX_LENGTH });

/** Whose password it is: others know these words, too. */
interface PasswordOwner {
  readonly email: string;
  readonly name: string;
  readonly organization: { readonly name: string; readonly slug: string };
}

/** Keyboards encode the same text differently: é as one character or as two. */
const normalPassword = (password: string): string => password.normalize('NFKC');

const isTooLong = (password: string): boolean => codePoints(normalPassword(password)) > MAX_LENGTH;

/** What holds for every new password, wherever it is chosen. */
export function requirePassword(password: string, owner: PasswordOwner): void {
  const length = codePoints(normalPassword(password));
  if (length < MIN_LENGTH) throw Problem.invalidField('password', 'too_short', `must have at least ${MIN_LENGTH} characters`);
  if (length > MAX_LENGTH) throw Problem.invalidField('password', 'too_long', `must have at most ${MAX_LENGTH} characters`);
  if (foldText(password) === foldText(owner.email)) throw Problem.invalidField('password', 'not_allowed', 'must not be the e-mail address');
  if (isGuessed(password, owner))
    throw Problem.invalidField(
      'password',
      'not_allowed',
      'is among the first that others would try: a common word, your name, address or organization with digits, or a repetition. ' +
        'Use several words',
    );
}

function isGuessed(password: string, { email, name, organization }: PasswordOwner): boolean {
  const text = normalPassword(password).toLowerCase();
  if (new Set(text).size < DIFFERENT_MIN) return true;
  const known = wordsIn(API_NAME, email, name, organization.name, organization.slug);
  return [text, withLetters(text)].some((spelling) => {
    const rest = known.reduce((left, word) => left.replaceAll(word, ''), lettersOf(spelling));
    const word = /^(.+?)\1+$/.exec(rest)?.[1] ?? rest;
    return commonWords().has(word) || (word.length < WORD_MIN && codePoints(text.replace(/\p{L}/gu, '')) < WITHOUT_WORDS_MIN);
  });
}

let common: ReadonlySet<string> | undefined;
/** Read when the first password is chosen: most processes never need them. */
const commonWords = (): ReadonlySet<string> => (common ??= new Set(wordList('common-passwords').split(/\s+/)));

const lettersOf = (text: string): string => text.replace(/[^\p{L}]/gu, '');

/** The longest first. */
const wordsIn = (...texts: readonly string[]): string[] =>
  texts
    .flatMap((text) => [
      ...normalPassword(text)
        .toLowerCase()
        .split(/[^\p{L}]+/u),
      lettersOf(normalPassword(text).toLowerCase()),
    ])
    .filter((word) => word.length >= 3)
    .sort((a, b) => b.length - a.length);

const LOOKS_LIKE: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '0': 'o',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  $: 's',
  '5': 's',
  '7': 't',
};

/** Digits and signs within a word as the letters that they stand for: `p@ssw0rd`. Those around it only make it longer. */
function withLetters(text: string): string {
  const [, before = '', inner = '', after = ''] = /^([^\p{L}@$]*)(.*?)([^\p{L}]*)$/su.exec(text) ?? [];
  return before + inner.replace(/[@403!$157]/g, (sign) => LOOKS_LIKE[sign]!) + after;
}
