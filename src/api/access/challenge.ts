import { Injectable } from '@nestjs/common';
import { Settings } from '../../kernel/settings/settings.js';
import { Ports } from '../../store/discovery/ports.js';

/** A port: parameters that a module adds to every challenge, such as where to get a token. */
export abstract class ChallengeParameters {
  /** Parameters as they are sent, for the resource at a path: `name="value"`. The path of the API itself is empty. */
  abstract for(path: string): string;
}

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
