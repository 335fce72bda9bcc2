import { Injectable } from '@nestjs/common';
import { CredentialResolver, EndedCredential, type Resolved } from '../../api/access/credential-resolver.js';
import type { Principal } from '../../api/access/principal.js';
import { Implements } from '../../store/discovery/ports.js';
import { Clock } from '../../kernel/clock.js';
import { OrganizationService } from '../organization/index.js';
import type { ApiKey } from './api-key.entity.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { hashKey, isWellFormedKey, prefixOf } from './key-format.js';
import { KeyUse } from './key-use.js';

/** So long what was read of a key is believed: a revocation is in force everywhere well within a second. */
const BELIEVED_MS = 500;
const REMEMBERED_AT_MOST = 10_000;

interface Remembered {
  readonly found: Promise<Resolved>;
  readonly until: number;
}

@Implements(CredentialResolver)
@Injectable()
export class ApiKeyResolver implements CredentialResolver {
  private readonly remembered = new Map<string, Remembered>();

  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly organizations: OrganizationService,
    private readonly use: KeyUse,
    private readonly clock: Clock,
  ) {}

  /** In `Authorization: Bearer`, too: many HTTP clients can send nothing else. */
  recognizes(credential: string): boolean {
    return isWellFormedKey(credential);
  }

  async resolve(credential: string): Promise<Resolved> {
    const found = await this.find(hashKey(credential));
    if (!found || found instanceof EndedCredential) return found;
    if (found.expiresAt !== null && Date.parse(found.expiresAt) <= this.clock.now().getTime()) {
      const { type, id, name, environment, organization } = found;
      return new EndedCredential({ type, id, name, environment, organizationId: organization.id }, 'expired');
    }
    this.use.note(found.id);
    return found;
  }

  private find(hash: Buffer): Promise<Resolved> {
    const name = hash.toString('base64');
    const known = this.remembered.get(name);
    const now = performance.now();
    if (known && now < known.until) return known.found;
    if (this.remembered.size >= REMEMBERED_AT_MOST) this.remembered.clear();
    // The promise is what is remembered, so that a burst of calls with one key asks once.
    const found = this.read(hash);
    this.remembered.set(name, { found, until: now + BELIEVED_MS });
    found.catch(() => this.remembered.delete(name));
    return found;
  }

  private async read(hash: Buffer): Promise<Resolved> {
    const key = await this.keys.byHash(hash);
    if (!key) return undefined;
    const { id: keyId, name: keyName, organizationId, environment } = key;
    if (key.revokedAt) return new EndedCredential({ type: 'api_key', id: keyId, name: keyName, organizationId, environment }, 'revoked');
    const { id, name, slug, plan, status } = await this.organizations.byId(organizationId);
    return { ...principalParts(key), organization: { id, name, slug, plan, status } };
  }
}

function principalParts(key: ApiKey): Omit<Principal, 'organization'> {
  const { id, name, environment, scopes, expiresAt, ipAllowlist } = key;
  return {
    type: 'api_key',
    id,
    name,
    prefix: prefixOf(environment),
    environment,
    scopes: new Set(scopes),
    expiresAt,
    ipAllowlist,
    audience: null,
    application: null,
    user: null,
  };
}
