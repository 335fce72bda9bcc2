import { randomBytes, createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { wordList } from '../../../kernel/package-folder.js';
import { say } from '../../../api/wording/spoken.js';
import { Problem } from '../../../kernel/problems.js';
import { API_NAME } from '../../../kernel/product.js';
import { codePoints, foldText, digestOf } from '../../../kernel/text.js';
import { Clock } from '../../../kernel/time.js';
import { Implements } from '../../../store/discovery/ports.js';
import { EncryptedColumns, Secrets } from '../../../store/secrets/secrets.js';
import { OrganizationService } from '../../organization/index.js';
import { type User, type Credentials, credentialsOf } from '../user.entity.js';

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

const STEP_SECONDS = 30;
const DIGITS = 6;
/** Also accepts the previous and the next code: clocks differ, and typing takes time. */
const TOLERATED_STEPS = [-1, 0, 1];

/** The code of a time step (RFC 4226 and 6238). SHA-1, because all authenticator apps support it. */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const number = mac.readUInt32BE(mac.at(-1)! & 0xf) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

export function totpStep(secret: Buffer, code: string, time: Date): number | undefined {
  const typed = Buffer.from(code.replace(/\s/g, ''));
  const now = Math.floor(time.getTime() / 1000 / STEP_SECONDS);
  const steps = TOLERATED_STEPS.map((offset) => now + offset);
  return steps.find((step) => {
    const expected = Buffer.from(totpCode(secret, step));
    return typed.length === expected.length && timingSafeEqual(typed, expected);
  });
}

/** The content of the QR code for an authenticator app. */
export function totpUri(issuer: string, account: string, secret: Buffer): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  const parameters = `secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`;
  return `otpauth://totp/${label}?${parameters}`;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648, for lengths that need no padding: a multiple of five bytes. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[parseInt(five, 2)]).join('');
}

/** The bytes of what base32 made. Letters that are none of it are left out. */
export function bytesOfBase32(text: string): Buffer {
  const bits = [...text]
    .map((letter) => ALPHABET.indexOf(letter))
    .filter((value) => value >= 0)
    .map((value) => value.toString(2).padStart(5, '0'));
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
}

const COUNT = 10;
/** 80 bits: nobody finds a code whose hash they know. */
const CODE_BYTES = 10;

/** Codes for people who lose their authenticator app. Each works once. Only their hashes are stored. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => base32(randomBytes(CODE_BYTES)).toLowerCase().match(/.{4}/g)!.join('-'));
}

/** However it is typed: in capitals, without hyphens, with spaces. */
export const hashOfRecoveryCode = (accountId: string, code: string): string =>
  digestOf('recovery code', accountId, code.toLowerCase().replace(/[^a-z0-9]/g, ''));

const SECRET_BYTES = 20;

/** Encrypted secrets are bound to this text, so that one cannot be moved to another account. The first accounts have the ids of users. */
const boundTo = (accountId: string): string => `second factor of user ${accountId}`;

export const totpUriOf = (email: string, secret: string): string => totpUri(API_NAME, email, bytesOfBase32(secret));

const PROOF_MS = 5 * 60_000;
const PROOF_OWNER = 'a sign-in with the right password';
/** How long somebody may take to enter a secret into their app. */
const PROPOSAL_MS = 15 * 60_000;
const PROPOSAL_OWNER = 'a proposed second factor';

interface Proof {
  readonly id: string;
  /** A digest of the stored hash: a changed password ends the sign-in. */
  readonly password: string;
  readonly until: number;
}

/** A secret that was made for somebody who knew the password. `sealed` passes through their browser: nobody can bring another one. */
export interface ProposedSecret {
  readonly secret: string;
  readonly sealed: string;
}

/** A secret in the form that is shown once, and in the form that is stored. */
export interface NewSecondFactor {
  readonly secret: string;
  readonly uri: string;
  readonly encrypted: Buffer;
}

/** One-time codes of an authenticator app (TOTP), and the codes that replace it. */
@Implements(EncryptedColumns)
export class SecondFactor implements EncryptedColumns {
  readonly encrypted = [
    { table: 'users', column: 'totp_secret', key: ['id', 'account_id'], owner: (_id: string, accountId: string) => boundTo(accountId) },
  ];

  constructor(
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  /** Says for some minutes that somebody knew the password, so that a second page can ask for the code. */
  proofOf(user: User): string {
    return this.seal(proofFor(user, this.clock.now().getTime() + PROOF_MS), PROOF_OWNER);
  }

  /** Whose password was known; undefined if the proof is none, or too old. */
  provenBy(text: string): Proof | undefined {
    return this.opened<Proof>(text, PROOF_OWNER);
  }

  propose(user: User): ProposedSecret {
    const { secret } = this.make(user);
    return { secret, sealed: this.seal({ ...proofFor(user, this.clock.now().getTime() + PROPOSAL_MS), secret }, PROPOSAL_OWNER) };
  }

  proposed({ id, passwordHash }: User, sealed: string): ProposedSecret | undefined {
    const found = this.opened<Proof & Pick<ProposedSecret, 'secret'>>(sealed, PROPOSAL_OWNER);
    const isFor = found?.id === id && found.password === digestOf(passwordHash ?? '');
    return found && isFor ? { secret: found.secret, sealed } : undefined;
  }

  make(user: Pick<User, 'accountId' | 'email'>, secret: Buffer = randomBytes(SECRET_BYTES)): NewSecondFactor {
    return {
      secret: base32(secret),
      uri: totpUri(API_NAME, user.email, secret),
      encrypted: this.secrets.encryptBytes(secret, boundTo(user.accountId)),
    };
  }

  /** The second factor of a secret that was shown, once its first code was typed; undefined if the code is wrong. */
  confirm(user: Pick<User, 'accountId' | 'email'>, secret: string, code: string) {
    const bytes = bytesOfBase32(secret);
    const step = bytes.length === SECRET_BYTES ? totpStep(bytes, code, this.clock.now()) : undefined;
    return step === undefined ? undefined : { totpSecret: this.make(user, bytes).encrypted, totpLastStep: step };
  }

  /** The credentials after a code, of the app or one that replaces it: neither works twice. undefined if it is wrong or was used before. */
  use(user: User, code: string): Credentials | undefined {
    const { accountId, totpSecret, totpLastStep, recoveryCodes } = user;
    if (totpSecret === null) return undefined;
    const known = credentialsOf(user);
    const step = totpStep(this.secrets.decryptBytes(totpSecret, boundTo(accountId)), code, this.clock.now());
    if (step !== undefined) return step > (totpLastStep ?? -1) ? { ...known, totpLastStep: step } : undefined;
    const used = hashOfRecoveryCode(accountId, code);
    return recoveryCodes.includes(used) ? { ...known, recoveryCodes: recoveryCodes.filter((hash) => hash !== used) } : undefined;
  }

  private seal(content: object, owner: string): string {
    return this.secrets.encrypt(JSON.stringify(content), owner).toString('base64url');
  }

  /** undefined if it was not sealed here, or too long ago. */
  private opened<Content extends Proof>(text: string, owner: string): Content | undefined {
    try {
      const content = JSON.parse(this.secrets.decrypt(Buffer.from(text, 'base64url'), owner)) as Content;
      return content.until > this.clock.now().getTime() ? content : undefined;
    } catch {
      return undefined;
    }
  }
}

const proofFor = ({ id, passwordHash }: User, until: number): Proof => ({ id, password: digestOf(passwordHash ?? ''), until });
