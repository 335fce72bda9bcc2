import { Injectable } from '@nestjs/common';
import { ChallengeParameters, ProtectedResource, TokenFlows } from '../../api/access/ports.js';
import { Registry } from '../../api/operation/registry.js';
import type { UserRole } from '../../kernel/roles.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Implements, Ports } from '../../store/discovery/ports.js';
import { scopeTexts } from '../../api/access/scopes.js';
import { RESOURCE_METADATA, ROUTES } from './routes.js';

/** What tokens are issued for (RFC 8707): the API, and the resources of other modules. */
@Injectable()
export class Resources {
  constructor(
    private readonly settings: Settings,
    private readonly ports: Ports,
    private readonly registry: Registry,
  ) {}

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
@Injectable()
export class ResourceMetadataParameter implements ChallengeParameters {
  constructor(private readonly settings: Settings) {}

  for(path: string): string {
    return `resource_metadata="${this.settings.publicUrl}${RESOURCE_METADATA}${path}"`;
  }
}

/** The grants, as the OpenAPI document shows them. The texts of the scopes are those of the consent page. */
@Implements(TokenFlows)
@Injectable()
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
