import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { digestOf } from '../../../kernel/text.js';
import { API_NAME } from '../../../kernel/product.js';
import { Implements } from '../../../store/discovery/ports.js';
import { EncryptedColumns } from '../../../store/secrets/encrypted-column.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import { base32, totpStep, totpUri } from './totp.js';
import type { User } from '../user.entity.js';

const SECRET_BYTES = 20;

/** Encrypted secrets are bound to this text, so that one cannot be moved to another user. */
const boundTo = ({ id }: Pick<User, 'id'>): string => `second factor of user ${id}`;

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

/** One-time codes of an authenticator app (TOTP). */
@Injectable()
@Implements(EncryptedColumns)
export class SecondFactor implements EncryptedColumns {
  readonly encrypted = [{ table: 'users', column: 'totp_secret', key: ['id'], owner: (id: string) => boundTo({ id }) }];

  constructor(private readonly secrets: Secrets) {}

  /** Says for some minutes that somebody knew the password, so that a second page can ask for the code. */
  proofOf({ id, passwordHash }: User, now: Date): string {
    const proof: Proof = { id, password: digestOf(passwordHash ?? ''), until: now.getTime() + PROOF_MS };
    return this.secrets.encrypt(JSON.stringify(proof), PROOF_OWNER).toString('base64url');
  }

  /** Whose password was known; undefined if the proof is none, or too old. */
  provenBy(text: string, now: Date): Proof | undefined {
    try {
      const proof = JSON.parse(this.secrets.decrypt(Buffer.from(text, 'base64url'), PROOF_OWNER)) as Proof;
      return proof.until > now.getTime() ? proof : undefined;
    } catch {
      return undefined;
    }
  }

  make(user: User): NewSecondFactor {
    const secret = randomBytes(SECRET_BYTES);
    return {
      secret: base32(secret),
      uri: totpUri(API_NAME, user.email, secret),
      encrypted: this.secrets.encryptBytes(secret, boundTo(user)),
    };
  }

  /** The time step of a code that is valid for the user at this time; undefined if it is wrong or was used before. */
  stepOf(user: User, code: string, time: Date): number | undefined {
    if (user.totpSecret === null) return undefined;
    const step = totpStep(this.secrets.decryptBytes(user.totpSecret, boundTo(user)), code, time);
    return step !== undefined && step > (user.totpLastStep ?? -1) ? step : undefined;
  }
}
