import { Injectable } from '@nestjs/common';
import { canonicalJson } from '../../../kernel/json.js';
import { Clock } from '../../../kernel/time.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import { headersBoundTo, secretBoundTo, signingKey, type SigningKey } from '../signing/webhook-secret.js';
import type { OwnHeaders } from './own-headers.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';

type WithHeaders = Pick<WebhookEndpoint, 'id' | 'ownHeaders'>;
type WithSecrets = Pick<WebhookEndpoint, 'id' | 'secret' | 'previousSecret' | 'previousSecretExpiresAt'>;

@Injectable()
export class EndpointSecrets {
  constructor(
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  sealedSecret(id: string, secret: string): Buffer {
    return this.secrets.encrypt(secret, secretBoundTo(id));
  }

  keysOf({ id, secret, previousSecret, previousSecretExpiresAt }: WithSecrets): SigningKey[] {
    const decrypt = (stored: Buffer) => this.secrets.decrypt(stored, secretBoundTo(id));
    const current = signingKey(decrypt(secret));
    if (previousSecret === null || previousSecretExpiresAt === null) return [current];
    const expiresAt = new Date(previousSecretExpiresAt);
    // Its encryption key may be gone by then, so an expired secret is not decrypted.
    return this.clock.now() < expiresAt ? [current, signingKey(decrypt(previousSecret), expiresAt)] : [current];
  }

  headersOf({ id, ownHeaders }: WithHeaders): OwnHeaders {
    return ownHeaders ? (JSON.parse(this.secrets.decrypt(ownHeaders, headersBoundTo(id))) as OwnHeaders) : {};
  }

  /** The fields that a new value of the headers changes: none where it is undefined, or the same as before. */
  sealedHeaders(before: WithHeaders, headers: OwnHeaders | null | undefined): Partial<WebhookEndpoint> {
    if (headers === undefined) return {};
    const next = headers ?? {};
    if (canonicalJson(next) === canonicalJson(this.headersOf(before))) return {};
    const headerNames = Object.keys(next);
    const ownHeaders = headerNames.length > 0 ? this.secrets.encrypt(JSON.stringify(next), headersBoundTo(before.id)) : null;
    return { ownHeaders, headerNames };
  }
}
