import { Injectable } from '@nestjs/common';
import type { Problem } from '../../kernel/problems.js';
import { Settings } from '../../kernel/settings/settings.js';
import { ThrottledRecorder } from '../../store/audit/audit-recorder.js';
import { Ports } from '../../store/discovery/ports.js';
import { AddressLimiter } from '../limits/rate-limiter.js';
import { type RefusedCredential, ChallengeParameters, KeyProof } from './ports.js';

/** How many refusals of one credential the audit log shows in a minute, however many addresses they come from. */
const MAX_PER_MINUTE = 20;

export interface RefusedRequest {
  readonly requestId: string;
  readonly ipAddress: string;
}

type Refusal = 'revoked' | 'expired' | 'address' | 'unproved';

/** Writes to an organization's audit log that one of its credentials was refused: once a minute for each reason and address. */
@Injectable()
export class Refusals {
  constructor(private readonly recorder: ThrottledRecorder) {}

  note({ requestId, ipAddress }: RefusedRequest, credential: RefusedCredential, reason: Refusal): void {
    const { type, id, name, organizationId, environment } = credential;
    this.recorder.record({
      ctx: { organizationId, environment, actor: { type: 'api', id, name }, ipAddress, requestId, emits: [] },
      entry: { action: `${type}.refused`, resourceId: id, changes: { reason: { from: null, to: reason } } },
      budget: `credential ${id}`,
      maxPerMinute: MAX_PER_MINUTE,
      key: `${reason} ${ipAddress}`,
    });
  }
}

/** `DPoP` for tokens that are bound to a key. */
type ChallengeScheme = 'Bearer' | 'DPoP';

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

/** Only failures are counted and refused: callers may share an address, and one's mistakes must not lock out the valid keys of others. */
@Injectable()
export class FailedCredentials {
  constructor(private readonly limiter: AddressLimiter) {}

  async count(address: string): Promise<void> {
    const refusal = await this.findRefusal(address);
    if (refusal) throw refusal;
  }

  /** Like `count`, but returns the problem: for protocols with another error format than the API. */
  findRefusal(address: string): Promise<Problem | undefined> {
    return this.limiter.findRefusal('failures', address);
  }
}
