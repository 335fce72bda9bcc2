import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Environment } from '../../kernel/context.js';
import { Ports } from '../../store/discovery/ports.js';
import type { Principal } from './principal.js';

/** How a credential arrived. */
export type Scheme = 'api-key' | 'bearer' | 'dpop';

/** A credential that cannot be used. Its organization sees why in the audit log; the caller does not. */
export interface RefusedCredential {
  readonly type: Principal['type'];
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly environment: Environment;
}

/** A credential that used to be valid. The caller gets the same answer as for an unknown one. */
export class EndedCredential {
  constructor(
    readonly credential: RefusedCredential,
    readonly reason: 'revoked' | 'expired',
  ) {}
}

export type Resolved = Principal | EndedCredential | undefined;

/** A port: reads one kind of credential, such as API keys or OAuth access tokens. */
export abstract class CredentialResolver {
  /** Whether the text has the form of such a credential. Reads nothing. */
  abstract recognizes(credential: string, scheme: Scheme): boolean;
  /** Who the credential speaks for; undefined if it is unknown. A change takes effect within a second. */
  abstract resolve(credential: string): Promise<Resolved>;
  /** The same without waiting: a valid credential that was resolved a moment ago. */
  abstract known(credential: string, scheme: Scheme): Principal | undefined;
  /** A call with the credential was let in, from this address. Most kinds of credential do not note it. */
  used?(principal: Principal, address: string): void;
}

/** Every kind of credential that a module reads. */
@Injectable()
export class CredentialResolvers {
  constructor(private readonly ports: Ports) {}

  async resolve(credential: string, scheme: Scheme): Promise<Resolved> {
    return this.ports
      .all(CredentialResolver)
      .find((resolver) => resolver.recognizes(credential, scheme))
      ?.resolve(credential);
  }

  used(principal: Principal, address: string): void {
    for (const resolver of this.ports.all(CredentialResolver)) resolver.used?.(principal, address);
  }

  /** Who a credential speaks for that was resolved a moment ago: most requests need neither Passport nor the database. */
  known(credential: string, scheme: Scheme): Principal | undefined {
    for (const resolver of this.ports.all(CredentialResolver)) {
      const principal = resolver.known(credential, scheme);
      if (principal) return principal;
    }
    return undefined;
  }
}

/** A port: proof that a caller holds the key that its token is bound to (RFC 9449). */
export abstract class KeyProof {
  /** The signature algorithms of proofs. */
  abstract readonly algorithms: readonly string[];
  /** Why the request does not prove that its caller holds the key; undefined if it does. A proof counts once. */
  abstract refusalOf(request: FastifyRequest, token: string, keyThumbprint: string): Promise<string | undefined>;
}

/** A port: a first-party client of the API, such as the tool server. The audit log tells its calls apart. */
export abstract class Channel {
  abstract readonly name: string;
}

/** A port: something besides the API itself that access tokens are issued for (RFC 8707), such as the tool server. */
export abstract class ProtectedResource {
  /** Path below the service's address. */
  abstract readonly path: string;
  /** What people call it. */
  abstract readonly name: string;
}

/** A port: parameters that a module adds to every challenge, such as where to get a token. */
export abstract class ChallengeParameters {
  /** Parameters as they are sent, for the resource at a path: `name="value"`. The path of the API itself is empty. */
  abstract for(path: string): string;
}

/** How a client gets an access token: the paths of the endpoints, and what each scope allows. */
interface TokenFlow {
  readonly authorizationPath?: string;
  readonly tokenPath: string;
  readonly refreshPath?: string;
  readonly scopes: Readonly<Record<string, string>>;
}

/** A port: the ways to get an access token, for the OpenAPI document. */
export abstract class TokenFlows {
  /** The name of the security scheme. */
  abstract readonly name: string;
  /** By the names that OpenAPI has for flows. */
  abstract readonly flows: Readonly<Record<string, TokenFlow>>;
}
