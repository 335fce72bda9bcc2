import { Injectable } from '@nestjs/common';
import type { Principal } from './principal.js';

/** How a credential arrived. */
export type Scheme = 'api-key' | 'bearer';

/** A port: whoever issues credentials (API keys, OAuth) says here how to read them. */
export interface CredentialResolver {
  /** Whether the text looks like one of its credentials; decides without asking anyone. */
  recognizes(credential: string, scheme: Scheme): boolean;
  /** Who it speaks for; undefined when it is unknown, expired or revoked. At most one second behind the truth. */
  resolve(credential: string): Promise<Principal | undefined>;
}

@Injectable()
export class CredentialResolvers {
  private readonly resolvers: CredentialResolver[] = [];

  register(resolver: CredentialResolver): void {
    this.resolvers.push(resolver);
  }

  async resolve(credential: string, scheme: Scheme): Promise<Principal | undefined> {
    return this.resolvers.find((resolver) => resolver.recognizes(credential, scheme))?.resolve(credential);
  }
}
