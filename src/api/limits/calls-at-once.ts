import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FairShare, halfOf, type GiveBack } from '../../kernel/fair-share.js';
import { LIST_MAX_BYTES } from '../../kernel/product.js';
import { Problem } from '../../kernel/problems.js';
import type { Principal } from '../access/principal.js';
import type { RegisteredOperation } from '../operation/operation.js';

/** As many small calls of an organization keep a process busy; with more, the calls of others would wait behind all of them. */
export const CALLS_AT_ONCE = 32;
/** A list takes as many for each 50 records that it asks for, and so does a message to the tool server. */
export const PLACES_OF_A_LIST = 3;
const RECORDS = 50;
const MAX_RECORDS = 200;
/** A large call keeps its place for longer, up to two seconds, so that a few callers cannot fill a process with large lists. */
const BYTES_PER_MS = 4 * 1024;
/** The length of a request is only announced: a body that is refused must not keep its place for long. */
const MAX_KEPT_MS = LIST_MAX_BYTES / BYTES_PER_MS;
/** A timer for every call would cost more than the small ones. */
const SHORT_MS = 50;
const PATIENCE = { capacity: Infinity, maxWaiting: 1000, maxWaitMs: 5000 };

export interface Arrival {
  readonly places: number;
  readonly request: Pick<FastifyRequest, 'raw' | 'headers'>;
  readonly reply: Pick<FastifyReply, 'raw' | 'getHeader'>;
}

/** How many calls of an organization are in progress at once. Further calls wait, before their bodies are read. */
@Injectable()
export class CallsAtOnce {
  private readonly calls = new FairShare({ what: 'Calls', share: CALLS_AT_ONCE, ...PATIENCE });

  /** Of each key or connection, however slow its bodies are. The others of its organization have the other half of the places. */
  private readonly arriving = new FairShare({
    what: 'Calls whose bodies are still arriving',
    owner: 'credential',
    share: halfOf(CALLS_AT_ONCE),
    ...PATIENCE,
  });

  /** Waits for the caller's turn. The call is in progress until its answer is out. */
  async enter({ id, organization }: Pick<Principal, 'id' | 'organization'>, { places, request, reply }: Arrival): Promise<void> {
    const { raw } = reply;
    if (!request.raw.complete) {
      const arrived = await this.arriving.take(id);
      requireCaller(raw, arrived);
      request.raw.once('end', arrived);
      raw.once('close', arrived);
    }
    const giveBack = this.calls.tryTake(organization.id, places) ?? (await this.calls.take(organization.id, places));
    requireCaller(raw, giveBack);
    // 'close' comes once. `once` would make two more functions.
    raw.on('close', () => giveBackAfter(giveBack, bytesOf(request.headers['content-length']) + bytesOf(reply.getHeader('content-length'))));
  }
}

function requireCaller({ closed }: FastifyReply['raw'], giveBack: GiveBack): void {
  if (!closed) return;
  giveBack();
  throw new Problem('bad_request', { detail: 'The caller hung up before the call began.' });
}

function giveBackAfter(giveBack: GiveBack, bytes: number): void {
  const ms = Math.min(bytes / BYTES_PER_MS, MAX_KEPT_MS);
  if (ms < SHORT_MS) giveBack();
  else setTimeout(giveBack, ms).unref();
}

/** How many places a call takes. `query` is as it was sent. */
export function placesOf(operation: Pick<RegisteredOperation, 'method' | 'path'>, query: Readonly<Record<string, unknown>>): number {
  // The path of one record ends with its id.
  if (operation.method !== 'GET' || operation.path.endsWith('}')) return 1;
  const records = Math.min(Number(query.page_size ?? query.limit ?? RECORDS), MAX_RECORDS);
  return records > RECORDS ? PLACES_OF_A_LIST * Math.ceil(records / RECORDS) : PLACES_OF_A_LIST;
}

const bytesOf = (contentLength: unknown): number => Number(contentLength ?? 0);
