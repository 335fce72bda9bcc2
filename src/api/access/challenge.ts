import { Injectable } from '@nestjs/common';
import { Settings } from '../../kernel/settings/settings.js';
import { Ports } from '../../store/discovery/ports.js';
import { ChallengeParameters, KeyProof } from './ports.js';

/** `DPoP` for tokens that are bound to a key. */
export type ChallengeScheme = 'Bearer' | 'DPoP';

@Injectable()
export class Challenge {
  constructor(
    private readonly settings: Settings,
    private readonly ports: Ports,
  ) {}

  /** For a 401. `error` says what is wrong with the credential, if one was sent. */
  unauthorized(error: Readonly<Record<string, string>> = {}, path = '', scheme: ChallengeScheme = 'Bearer'): string {
    return this.compose(scheme, { realm: this.settings.publicUrl, ...error }, path);
  }

  /** For a 403 that a token with this scope would avoid. */
  insufficientScope(scope: string, path = '', scheme: ChallengeScheme = 'Bearer'): string {
    return this.compose(scheme, { error: 'insufficient_scope', scope }, path);
  }

  private compose(scheme: ChallengeScheme, parameters: Readonly<Record<string, string>>, path: string): string {
    const algorithms = scheme === 'DPoP' && this.ports.only(KeyProof)?.algorithms.join(' ');
    const own = Object.entries({ ...parameters, ...(algorithms && { algs: algorithms }) }).map(([name, value]) => `${name}="${value}"`);
    const added = this.ports.all(ChallengeParameters).map((port) => port.for(path));
    return `${scheme} ${[...own, ...added].join(', ')}`;
  }
}
