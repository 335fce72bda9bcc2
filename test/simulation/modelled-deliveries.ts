import type { WebhookEndpoint } from '../../src/modules/webhooks/endpoints/webhook-endpoint.entity.js';
import type { DisabledReason } from '../../src/modules/webhooks/endpoints/webhooks.dto.js';
import type { DueDeliveriesRepository, DueDelivery } from '../../src/modules/webhooks/sending/due-deliveries.repository.js';
import { healthAfter } from '../../src/modules/webhooks/sending/endpoint-health.js';
import type { Clock } from '../../src/kernel/time.js';

/** What the statements of `DueDeliveriesRepository` do. A test holds both against each other. */
export type Deliveries = Omit<Pick<DueDeliveriesRepository, keyof DueDeliveriesRepository>, 'bodies'>;

/** A pending delivery of an endpoint. */
export interface Pending {
  readonly id: string;
  readonly eventId: string;
  readonly attempt: number;
  readonly scheduledAtMs: number;
}

export interface ModelledEndpoint {
  row: WebhookEndpoint;
  lease: string | null;
  leasedUntilMs: number;
  nextSendAtMs: number | null;
  /** By the time when they are due. */
  readonly pending: Pending[];
}

const BYTES = 1000;

/** The leases of endpoints and their due deliveries in memory: the model of the tables, without ordered endpoints. */
export class ModelledDeliveries implements Deliveries {
  readonly endpoints = new Map<string, ModelledEndpoint>();

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  add(row: WebhookEndpoint): void {
    this.endpoints.set(row.id, { row, lease: null, leasedUntilMs: 0, nextSendAtMs: null, pending: [] });
  }

  schedule(webhookId: string, delivery: Pending): void {
    const { pending } = this.endpoints.get(webhookId)!;
    pending.splice(placeOf(pending, delivery), 0, delivery);
  }

  acquire(id: string, lease: string, until: Date): Promise<WebhookEndpoint | undefined> {
    const endpoint = this.endpoints.get(id);
    if (endpoint?.row.status !== 'active' || !this.isFree(endpoint, this.nowMs)) return Promise.resolve(undefined);
    Object.assign(endpoint, { lease, leasedUntilMs: until.getTime() });
    return Promise.resolve(rowOf(endpoint));
  }

  renew({ id }: Pick<WebhookEndpoint, 'id'>, lease: string, until: Date): Promise<WebhookEndpoint | undefined> {
    const endpoint = this.heldBy(id, lease);
    if (endpoint?.row.status !== 'active') return Promise.resolve(undefined);
    endpoint.leasedUntilMs = until.getTime();
    return Promise.resolve(rowOf(endpoint));
  }

  release({ id }: Pick<WebhookEndpoint, 'id'>, lease: string): Promise<void> {
    const endpoint = this.heldBy(id, lease);
    if (endpoint) Object.assign(endpoint, { lease: null, leasedUntilMs: 0 });
    return Promise.resolve();
  }

  due({ id }: Pick<WebhookEndpoint, 'id'>, now: Date, known: readonly string[], limit: number): Promise<DueDelivery[]> {
    const { row, pending } = this.endpoints.get(id)!;
    const has = new Set(known);
    const due: DueDelivery[] = [];
    for (const { id: deliveryId, attempt, eventId, scheduledAtMs } of pending) {
      if (due.length === limit || scheduledAtMs > now.getTime()) break;
      if (!has.has(deliveryId)) due.push({ id: deliveryId, attempt, eventId, organizationId: row.organizationId, bytes: BYTES });
    }
    return Promise.resolve(due);
  }

  nextDueAt({ id }: Pick<WebhookEndpoint, 'id'>): Promise<Date | undefined> {
    const next = this.endpoints.get(id)!.pending[0];
    return Promise.resolve(next && new Date(next.scheduledAtMs));
  }

  endpointsDueBefore(time: Date): Promise<{ id: string; dueAt: Date }[]> {
    const due: { id: string; dueAt: Date }[] = [];
    for (const endpoint of this.endpoints.values()) {
      const [next] = endpoint.pending;
      if (endpoint.row.status !== 'active' || !next || next.scheduledAtMs > time.getTime()) continue;
      if (endpoint.lease !== null && endpoint.leasedUntilMs >= time.getTime()) continue;
      const dueAt = Math.max(next.scheduledAtMs, endpoint.lease === null ? 0 : endpoint.leasedUntilMs, endpoint.nextSendAtMs ?? 0);
      due.push({ id: endpoint.row.id, dueAt: new Date(dueAt) });
    }
    return Promise.resolve(due);
  }

  settle(...[{ id }, lease, held, results]: Parameters<Deliveries['settle']>): Promise<WebhookEndpoint | undefined> {
    const endpoint = this.heldBy(id, lease);
    if (!endpoint) return Promise.resolve(undefined);
    const { row, pending } = endpoint;
    endpoint.leasedUntilMs = held.until.getTime();
    endpoint.nextSendAtMs = held.nextSendAt?.getTime() ?? null;
    Object.assign(row, healthAfter(row, results));
    const taken = new Map(takeFrom(pending, new Set(results.map((result) => result.id))).map((delivery) => [delivery.id, delivery]));
    for (const { id: settledId, nextId, nextAttemptAt } of results) {
      const settled = taken.get(settledId);
      if (!settled || nextId === null || row.status !== 'active') continue;
      const { eventId, attempt } = settled;
      this.schedule(id, { id: nextId, eventId, attempt: attempt + 1, scheduledAtMs: Date.parse(nextAttemptAt!) });
    }
    return Promise.resolve(row.status === 'active' ? rowOf(endpoint) : undefined);
  }

  disable({ id }: WebhookEndpoint, lease: string, reason: DisabledReason): Promise<void> {
    const endpoint = this.heldBy(id, lease);
    if (endpoint) {
      Object.assign(endpoint.row, { status: 'disabled', disabledReason: reason });
      endpoint.pending.length = 0;
    }
    return Promise.resolve();
  }

  private get nowMs(): number {
    return this.clock.now().getTime();
  }

  private isFree({ lease, leasedUntilMs }: ModelledEndpoint, atMs: number): boolean {
    return lease === null || leasedUntilMs < atMs;
  }

  private heldBy(id: string, lease: string): ModelledEndpoint | undefined {
    const endpoint = this.endpoints.get(id);
    return endpoint?.lease === lease ? endpoint : undefined;
  }
}

const rowOf = ({ row, nextSendAtMs }: ModelledEndpoint): WebhookEndpoint => ({
  ...row,
  nextSendAt: nextSendAtMs === null ? null : new Date(nextSendAtMs).toISOString(),
});

/** Removes deliveries. They are near the beginning, and there may be hundreds of thousands: so the rest is moved only once. */
function takeFrom(pending: Pending[], ids: ReadonlySet<string>): Pending[] {
  const taken: Pending[] = [];
  const kept: Pending[] = [];
  let seen = 0;
  while (taken.length < ids.size && seen < pending.length) {
    const delivery = pending[seen]!;
    (ids.has(delivery.id) ? taken : kept).push(delivery);
    seen += 1;
  }
  pending.splice(0, seen, ...kept);
  return taken;
}

/** Where a delivery belongs among those that are ordered by time and id. */
function placeOf(pending: readonly Pending[], { scheduledAtMs, id }: Pending): number {
  let [low, high] = [0, pending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = pending[middle]!;
    if (other.scheduledAtMs < scheduledAtMs || (other.scheduledAtMs === scheduledAtMs && other.id < id)) low = middle + 1;
    else high = middle;
  }
  return low;
}
