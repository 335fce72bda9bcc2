import { Injectable } from '@nestjs/common';
import { ChallengeParameters, ProtectedResource, TokenFlows } from '../../api/access/ports.js';
import { Registry } from '../../api/operation/registry.js';
import type { Tenant } from '../../kernel/context.js';
import type { UserRole } from '../../kernel/roles.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Implements, Ports } from '../../store/discovery/ports.js';
import { ProjectsService } from '../projects/index.js';
import { scopeTexts } from '../../api/access/scopes.js';
import type { ClientAuthMethod } from 'oidc-provider';

/** What tokens are issued for (RFC 8707): the API, and the resources of other modules. */
@Injectable()
export class Resources {
  constructor(
    private readonly settings: Settings,
    private readonly ports: Ports,
    private readonly registry: Registry,
    private readonly projects: ProjectsService,
  ) {}

  async hasProjects(tenant: Tenant, ids: readonly string[]): Promise<boolean> {
    return (await this.projects.names(tenant, ids)).size === ids.length;
  }

  /** The ids as records have them; null: all projects. */
  requireProjects(tenant: Tenant, ids: readonly string[] | null): Promise<string[] | null> {
    return this.projects.requireExisting(tenant, ids);
  }

  get scopes(): readonly string[] {
    return this.registry.scopes;
  }

  /** Which of these scopes an application may have for a user: those that the role of the user allows. Without a user: all. */
  allowedTo(user: { readonly role: UserRole } | null | undefined, scopes: readonly string[]): readonly string[] {
    if (!user) return scopes;
    const ofRole = this.registry.scopesFor(user.role);
    return scopes.filter((scope) => ofRole.includes(scope));
  }

  get api(): string {
    return this.settings.publicUrl;
  }

  /** The resource that a client named, with or without a slash at the end. */
  named(text: string): string | undefined {
    const name = text.replace(/\/$/, '');
    return [this.api, ...this.others.map(({ path }) => this.api + path)].find((resource) => resource === name);
  }

  at(path: string): string | undefined {
    return this.others.some((resource) => resource.path === path) ? this.api + path : undefined;
  }

  private get others(): readonly ProtectedResource[] {
    return this.ports.all(ProtectedResource);
  }
}

/** Tells clients where to find out who issues tokens (RFC 9728). */
@Implements(ChallengeParameters)
export class ResourceMetadataParameter implements ChallengeParameters {
  constructor(private readonly settings: Settings) {}

  for(path: string): string {
    return `resource_metadata="${this.settings.publicUrl}${RESOURCE_METADATA}${path}"`;
  }
}

/** The grants, as the OpenAPI document shows them. The texts of the scopes are those of the consent page. */
@Implements(TokenFlows)
export class OAuthTokenFlows implements TokenFlows {
  readonly name = 'oauth2';

  constructor(private readonly registry: Registry) {}

  get flows() {
    const { authorization: authorizationPath, token: tokenPath } = ROUTES;
    const scopes = Object.fromEntries(scopeTexts(this.registry, this.registry.scopes).map(({ scope, sentence }) => [scope, sentence]));
    return {
      authorizationCode: { authorizationPath, tokenPath, refreshPath: tokenPath, scopes },
      clientCredentials: { tokenPath, scopes },
    };
  }
}

export const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  registration: '/oauth/register',
  pushed_authorization_request: '/oauth/par',
  device_authorization: '/oauth/device_authorization',
  code_verification: '/oauth/device',
};
export const CALLED_BY_APPLICATIONS: readonly string[] = [
  ROUTES.token,
  ROUTES.revocation,
  ROUTES.introspection,
  ROUTES.pushed_authorization_request,
  ROUTES.device_authorization,
];
/** Of what an application pushes or asks for a device: it is stored until the user has signed in. */
export const PUSHED_REQUEST_MAX_BYTES = 8192;
/** Of an authorization request: what is needed of it is stored until the user has signed in. */
export const AUTHORIZATION_QUERY_MAX_BYTES = 4096;
export const CONNECTIONS_PATH = '/oauth/connections';
/** RFC 8414. */
export const SERVER_METADATA = '/.well-known/oauth-authorization-server';
/** RFC 9728. The path of the resource follows. */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';
export const CONFIDENTIAL_METHODS: ClientAuthMethod[] = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];
export const CLIENT_AUTH_METHODS: ClientAuthMethod[] = [...CONFIDENTIAL_METHODS, 'none'];
