import type pg from 'pg';
import { awaitedOn, cutOff } from './borrowed.js';

/** Longer than the server's own timeouts: it applies when the server does not answer at all. */
const ANSWERED_WITHIN_MS = 35_000;
const LOOKED_AT_EVERY_MS = 5000;

interface Awaited {
  readonly statement: object;
  readonly since: number;
}

/**
 * Ends connections whose server does not answer, as when a firewall has forgotten them. What was asked on them fails. Looked for every few
 * seconds: a timer for each statement would cost more than many statements do.
 */
export class UnansweredConnections {
  private readonly timer: NodeJS.Timeout;
  private awaited = new Map<pg.PoolClient, Awaited>();

  constructor(
    private readonly connections: ReadonlySet<pg.PoolClient>,
    private readonly answeredWithinMs = ANSWERED_WITHIN_MS,
    everyMs = LOOKED_AT_EVERY_MS,
  ) {
    this.timer = setInterval(() => this.look(), everyMs).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    const [before, now] = [this.awaited, performance.now()];
    this.awaited = new Map();
    for (const client of this.connections) {
      const statement = awaitedOn(client);
      if (!statement) continue;
      const known = before.get(client);
      const awaited = known?.statement === statement ? known : { statement, since: now };
      if (now - awaited.since > this.answeredWithinMs) cutOff(client);
      else this.awaited.set(client, awaited);
    }
  }
}
