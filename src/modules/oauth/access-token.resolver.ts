import { Injectable } from '@nestjs/common';
import { CredentialResolver, EndedCredential, type Resolved, type Scheme } from '../../api/access/credential-resolver.js';
import { Implements } from '../../store/discovery/ports.js';
import { Clock } from '../../kernel/clock.js';
import { OrganizationService } from '../organization/index.js';
import { UsersService } from '../users/index.js';
import type { Application } from './applications/application.entity.js';
import { AccessTokensRepository, type AccessToken } from './storage/access-tokens.repository.js';

/** Opaque: 256 random bits. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** So long what was read of a token is believed: whatever ends it is in force everywhere well within a second. */
const BELIEVED_MS = 500;
const REMEMBERED_AT_MOST = 10_000;

/** Reads access tokens: with every call application, organization, plan, user and scopes are those of the moment. */
@Implements(CredentialResolver)
@Injectable()
export class AccessTokenResolver implements CredentialResolver {
  private readonly remembered = new Map<string, { readonly found: Promise<Resolved>; readonly until: number }>();

  constructor(
    private readonly tokens: AccessTokensRepository,
    private readonly organizations: OrganizationService,
    private readonly users: UsersService,
    private readonly clock: Clock,
  ) {}

  recognizes(credential: string, scheme: Scheme): boolean {
    return scheme === 'bearer' && TOKEN.test(credential);
  }

  async resolve(credential: string): Promise<Resolved> {
    const found = await this.remember(credential);
    if (!found || found instanceof EndedCredential) return found;
    return Date.parse(found.expiresAt!) > this.clock.now().getTime()
      ? found
      : ended(found.id, found.name, found.organization.id, found.environment, 'expired');
  }

  private remember(credential: string): Promise<Resolved> {
    const known = this.remembered.get(credential);
    const now = performance.now();
    if (known && now < known.until) return known.found;
    if (this.remembered.size >= REMEMBERED_AT_MOST) this.remembered.clear();
    const found = this.read(credential);
    this.remembered.set(credential, { found, until: now + BELIEVED_MS });
    found.catch(() => this.remembered.delete(credential));
    return found;
  }

  private async read(credential: string): Promise<Resolved> {
    const token = await this.tokens.find(credential);
    if (!token) return undefined;
    const { application, userId, expiresAt } = token;
    const { id, name, organizationId, environment } = application;
    if (Date.parse(expiresAt) <= this.clock.now().getTime()) return ended(id, name, organizationId, environment, 'expired');
    const user = userId === null ? null : await this.users.byId(userId);
    const isOver = application.status !== 'approved' || (userId !== null && user?.organizationId !== organizationId);
    if (isOver) return ended(id, name, organizationId, environment, 'revoked');
    const { slug, plan, status, name: organizationName } = await this.organizations.byId(organizationId);
    return {
      type: 'oauth',
      id,
      name: user ? `${name} for ${user.name}` : name,
      prefix: null,
      environment,
      scopes: scopesOf(token, application),
      expiresAt,
      ipAllowlist: [],
      audience: token.audience,
      organization: { id: organizationId, name: organizationName, slug, plan, status },
      application: { id, name },
      user: user ? { id: user.id, name: user.name } : null,
    };
  }
}

/** What the token was given for, as far as the application is still approved for it. */
function scopesOf({ scopes }: AccessToken, application: Application): Set<string> {
  return new Set(scopes.filter((scope) => application.scopes.includes(scope)));
}

function ended(
  id: string,
  name: string,
  organizationId: string,
  environment: Application['environment'],
  reason: 'expired' | 'revoked',
): EndedCredential {
  return new EndedCredential({ type: 'oauth', id, name, organizationId, environment }, reason);
}
