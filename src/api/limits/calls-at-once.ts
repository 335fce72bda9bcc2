import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FairShare, type GiveBack } from '../../kernel/fair-share.js';
import { LIST_MAX_BYTES } from '../../kernel/product.js';
import { Problem } from '../../kernel/problems.js';
import type { Principal } from '../access/principal.js';

/**
 * The places of one organization in one process. As many small calls keep a process busy; with more, the calls of others would wait
 * behind all of them.
 */
export const CALLS_AT_ONCE = 32;
/** A list takes as many for each 50 records that it asks for, and so does a message to the tool server. */
const PLACES_OF_A_LIST = 3;
const RECORDS = 50;
const MAX_RECORDS = 200;
/**
 * A call that carries much keeps its place for longer, so that a few callers cannot fill a process with large lists. One caller that
 * reads the largest pages one after the other waits for less than two seconds each time.
 */
const BYTES_PER_MS = 4 * 1024;
/** The length of a request is only announced: a body that is refused must not keep its place for long. */
const MAX_KEPT_MS = LIST_MAX_BYTES / BYTES_PER_MS;
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
    // 'close' comes once. `once` would make two more functions.
    raw.on('close', () => giveBackAfter(giveBack, bytesOf(request.headers['content-length']) + bytesOf(reply.getHeader('content-length'))));
  }
}

function giveBackAfter(giveBack: GiveBack, bytes: number): void {
  const ms = Math.min(bytes / BYTES_PER_MS, MAX_KEPT_MS);
  if (ms < SHORT_MS) giveBack();
  else setTimeout(giveBack, ms).unref();
}

function placesOf({ ctx, method, routeOptions, query }: FastifyRequest): number {
  if (!ctx) return PLACES_OF_A_LIST;
  if (method !== 'GET' || endsWithParameter(routeOptions.url!)) return 1;
  const { page_size: pageSize, limit } = query as { page_size?: unknown; limit?: unknown };
  const records = Math.min(Number(pageSize ?? limit ?? RECORDS), MAX_RECORDS);
  return records > RECORDS ? PLACES_OF_A_LIST * Math.ceil(records / RECORDS) : PLACES_OF_A_LIST;
}

/** The route of one record ends with its id. */
const endsWithParameter = (route: string): boolean => route.charAt(route.lastIndexOf('/') + 1) === ':';

const bytesOf = (contentLength: unknown): number => Number(contentLength ?? 0);
