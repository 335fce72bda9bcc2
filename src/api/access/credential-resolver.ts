import { Injectable } from '@nestjs/common';
import type { Environment } from '../../kernel/context.js';
import { Ports } from '../../store/discovery/ports.js';
import type { Principal } from './principal.js';

/** How a credential arrived. */
export type Scheme = 'api-key' | 'bearer';

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
}

@Injectable()
export class CredentialResolvers {
  constructor(private readonly ports: Ports) {}

  async resolve(credential: string, scheme: Scheme): Promise<Resolved> {
    return this.ports
      .all(CredentialResolver)
      .find((resolver) => resolver.recognizes(credential, scheme))
      ?.resolve(credential);
  }
}
