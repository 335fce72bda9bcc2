import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FairShare, type GiveBack } from '../../kernel/fair-share.js';
import { Problem } from '../../kernel/problems.js';
import type { Principal } from '../access/principal.js';

/** Of one organization in one process. As many keep a process busy; with more, the calls of others would wait behind all of them. */
export const CALLS_AT_ONCE = 10;
/** A call that asks for a page of more records counts as several. */
const RECORDS_PER_CALL = 50;
const MAX_PLACES = 4;
/**
 * A call that carries much keeps its place for longer, so that ten callers cannot fill a process with large lists. One caller that
 * reads the largest pages one after the other waits for less than two seconds each time.
 */
const BYTES_PER_MS = 4 * 1024;
/** A timer for every call would cost more than the small ones. */
const SHORT_MS = 50;
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
  async enter({ organization }: Principal, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const places = placesOf(request);
    const giveBack = this.calls.tryTake(organization.id, places) ?? (await this.calls.take(organization.id, places));
    const { raw } = reply;
    if (raw.closed) {
      giveBack();
      throw new Problem('bad_request', { detail: 'The caller hung up before the call began.' });
    }
    raw.once('close', () => giveBackAfter(giveBack, bytesOf(request.headers) + bytesOf(reply.getHeaders())));
  }
}

function giveBackAfter(giveBack: GiveBack, bytes: number): void {
  const ms = bytes / BYTES_PER_MS;
  if (ms < SHORT_MS) giveBack();
  else setTimeout(giveBack, ms).unref();
}

function placesOf({ query }: FastifyRequest): number {
  const { page_size: pageSize, limit } = query as { page_size?: unknown; limit?: unknown };
  if (pageSize === undefined && limit === undefined) return 1;
  const records = Number(pageSize ?? limit);
  return records > RECORDS_PER_CALL ? Math.min(Math.ceil(records / RECORDS_PER_CALL), MAX_PLACES) : 1;
}

const bytesOf = (headers: { 'content-length'?: unknown }): number => Number(headers['content-length'] ?? 0);
