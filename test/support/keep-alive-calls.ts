import { Agent, request } from 'node:http';
import { newId } from '../../src/kernel/ids.js';

export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls on connections that stay open, as those of clients and balancers do, at a steady rate. */
export class KeepAliveCalls {
  /** The status of each, or why there was none. */
  private readonly outcomes: Promise<string>[] = [];
  private readonly agent = new Agent({ keepAlive: true });
  private readonly calling: NodeJS.Timeout;

  constructor(
    private readonly url: string,
    private readonly key: string,
    { perSecond, next }: { perSecond: number; next: (index: number) => Call },
  ) {
    this.calling = setInterval(() => this.outcomes.push(this.send(next(this.outcomes.length))), 1000 / perSecond);
  }

  get made(): number {
    return this.outcomes.length;
  }

  /** How many ended in which way, once all have. */
  async stop(): Promise<Readonly<Record<string, number>>> {
    clearInterval(this.calling);
    const counts: Record<string, number> = {};
    for (const outcome of await Promise.all(this.outcomes)) counts[outcome] = (counts[outcome] ?? 0) + 1;
    this.agent.destroy();
    return counts;
  }

  /**
   * A process may close a connection in the moment in which a call is sent on it. Clients and balancers know that from it having been used
   * before, and send the call again.
   */
  private send(call: Call, id = newId()): Promise<string> {
    const { method, path, body } = call;
    const ofWrites = method === 'POST' && { 'Idempotency-Key': id, 'Content-Type': 'application/json' };
    const headers = { 'X-API-Key': this.key, ...ofWrites, ...call.headers };
    return new Promise((resolve) => {
      const sent = request(`${this.url}${path}`, { method, headers, agent: this.agent }, (answer) => {
        answer.resume().on('end', () => resolve(`${method} ${answer.statusCode}`));
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        const isClosed = sent.reusedSocket && error.code === 'ECONNRESET';
        resolve(isClosed ? this.send(call, id) : error.message);
      });
      sent.end(body && JSON.stringify(body));
    });
  }
}
