import { CONNECTION_TIMEOUT_MS } from '../../src/store/database/connection-options.js';
import { Problem } from '../../src/kernel/problems.js';
import type { Deliveries } from './modelled-deliveries.js';
import type { VirtualClock } from './virtual-clock.js';

/** How long a statement holds a connection, in milliseconds: estimates, on the high side. */
const TAKES_MS: Record<keyof Deliveries | 'bodies', number> = {
  acquire: 2,
  renew: 2,
  release: 2,
  due: 2,
  nextDueAt: 1,
  endpointsDueBefore: 100,
  settle: 3,
  disable: 5,
  bodies: 1,
};

/** The connections of a process to the database: statements wait for one of them, and not for longer than the service does. */
export class ModelledPool {
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly clock: VirtualClock,
    private free: number,
  ) {}

  async use<T>(name: keyof typeof TAKES_MS, statement: () => T | Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await this.turn();
    await this.clock.pause(TAKES_MS[name]);
    try {
      return await statement();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }

  /** The same deliveries, asked over these connections. */
  over(deliveries: Deliveries): Deliveries {
    return {
      acquire: (...given) => this.use('acquire', () => deliveries.acquire(...given)),
      renew: (...given) => this.use('renew', () => deliveries.renew(...given)),
      release: (...given) => this.use('release', () => deliveries.release(...given)),
      due: (...given) => this.use('due', () => deliveries.due(...given)),
      nextDueAt: (...given) => this.use('nextDueAt', () => deliveries.nextDueAt(...given)),
      endpointsDueBefore: (...given) => this.use('endpointsDueBefore', () => deliveries.endpointsDueBefore(...given)),
      settle: (...given) => this.use('settle', () => deliveries.settle(...given)),
      disable: (...given) => this.use('disable', () => deliveries.disable(...given)),
    };
  }

  private turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = (): void => (cancel(), resolve());
      const cancel = this.clock.schedule(() => {
        this.waiting.splice(this.waiting.indexOf(start), 1);
        reject(new Problem('unavailable'));
      }, CONNECTION_TIMEOUT_MS);
      this.waiting.push(start);
    });
  }
}
