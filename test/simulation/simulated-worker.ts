import type { Log } from '../../src/kernel/log.js';
import type { Registry } from '../../src/api/operation/registry.js';
import { Settings } from '../../src/kernel/settings/settings.js';
import type { OrganizationService } from '../../src/modules/organization/index.js';
import { DeliveryProcessor } from '../../src/modules/webhooks/sending/delivery.processor.js';
import type { DueDeliveriesRepository } from '../../src/modules/webhooks/sending/due-deliveries.repository.js';
import { EventBodies } from '../../src/modules/webhooks/sending/event-bodies.js';
import type { EndpointSecrets } from '../../src/modules/webhooks/endpoints/endpoint-secrets.js';
import type { Sender } from '../../src/modules/webhooks/sending/sender.js';
import type { Database } from '../../src/store/database/database.js';
import type { DatabaseClock } from '../../src/store/database/database-clock.js';
import { type JobDeclaration, jobOf } from '../../src/store/jobs/job.decorator.js';
import { LocalWakeUps } from '../../src/store/jobs/wake-ups.js';
import type { EventMessage } from '../../src/modules/webhooks/signing/message.js';
import type { Deliveries } from './modelled-deliveries.js';
import { ModelledPool } from './modelled-pool.js';
import type { VirtualClock } from './virtual-clock.js';

/** How the service declares its job: what polls, and how often. */
const JOB = jobOf(Reflect.get(DeliveryProcessor.prototype, 'deliver')) as JobDeclaration;
const CONNECTIONS = 10;

const settings = Settings.from({ ROLE: 'worker', DATABASE_URL: 'postgres://simulated/claims', LOG_LEVEL: 'silent' });
/** Nothing is signed: that takes processor time, which is not simulated. */
const secrets = { keysOf: () => [], headersOf: () => ({}) } as unknown as EndpointSecrets;

export interface World {
  readonly clock: VirtualClock;
  readonly deliveries: Deliveries;
  readonly messageOf: (eventId: string) => EventMessage;
  readonly send: Sender['send'];
  /** A job that failed; it is tried again at its interval. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * A worker process: the service's own wake-ups, polls, timers, sessions, pace, retry schedule and share of memory, on a virtual clock.
 * The database is a model, and its connections, too.
 */
export class SimulatedWorker {
  private readonly wakeUps: LocalWakeUps;

  constructor(private readonly world: World) {
    const { clock, deliveries, messageOf, send, onFailure } = world;
    const pool = new ModelledPool(clock, CONNECTIONS);
    const rows = (_read: unknown, [eventIds]: [string[]]) => pool.use('bodies', () => eventIds.map(messageOf));
    const registry = { hidden: { any: undefined } } as unknown as Registry;
    const bodies = new EventBodies(settings, { rows } as unknown as Database, registry, {} as OrganizationService);
    const repository = { ...pool.over(deliveries), bodies } as unknown as DueDeliveriesRepository;
    this.wakeUps = new LocalWakeUps({ error: ({ err }: { err: unknown }) => onFailure(err) } as unknown as Log);
    const processor = new DeliveryProcessor(
      repository,
      { send } as unknown as Sender,
      secrets,
      this.wakeUps,
      settings,
      clock as unknown as DatabaseClock,
    );
    const run = (webhookId?: string) => processor.deliver(webhookId);
    this.wakeUps.register({ ...JOB, run });
    this.poll();
  }

  wake(webhookId: string): void {
    this.wakeUps.wake(JOB.id, webhookId);
  }

  private poll(): void {
    this.wakeUps.wakeLocally(JOB.id);
    this.world.clock.schedule(() => this.poll(), JOB.everyMs);
  }
}
