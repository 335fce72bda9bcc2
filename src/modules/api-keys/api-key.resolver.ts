import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CredentialResolver, EndedCredential, type Resolved } from '../../api/access/ports.js';
import type { CredentialPrincipal } from '../../api/access/principal.js';
import { limitsOf } from '../../api/limits/own-limits.js';
import { BriefCache } from '../../kernel/brief-cache.js';
import { Log } from '../../kernel/log.js';
import { Problem } from '../../kernel/problems.js';
import { Clock } from '../../kernel/time.js';
import { Implements } from '../../store/discovery/ports.js';
import { OrganizationService } from '../organization/index.js';
import type { ApiKey } from './api-key.entity.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { hashKey, isDamagedKey, isWellFormedKey, prefixOf } from './key-format.js';

const WRITE_INTERVAL_MS = 5000;

/** Keeps when keys were last used, and from where: one write for all keys every few seconds, instead of one per request. */
@Injectable()
export class KeyUse implements OnApplicationShutdown {
  private used = new Map<string, { readonly time: number; readonly address: string }>();
  private readonly timer = setInterval(() => void this.write(), WRITE_INTERVAL_MS).unref();

  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  note(id: string, address: string): void {
    this.used.set(id, { time: this.clock.now().getTime(), address });
  }

  async write(): Promise<void> {
    if (this.used.size === 0) return;
    const used = new Map([...this.used].map(([id, { time, address }]) => [id, { at: new Date(time).toISOString(), address }]));
    this.used = new Map();
    // A failure is not retried: the next use of each key writes a newer time.
    await this.keys.touch(used).catch((error: unknown) => this.log.warn({ err: error }, 'last use of keys not written'));
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.write();
  }
}

const DAMAGED = 'This is not a whole API key: it was cut off or mistyped, since its checksum does not fit. Copy all of it again.';

/** Reads API keys. A revocation is in force everywhere within a second. */
@Implements(CredentialResolver)
export class ApiKeyResolver implements CredentialResolver {
  private readonly cache = new BriefCache<Resolved>();

  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly organizations: OrganizationService,
    private readonly use: KeyUse,
    private readonly clock: Clock,
  ) {}

  /** With both schemes: many HTTP clients can only send `Authorization: Bearer`. */
  recognizes(credential: string): boolean {
    return isWellFormedKey(credential) || isDamagedKey(credential);
  }

  async resolve(credential: string): Promise<Resolved> {
    if (isDamagedKey(credential)) throw new Problem('credential_invalid', { detail: DAMAGED });
    const found = await this.cache.get(credential, () => this.read(hashKey(credential)));
    if (!found || found instanceof EndedCredential || !this.isOver(found)) return found;
    const { type, id, name, environment, organization } = found;
    return new EndedCredential({ type, id, name, environment, organizationId: organization.id }, 'expired');
  }

  known(credential: string): CredentialPrincipal | undefined {
    const found = this.cache.known(credential);
    return found && !(found instanceof EndedCredential) && !this.isOver(found) ? found : undefined;
  }

  used({ type, id }: CredentialPrincipal, address: string): void {
    if (type === 'api_key') this.use.note(id, address);
  }

  private isOver({ expiresAt }: CredentialPrincipal): boolean {
    return expiresAt !== null && Date.parse(expiresAt) <= this.clock.now().getTime();
  }

  private async read(hash: Buffer): Promise<Resolved> {
    const key = await this.keys.byHash(hash);
    if (!key) return undefined;
    const { id: keyId, name: keyName, organizationId, environment } = key;
    if (key.revokedAt) return new EndedCredential({ type: 'api_key', id: keyId, name: keyName, organizationId, environment }, 'revoked');
    const { id, name, slug, plan, status, confirmations } = await this.organizations.byId(organizationId);
    return { ...principalParts(key), organization: { id, name, slug, plan, status, confirmations } };
  }
}

function principalParts(key: ApiKey): Omit<CredentialPrincipal, 'organization'> {
  const { id, name, environment, scopes, expiresAt, ipAllowlist, createdBy } = key;
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
    boundTo: null,
    application: null,
    user: null,
    madeBy: createdBy,
    limits: limitsOf(key),
    // An empty list would reach nothing.
    projects: key.projectIds ?? undefined,
  };
}
