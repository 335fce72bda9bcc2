import { Injectable } from '@nestjs/common';
import { ThrottledRecorder } from '../../store/audit/audit-recorder.js';
import type { RefusedCredential } from './ports.js';

/** How many refusals of one credential the audit log shows in a minute, however many addresses they come from. */
const MAX_PER_MINUTE = 20;

export interface RefusedRequest {
  readonly requestId: string;
  readonly ipAddress: string;
}

export type Refusal = 'revoked' | 'expired' | 'address' | 'unproved';

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
