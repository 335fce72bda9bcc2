import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { FairShare } from '../../kernel/fair-share.js';
import { Problem } from '../../kernel/problems.js';
import type { Principal } from '../access/principal.js';

/** Of one organization in one process. As many keep a process busy; with more, the calls of others would wait behind all of them. */
export const CALLS_AT_ONCE = 10;
const MAX_WAITING = 1000;
const MAX_WAIT_MS = 5000;

/** How many calls of an organization are in progress at once. Further calls wait, before their bodies are read. */
@Injectable()
export class CallsAtOnce {
  private readonly calls = new FairShare({
    what: 'Calls',
    capacity: Infinity,
    share: CALLS_AT_ONCE,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
  });

  /** Waits for the caller's turn. The call is in progress until its answer is out. */
  async enter({ organization }: Principal, { raw }: FastifyReply): Promise<void> {
    const giveBack = await this.calls.take(organization.id);
    if (!raw.closed) return void raw.once('close', giveBack);
    giveBack();
    // Nobody reads this. But the call must not be made outside of the share.
    throw new Problem('rate_limited', { detail: 'The caller hung up while the call waited for its turn.' });
  }
}
