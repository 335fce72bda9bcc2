import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { isUuid } from '../../../kernel/ids.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import { randomSecret, secretOfForm, writtenToken } from './upload-token.js';

/** Where clients open their links. */
export const UPLOADS_PATH = '/uploads';

/** Makes the secrets of upload links, and the addresses that hold them. */
@Injectable()
export class UploadAddresses {
  constructor(
    private readonly secrets: Secrets,
    private readonly settings: Settings,
  ) {}

  /** `once` is the hidden token of a form. What is none is not guessable either: it gets a secret of its own. */
  secretFor({ organizationId, environment }: Tenant, userId: string, once: string): Buffer {
    if (!isUuid(once)) return randomSecret();
    return secretOfForm(this.secrets.keysFor('upload links')[0]!, `${organizationId} ${environment} ${userId} ${once}`);
  }

  addressOf(tenant: Tenant, secret: Buffer): string {
    return `${this.settings.publicUrl}${UPLOADS_PATH}/${writtenToken(tenant, secret)}`;
  }
}
