import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { CredentialResolver, TokenFlows } from '../../api/access/ports.js';
import { Ports } from '../../store/discovery/ports.js';
import { operationsIn } from './openapi-examples.js';

const DESCRIPTION =
  'For partner applications. The authorization code flow needs PKCE (S256). A token has the scopes that were asked for, as far as the ' +
  'application was approved for them. RFC 8414 metadata is at `/.well-known/oauth-authorization-server`.';

const STATED =
  'Stated by a trusted proxy in front of the service, such as that of a client certificate. Clients do not send it themselves.';

type Requirement = Record<string, string[]>;
interface OperationObject {
  'x-scope'?: string;
  security?: Requirement[];
}

/** Adds the flows in which clients get tokens. Each operation names the scope that its token needs. */
export function addTokenFlows(document: OpenAPIObject, app: INestApplication, baseUrl: string): void {
  const issuer = app.get(Ports).only(TokenFlows);
  if (!issuer) return;
  const { name } = issuer;
  const flows = Object.fromEntries(
    Object.entries(issuer.flows).map(([flow, { authorizationPath, tokenPath, refreshPath, scopes }]) => {
      const urls = {
        ...(authorizationPath && { authorizationUrl: baseUrl + authorizationPath }),
        tokenUrl: baseUrl + tokenPath,
        ...(refreshPath && { refreshUrl: baseUrl + refreshPath }),
      };
      return [flow, { ...urls, scopes }] as const;
    }),
  );
  document.components!.securitySchemes![name] = { type: 'oauth2', description: DESCRIPTION, flows };
  for (const operation of operationsIn<OperationObject>(document.paths))
    operation.security!.push({ [name]: operation['x-scope'] ? [operation['x-scope']] : [] });
}

/** Adds the headers of their own in which credentials of extensions arrive, each under its name. */
export function addStatedCredentials(document: OpenAPIObject, app: INestApplication): void {
  for (const { header: name } of app.get(Ports).all(CredentialResolver)) {
    if (name === undefined) continue;
    document.components!.securitySchemes![name] = { type: 'apiKey', in: 'header', name, description: STATED };
    for (const operation of operationsIn<OperationObject>(document.paths)) operation.security!.push({ [name]: [] });
  }
}
