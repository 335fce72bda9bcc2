import { createHmac, timingSafeEqual, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { API_NAME } from '../../../kernel/product.js';
import { digestOf } from '../../../kernel/text.js';
import { Clock } from '../../../kernel/time.js';
import { Implements } from '../../../store/discovery/ports.js';
import { EncryptedColumns, Secrets } from '../../../store/secrets/secrets.js';
import { type Credentials, credentialsOf, type User } from '../user.entity.js';

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
@Injectable()
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
