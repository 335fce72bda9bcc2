import { newId } from '../../src/kernel/ids.js';
import type { WebhookEndpoint } from '../../src/modules/webhooks/endpoints/webhook-endpoint.entity.js';
import type { EventMessage } from '../../src/modules/webhooks/signing/message.js';
import type { Outcome, Outgoing } from '../../src/modules/webhooks/sending/sender.js';
import { ModelledDeliveries } from './modelled-deliveries.js';
import { SimulatedWorker, type World } from './simulated-worker.js';
import { VirtualClock } from './virtual-clock.js';

const HOUR_MS = 3_600_000;
/** From the commit of an event until a worker has the wake-up, through Redis. */
const WAKE_UP_MS = 3;
const TIMEOUT_MS = 15_000;
/** A receiver that works takes this long to answer. */
const ANSWERS_MS = { from: 20, to: 200 };
/** What one organization has of all events; the others have equal parts of the rest. */
const SHARE_OF_THE_LARGEST = 0.2;

export interface Size {
  readonly organizations: number;
  readonly deliveriesPerHour: number;
  readonly workers: number;
  readonly seed: number;
}

/** A delivery of an event: when it was made, and when it was first sent. */
interface Made {
  readonly endpoint: number;
  readonly atMs: number;
  /** Nothing else was pending for its endpoint: if it waits, others are to blame. */
  readonly isAlone: boolean;
  sentAtMs?: number;
}

/** Organizations with an endpoint each, whose events come at random, and workers that deliver them. */
export class Simulation {
  readonly clock = new VirtualClock(new Date('2026-01-01T00:00:00Z'));
  /** Indexes of endpoints whose receivers take requests and never answer. */
  readonly silent = new Set<number>();
  readonly made = new Map<string, Made>();
  /** Requests by second, of all endpoints and by who is asked. */
  readonly sent: { readonly atMs: number; readonly endpoint: number }[] = [];
  failures = 0;
  private readonly deliveries = new ModelledDeliveries(this.clock);
  private readonly ids: string[] = [];
  private readonly indexes = new Map<string, number>();
  private readonly workers: SimulatedWorker[] = [];
  private readonly startMs = this.clock.elapsedMs();
  private turn = 0;
  private isComing = true;

  constructor(
    private readonly size: Size,
    private readonly random = seeded(size.seed),
  ) {
    for (let index = 0; index < size.organizations; index += 1) {
      const id = newId();
      this.ids.push(id);
      this.indexes.set(id, index);
      this.deliveries.add(anEndpoint(id));
    }
    this.nextEvent();
  }

  startWorkers(): void {
    const world: World = {
      clock: this.clock,
      deliveries: this.deliveries,
      messageOf: (eventId) => this.messageOf(eventId),
      send: (outgoing) => this.send(outgoing),
      onFailure: () => (this.failures += 1),
    };
    for (let count = 0; count < this.size.workers; count += 1) this.workers.push(new SimulatedWorker(world));
  }

  /** Seconds since the beginning. */
  get now(): number {
    return (this.clock.elapsedMs() - this.startMs) / 1000;
  }

  seconds(count: number): Promise<void> {
    return this.clock.pass(count * 1000);
  }

  /** No more events come. */
  endEvents(): void {
    this.isComing = false;
  }

  /** Many events of one organization at once, as after an import. */
  burst(endpoint: number, count: number): void {
    for (let index = 0; index < count; index += 1) this.addEvent(endpoint);
  }

  get pending(): number {
    let pending = 0;
    for (const endpoint of this.deliveries.endpoints.values()) pending += endpoint.pending.length;
    return pending;
  }

  /** How many endpoints have a delivery that has been due for more than a second, without the largest. */
  get late(): number {
    const before = this.clock.elapsedMs() - 1000;
    const [, ...others] = this.deliveries.endpoints.values();
    return others.filter(({ pending: [next] }) => next !== undefined && next.scheduledAtMs < before).length;
  }

  get pendingOfTheLargest(): number {
    return this.deliveries.endpoints.get(this.ids[0]!)!.pending.length;
  }

  /** How long deliveries waited for their first attempt while nothing else was pending for their endpoint, sorted. */
  waits(from: number, to: number, isCounted: (made: Made) => boolean = () => true): number[] {
    const [fromMs, toMs] = [this.startMs + from * 1000, this.startMs + to * 1000];
    const now = this.clock.elapsedMs();
    return [...this.made.values()]
      .filter((made) => made.isAlone && made.atMs >= fromMs && made.atMs < toMs && isCounted(made))
      .map(({ atMs, sentAtMs }) => (sentAtMs ?? now) - atMs)
      .sort((a, b) => a - b);
  }

  /** The most requests in a second. */
  busiestSecond(from: number, to: number, isCounted: (endpoint: number) => boolean = () => true): number {
    const counts = new Map<number, number>();
    for (const { atMs, endpoint } of this.sent) {
      const second = Math.floor((atMs - this.startMs) / 1000);
      if (second >= from && second < to && isCounted(endpoint)) counts.set(second, (counts.get(second) ?? 0) + 1);
    }
    return Math.max(0, ...counts.values());
  }

  private nextEvent(): void {
    const meanMs = HOUR_MS / this.size.deliveriesPerHour;
    let atMs = -Math.log(1 - this.random()) * meanMs;
    // Those of the same millisecond at once.
    let count = 1;
    for (let next = 0; atMs + next < 1; count += 1) atMs += next = -Math.log(1 - this.random()) * meanMs;
    this.clock.schedule(() => {
      if (!this.isComing) return;
      for (let index = 0; index < count; index += 1) {
        const isLargest = this.random() < SHARE_OF_THE_LARGEST;
        this.addEvent(isLargest ? 0 : 1 + Math.floor(this.random() * (this.size.organizations - 1)));
      }
      this.nextEvent();
    }, atMs);
  }

  private addEvent(endpoint: number): void {
    const [webhookId, eventId] = [this.ids[endpoint]!, newId()];
    const atMs = this.clock.elapsedMs();
    const isAlone = this.deliveries.endpoints.get(webhookId)!.pending.length === 0;
    this.made.set(eventId, { endpoint, atMs, isAlone });
    this.deliveries.schedule(webhookId, { id: newId(), eventId, attempt: 1, scheduledAtMs: atMs });
    if (this.workers.length === 0) return;
    const worker = this.workers[(this.turn += 1) % this.workers.length]!;
    this.clock.schedule(() => worker.wake(webhookId), WAKE_UP_MS);
  }

  private messageOf(eventId: string): EventMessage {
    const organizationId = this.ids[this.made.get(eventId)!.endpoint]!;
    const common = { eventId, organizationId, environment: 'test' as const, kind: 'claim_project.created', changedFields: null };
    return { ...common, occurredAt: '2026-01-01T00:00:00.000Z', resourceId: organizationId, data: '{}' };
  }

  private async send({ headers }: Outgoing): Promise<Outcome> {
    const made = this.made.get(headers['webhook-id']!)!;
    const { endpoint } = made;
    const atMs = this.clock.elapsedMs();
    made.sentAtMs ??= atMs;
    this.sent.push({ atMs, endpoint });
    if (this.silent.has(endpoint)) {
      await this.clock.pause(TIMEOUT_MS);
      return { status: null, errorCode: 'timeout', durationMs: TIMEOUT_MS };
    }
    const durationMs = Math.round(ANSWERS_MS.from + this.random() * (ANSWERS_MS.to - ANSWERS_MS.from));
    await this.clock.pause(durationMs);
    return { status: 200, errorCode: null, durationMs };
  }
}

/** The organization of an endpoint has its id, too. */
function anEndpoint(id: string): WebhookEndpoint {
  const row = { id, organizationId: id, environment: 'test', status: 'active', rateLimit: null, ordered: false, payload: 'full' };
  return { ...row, targetUrl: 'https://simulated.example', headerNames: [], failingSince: null, failures: 0 } as unknown as WebhookEndpoint;
}

/** Pseudo-random numbers from 0 to 1 (mulberry32): the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
