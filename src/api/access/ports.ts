import type { FastifyRequest } from 'fastify';
import type { Environment } from '../../kernel/context.js';
import type { CredentialPrincipal } from './principal.js';

/** How a credential arrived. `header`: in a header of its own. */
export type Scheme = 'api-key' | 'bearer' | 'dpop' | 'header';

/** A credential that cannot be used. Its organization sees why in the audit log; the caller does not. */
export interface RefusedCredential {
  readonly type: CredentialPrincipal['type'];
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

export type Resolved = CredentialPrincipal | EndedCredential | undefined;

/**
 * A port: reads one kind of credential, such as API keys or OAuth access tokens. It is asked before anything else is known of the call,
 * outside a transaction. An error of it answers 500, and refuses the call.
 */
export abstract class CredentialResolver {
  /**
   * The header in which such credentials arrive, in lower case, such as that in which a proxy says whose certificate a client has
   * shown. It counts from TRUSTED_PROXIES only, and only where no other credential was sent; the proxy must remove it from what
   * clients send. Left out: they arrive in `X-API-Key` or `Authorization`.
   */
  readonly header?: string;
  /** Whether the text has the form of such a credential. Reads nothing. */
  abstract recognizes(credential: string, scheme: Scheme): boolean;
  /** Who the credential speaks for; undefined if it is unknown. A change takes effect within a second. */
  abstract resolve(credential: string): Promise<Resolved>;
  /** The same without waiting: a valid credential that was resolved a moment ago. */
  abstract known(credential: string, scheme: Scheme): CredentialPrincipal | undefined;
  /** A call with the credential was let in, from this address. Most kinds of credential do not note it. */
  used?(principal: CredentialPrincipal, address: string): void;
}

/** How a token is bound: to the key with this thumbprint, and whether its proofs need a nonce of ours. */
export interface Bound {
  readonly boundTo: string;
  readonly needsNonce?: boolean;
}

export interface ProofRefusal {
  /** `use_dpop_nonce`: the proof is right but for its nonce. */
  readonly error: 'invalid_dpop_proof' | 'use_dpop_nonce';
  readonly detail: string;
}

/** A port: proof that a caller holds the key that its token is bound to (RFC 9449). */
export abstract class KeyProof {
  abstract readonly algorithms: readonly string[];
  /** Why the request does not prove that its caller holds the key; undefined if it does. A proof counts once. */
  abstract findRefusal(request: FastifyRequest, token: string, bound: Bound): Promise<ProofRefusal | undefined>;
  /** For the next proof. */
  abstract nextNonce(): string;
}

/** A port: a first-party client of the API, such as the tool server. The audit log tells its calls apart. */
export abstract class Channel {
  abstract readonly name: string;
}

/** A port: something besides the API itself that access tokens are issued for (RFC 8707), such as the tool server. */
export abstract class ProtectedResource {
  /** Path below the service's address. */
  abstract readonly path: string;
  abstract readonly name: string;
}

/** A port: parameters that a module adds to every challenge, such as where to get a token. */
export abstract class ChallengeParameters {
  /** Parameters as they are sent, for the resource at a path: `name="value"`. The path of the API itself is empty. */
  abstract for(path: string): string;
}

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
