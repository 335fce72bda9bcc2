import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { digestOf } from '../../../kernel/text.js';
import { API_NAME } from '../../../kernel/product.js';
import { Implements } from '../../../store/discovery/ports.js';
import { Clock } from '../../../kernel/time.js';
import { EncryptedColumns } from '../../../store/secrets/encrypted-column.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import { hashOfRecoveryCode } from './recovery-codes.js';
import { base32, bytesOfBase32, totpStep, totpUri } from './totp.js';
import type { Credentials, User } from '../user.entity.js';

const SECRET_BYTES = 20;

/** Encrypted secrets are bound to this text, so that one cannot be moved to another account. The first accounts have the ids of users. */
const boundTo = (accountId: string): string => `second factor of user ${accountId}`;

/** The content of the QR code for a secret that is shown. */
export const totpUriOf = (email: string, secret: string): string => totpUri(API_NAME, email, bytesOfBase32(secret));

/** How long the page for the code works. */
const PROOF_MS = 5 * 60_000;
const PROOF_OWNER = 'a sign-in with the right password';

interface Proof {
  readonly id: string;
  /** A digest of the stored hash: a changed password ends the sign-in. */
  readonly password: string;
  readonly until: number;
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
  proofOf({ id, passwordHash }: User): string {
    const proof: Proof = { id, password: digestOf(passwordHash ?? ''), until: this.clock.now().getTime() + PROOF_MS };
    return this.secrets.encrypt(JSON.stringify(proof), PROOF_OWNER).toString('base64url');
  }

  /** Whose password was known; undefined if the proof is none, or too old. */
  provenBy(text: string): Proof | undefined {
    try {
      const proof = JSON.parse(this.secrets.decrypt(Buffer.from(text, 'base64url'), PROOF_OWNER)) as Proof;
      return proof.until > this.clock.now().getTime() ? proof : undefined;
    } catch {
      return undefined;
    }
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

  /**
   * The credentials after a code was used, of the app or one that replaces it: neither works twice. undefined if it is wrong or was
   * used before.
   */
  use(user: User, code: string): Credentials | undefined {
    const { accountId, passwordHash, totpSecret, totpLastStep, recoveryCodes } = user;
    if (totpSecret === null) return undefined;
    const known = { accountId, passwordHash, totpSecret, totpLastStep, recoveryCodes };
    const step = totpStep(this.secrets.decryptBytes(totpSecret, boundTo(accountId)), code, this.clock.now());
    if (step !== undefined) return step > (totpLastStep ?? -1) ? { ...known, totpLastStep: step } : undefined;
    const used = hashOfRecoveryCode(accountId, code);
    return recoveryCodes.includes(used) ? { ...known, recoveryCodes: recoveryCodes.filter((hash) => hash !== used) } : undefined;
  }
}
