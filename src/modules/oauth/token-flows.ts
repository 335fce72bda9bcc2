import { Injectable } from '@nestjs/common';
import { TokenFlows } from '../../api/access/ports.js';
import { Registry } from '../../api/operation/registry.js';
import { Implements } from '../../store/discovery/ports.js';
import { scopeTexts } from './interactions/scope-texts.js';
import { ROUTES } from './routes.js';

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
