import { setTimeout as delay } from 'node:timers/promises';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { Problem } from '../../../kernel/problems.js';
import { findRun } from '../resources.js';
import { isUnderWay } from '../tools/call-tool.js';
import type { CallRest } from '../tools/tool.js';
import { INVALID_REQUEST, McpRefusal } from './mcp-refusal.js';

/** Of an organization in one process: each holds places among its calls in progress. */
const STREAMS_MAX = 4;
const RUNS_MAX = 20;
const LOOKS_EVERY_MS = 2_000;
/** Then the client asks again, with a credential that is still good. */
const LASTS_MS = 300_000;

/** The resources that a client wants to hear of; undefined of what wants nothing, which the SDK answers. */
export function listenedIn(body: unknown): readonly string[] | undefined {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { notifications?: { resourceSubscriptions?: unknown } } };
  const uris = params?.notifications?.resourceSubscriptions;
  if (method !== 'subscriptions/listen' || !Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string')) return undefined;
  return uris.length === 0 ? undefined : [...new Set(uris)];
}

/** Streams that tell of changes of runs. Each has a handler of its own: what one hears of, no other does. */
export class Listening {
  private readonly open = new Map<McpHttpHandler, string>();

  /** Refuses what the client may not read, before anything is sent. `serve` goes on until the stream has ended. */
  async serve(
    uris: readonly string[],
    { organizationId, callRest }: { readonly organizationId: string; readonly callRest: CallRest },
    handler: McpHttpHandler,
    serve: () => Promise<void>,
  ): Promise<void> {
    if (uris.length > RUNS_MAX) {
      const message = `A stream tells of at most ${RUNS_MAX} resources.`;
      throw new McpRefusal({ status: 400, code: 'too_many', message, rpcCode: INVALID_REQUEST });
    }
    if ([...this.open.values()].filter((owner) => owner === organizationId).length >= STREAMS_MAX)
      throw new Problem('rate_limited', {
        detail: `${STREAMS_MAX} streams of the organization are open already.`,
        headers: { 'Retry-After': '60' },
      });
    this.open.set(handler, organizationId);
    const gone = new AbortController();
    try {
      const runs = await readStates(uris, callRest);
      void this.watch(uris, runs, { callRest, handler, signal: gone.signal });
      await serve();
    } finally {
      gone.abort();
      this.open.delete(handler);
      await handler.close();
    }
  }

  /** When the process stops: clients are told, and ask another one. */
  async end(): Promise<void> {
    await Promise.all([...this.open.keys()].map((handler) => handler.close()));
  }

  private async watch(
    uris: readonly string[],
    before: readonly RunState[],
    { callRest, handler, signal }: { readonly callRest: CallRest; readonly handler: McpHttpHandler; readonly signal: AbortSignal },
  ): Promise<void> {
    let known = before;
    // Also of runs that have ended: the stream opens first.
    for (const end = Date.now() + LASTS_MS; Date.now() < end;) {
      await delay(LOOKS_EVERY_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const found = await readStates(uris, callRest).catch(() => undefined);
      // It may not be read any more.
      if (!found) break;
      for (const [index, uri] of uris.entries()) if (found[index]!.state !== known[index]!.state) handler.notify.resourceUpdated(uri);
      known = found;
      if (!known.some(({ goesOn }) => goesOn)) break;
    }
    await handler.close();
  }
}

interface RunState {
  readonly state: string;
  readonly goesOn: boolean;
}

/** One after the other: a stream is in no hurry. */
async function readStates(uris: readonly string[], callRest: CallRest): Promise<RunState[]> {
  const states: RunState[] = [];
  for (const uri of uris) {
    const answer = await findRun(uri, callRest);
    const { status, updatedAt, progress } = (answer.record ?? answer.body) as Readonly<Record<string, unknown>>;
    states.push({ state: JSON.stringify([status, updatedAt, progress]), goesOn: isUnderWay(answer) });
  }
  return states;
}
