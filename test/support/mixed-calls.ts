import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '../../src/kernel/ids.js';
import type { Answer, Client } from './client.js';
import { REPORTS } from './reports.js';
import { UNANSWERED } from './writers.js';

const LOOKED_AT_EVERY_MS = 5;
/** How long a run is not asked for again after a refusal. */
const REPEAT_AFTER_MS = 500;
/** As the service level says. */
const SLOW_MS = 500;
const TOOL_HEADERS = { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-11-25' };

/** Reads, calls of tools and runs at a steady rate, whether or not those before were answered. */
export class MixedCalls {
  /** How many calls had which status. */
  readonly statuses = new Map<number, number>();
  /** Reads, and those of them that took longer than half a second. */
  reads = 0;
  slowReads = 0;
  /** The ids of runs whose creation was acknowledged. */
  readonly runs: string[] = [];
  private readonly open = new Set<Promise<void>>();
  private isStopped = false;
  private readonly running: Promise<void>;

  constructor(
    private readonly api: Client,
    perSecond: { readonly reads: number; readonly tools: number; readonly runs: number },
  ) {
    const kinds = [
      { every: 1000 / perSecond.reads, call: () => this.read() },
      { every: 1000 / perSecond.tools, call: () => this.useTool() },
      { every: 1000 / perSecond.runs, call: () => this.run() },
    ];
    this.running = this.begin(kinds.map((kind) => ({ ...kind, nextAt: performance.now() })));
  }

  /** Returns once all calls were answered. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
    await Promise.all(this.open);
  }

  private async begin(kinds: { readonly every: number; readonly call: () => Promise<void>; nextAt: number }[]): Promise<void> {
    for (; !this.isStopped; await delay(LOOKED_AT_EVERY_MS))
      for (const kind of kinds)
        for (; kind.nextAt < performance.now(); kind.nextAt += kind.every) {
          const call: Promise<void> = kind.call().finally(() => this.open.delete(call));
          this.open.add(call);
        }
  }

  private async counted(call: Promise<Answer>): Promise<Answer | undefined> {
    const answer = await call.catch(() => undefined);
    const status = answer?.status ?? UNANSWERED;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    return answer;
  }

  private async read(): Promise<void> {
    const paths = ['/v1/claim-projects?page_size=20', '/v1/expense-categories', '/v1/events', '/v1/webhooks', REPORTS];
    const since = performance.now();
    await this.counted(this.api.get(paths[Math.floor(Math.random() * paths.length)]!));
    this.reads += 1;
    if (performance.now() - since > SLOW_MS) this.slowReads += 1;
  }

  private async useTool(): Promise<void> {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_claim_projects', arguments: {} } };
    await this.counted(this.api.post('/mcp', message, TOOL_HEADERS));
  }

  /** Repeated with its key until it is acknowledged. */
  private async run(): Promise<void> {
    for (const key = newId(); ; await delay(REPEAT_AFTER_MS)) {
      const answer = await this.counted(this.api.post(REPORTS, {}, { 'Idempotency-Key': key }));
      if (answer?.status === 201) return void this.runs.push((answer.body as { id: string }).id);
    }
  }
}
