import { Injectable } from '@nestjs/common';
import { Settings } from '../../kernel/settings/settings.js';
import { Ports } from '../../store/discovery/ports.js';
import { ChallengeParameters } from './ports.js';

/** Builds the values of `WWW-Authenticate` (RFC 6750). */
@Injectable()
export class Challenge {
  constructor(
    private readonly settings: Settings,
    private readonly ports: Ports,
  ) {}

  /** For a 401. `error` says what is wrong with the credential, if one was sent. */
  unauthorized(error: Readonly<Record<string, string>> = {}, path = ''): string {
    return this.bearer({ realm: this.settings.publicUrl, ...error }, path);
  }

  /** For a 403 that a token with this scope would avoid. */
  insufficientScope(scope: string, path = ''): string {
    return this.bearer({ error: 'insufficient_scope', scope }, path);
  }

  private bearer(parameters: Readonly<Record<string, string>>, path: string): string {
    const own = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
    const added = this.ports.all(ChallengeParameters).map((port) => port.for(path));
    return `Bearer ${[...own, ...added].join(', ')}`;
  }
}
