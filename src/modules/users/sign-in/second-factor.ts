import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { API_NAME } from '../../../kernel/product.js';
import { Implements } from '../../../store/discovery/ports.js';
import { EncryptedColumns } from '../../../store/secrets/encrypted-column.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import { base32, totpStep, totpUri } from './totp.js';
import type { User } from '../user.entity.js';

const SECRET_BYTES = 20;

/** Encrypted secrets are bound to this text, so that one cannot be moved to another user. */
const boundTo = ({ id }: Pick<User, 'id'>): string => `second factor of user ${id}`;

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
