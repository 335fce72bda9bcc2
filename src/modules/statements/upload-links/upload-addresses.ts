import { Injectable } from '@nestjs/common';
import { createHash, randomBytes } from 'node:crypto';
import { ENVIRONMENTS, type Tenant } from '../../../kernel/context.js';
import { isUuid } from '../../../kernel/ids.js';
import { Settings } from '../../../kernel/settings/settings.js';

const SECRET_BYTES = 32;
const ID_BYTES = 16;
/** Lets secret scanners recognize a token; then come the id of the organization and the secret. */
const WRITTEN = new RegExp(`^upload_(${ENVIRONMENTS.join('|')})_([\\w-]{${((ID_BYTES + SECRET_BYTES) * 4) / 3}})$`);

/** What a token says: whose link it is, so that one look-up within the tenant finds it, and the hash of its secret. */
export interface ReadToken extends Tenant {
  readonly tokenHash: Buffer;
}

export const randomSecret = (): Buffer => randomBytes(SECRET_BYTES);
export const hashOf = (secret: Buffer): Buffer => createHash('sha256').update(secret).digest();

function writtenToken({ organizationId, environment }: Tenant, secret: Buffer): string {
  const id = Buffer.from(organizationId.replaceAll('-', ''), 'hex');
  return `upload_${environment}_${Buffer.concat([id, secret]).toString('base64url')}`;
}

/** undefined for what cannot be a token. */
export function readToken(token: string): ReadToken | undefined {
  const [, environment, written = ''] = WRITTEN.exec(token) ?? [];
  const bytes = Buffer.from(written, 'base64url');
  const organizationId = bytes.toString('hex', 0, ID_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (!isUuid(organizationId)) return undefined;
  return { organizationId, environment: environment as Tenant['environment'], tokenHash: hashOf(bytes.subarray(ID_BYTES)) };
}

export const UPLOADS_PATH = '/uploads';

/** Makes the addresses that hold the secrets of upload links. */
@Injectable()
export class UploadAddresses {
  constructor(private readonly settings: Settings) {}

  addressOf(tenant: Tenant, secret: Buffer): string {
    return `${this.settings.publicUrl}${UPLOADS_PATH}/${writtenToken(tenant, secret)}`;
  }
}
