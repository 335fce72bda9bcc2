import { Injectable } from '@nestjs/common';
import type { Environment } from '../../kernel/context.js';
import { Ports } from '../../store/discovery/ports.js';
import type { Principal } from './principal.js';

/** How a credential arrived. */
export type Scheme = 'api-key' | 'bearer';

/** A credential of an organization that is not to be used: its organization is told, its caller is not. */
export interface RefusedCredential {
  readonly type: Principal['type'];
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly environment: Environment;
}

/** A credential that was in force once. To its caller it is the same as one that never was. */
export class EndedCredential {
  constructor(
    readonly credential: RefusedCredential,
    readonly reason: 'revoked' | 'expired',
  ) {}
}

export type Resolved = Principal | EndedCredential | undefined;

/** A port: whoever issues credentials (API keys, OAuth) says here how to read them. */
export abstract class CredentialResolver {
  /** Whether the text looks like one of its credentials; decides without asking anyone. */
  abstract recognizes(credential: string, scheme: Scheme): boolean;
  /** Who it speaks for; undefined when it is unknown. At most one second behind the truth. */
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
