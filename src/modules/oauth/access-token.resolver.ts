import { CredentialResolver, EndedCredential, type Resolved, type Scheme } from '../../api/access/ports.js';
import type { CredentialPrincipal } from '../../api/access/principal.js';
import { limitsOf } from '../../api/limits/own-limits.js';
import { Implements } from '../../store/discovery/ports.js';
import { BriefCache } from '../../kernel/brief-cache.js';
import { Clock } from '../../kernel/time.js';
import { OrganizationService } from '../organization/index.js';
import { UsersService } from '../users/index.js';
import { type Application, isBoundBy } from './applications/application.entity.js';
import { inBoth } from './provider/asked-projects.js';
import { Resources } from './resources.js';
import { ConnectionsService } from './shared/connections/connections.service.js';
import { AccessTokensRepository, type AccessToken } from './storage/oauth-records.repository.js';

/** 256 random bits. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** Reads access tokens. Changes of the application, the organization, its plan, the user and their role take effect within a second. */
@Implements(CredentialResolver)
export class AccessTokenResolver implements CredentialResolver {
  private readonly cache = new BriefCache<Resolved>();

  constructor(
    private readonly tokens: AccessTokensRepository,
    private readonly organizations: OrganizationService,
    private readonly users: UsersService,
    private readonly connections: ConnectionsService,
    private readonly resources: Resources,
    private readonly clock: Clock,
  ) {}

  recognizes(credential: string, scheme: Scheme): boolean {
    return scheme !== 'api-key' && TOKEN.test(credential);
  }

  async resolve(credential: string): Promise<Resolved> {
    const found = await this.cache.get(credential, () => this.read(credential));
    if (!found || found instanceof EndedCredential) return found;
    return this.isInForce(found) ? found : ended({ ...found, organizationId: found.organization.id }, 'expired');
  }

  known(credential: string, scheme: Scheme): CredentialPrincipal | undefined {
    const found = scheme === 'api-key' ? undefined : this.cache.known(credential);
    return found && !(found instanceof EndedCredential) && this.isInForce(found) ? found : undefined;
  }

  private isInForce({ expiresAt }: CredentialPrincipal): boolean {
    return Date.parse(expiresAt!) > this.clock.now().getTime();
  }

  private async read(credential: string): Promise<Resolved> {
    const token = await this.tokens.find(credential);
    if (!token) return undefined;
    const { application, userId, expiresAt, boundTo } = token;
    const { id, name, organizationId, environment } = application;
    if (Date.parse(expiresAt) <= this.clock.now().getTime()) return ended(application, 'expired');
    const user = userId === null ? null : await this.users.byId(userId);
    const isRevoked = application.status !== 'approved' || (userId !== null && user?.organizationId !== organizationId);
    const isAllowed = application.sharedClientId === null || (await this.connections.isInForce(application));
    const isUnbound = boundTo === null && isBoundBy(application, 'dpop_bound_access_tokens');
    if (isRevoked || !isAllowed || isUnbound) return ended(application, 'revoked');
    const projects = inBoth(token.projects, application.projectIds);
    const { slug, plan, status, confirmations, name: organizationName } = await this.organizations.byId(organizationId);
    return {
      type: 'oauth',
      id,
      name: user ? `${name} for ${user.name}` : name,
      prefix: null,
      environment,
      scopes: new Set(this.resources.allowedTo(user, scopesOf(token, application))),
      expiresAt,
      ipAllowlist: [],
      audience: token.audience,
      boundTo,
      needsNonce: isBoundBy(application, 'fapi2'),
      organization: { id: organizationId, name: organizationName, slug, plan, status, confirmations },
      application: { id, name, confirmations: application.confirmations },
      limits: limitsOf(application),
      ...(projects && { projects }),
      user: user ? { id: user.id, name: user.name, role: user.role } : null,
    };
  }
}

const scopesOf = ({ scopes }: AccessToken, application: Application): string[] =>
  scopes.filter((scope) => application.scopes.includes(scope));

type Ended = Pick<Application, 'id' | 'name' | 'organizationId' | 'environment'>;

const ended = ({ id, name, organizationId, environment }: Ended, reason: 'expired' | 'revoked'): EndedCredential =>
  new EndedCredential({ type: 'oauth', id, name, organizationId, environment }, reason);
