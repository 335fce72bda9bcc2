import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../kernel/time.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { newId } from '../../../kernel/ids.js';
import { WakeUps } from '../../../store/jobs/wake-ups.js';
import { Job } from '../../../store/jobs/job.decorator.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { secretBoundTo, signingKey, type SigningKey } from '../signing/webhook-secret.js';
import { DueDeliveriesRepository } from './due-deliveries.repository.js';
import { EndpointSession } from './endpoint-session.js';
import { Sender } from './sender.js';

/** Woken with the id of an endpoint it delivers to that endpoint, without one to all that have due deliveries. */
export const DELIVER_JOB = 'webhooks.deliver';

/** How often the worker polls for due deliveries: retries, and deliveries whose wake-up was lost. */
const POLL_INTERVAL_MS = 5000;

/** How long a worker holds an endpoint: longer than any request may take. If the worker dies, another takes over after this. */
const leaseMsOf = ({ webhookTimeoutMs }: Settings): number => Math.max(5000, 2 * webhookTimeoutMs);

/**
 * Sends pending deliveries. One worker at a time delivers to an endpoint, and every endpoint has a session of its own, so that an
 * endpoint that hangs or fails does not delay the others.
 */
@Injectable()
export class DeliveryProcessor implements OnModuleDestroy {
  private isStopping = false;

  constructor(
    private readonly dueDeliveries: DueDeliveriesRepository,
    private readonly sender: Sender,
    private readonly secrets: Secrets,
    private readonly wakeUps: WakeUps,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Sessions finish the requests they have sent and start no more. What is still due waits for another worker or the next start. */
  onModuleDestroy(): void {
    this.isStopping = true;
  }

  @Job({ id: DELIVER_JOB, summary: 'Sends due deliveries to webhook endpoints.', everyMs: POLL_INTERVAL_MS })
  async deliver(webhookId?: string): Promise<void> {
    if (webhookId !== undefined) return this.deliverTo(webhookId);
    const webhookIds = await this.dueDeliveries.endpointsWithDueDeliveries(this.clock.now());
    for (const id of webhookIds) this.wakeUps.wakeLocally(DELIVER_JOB, id);
  }

  private async deliverTo(webhookId: string): Promise<void> {
    const lease = newId();
    const leaseMs = leaseMsOf(this.settings);
    const endpoint = await this.dueDeliveries.acquire(webhookId, lease, new Date(this.clock.now().getTime() + leaseMs));
    if (!endpoint) return;
    const session = new EndpointSession(endpoint, lease, {
      dueDeliveries: this.dueDeliveries,
      sender: this.sender,
      now: () => this.clock.now(),
      keysOf: (current) => this.keysOf(current),
      retrySchedule: this.settings.webhookRetrySchedule,
      concurrency: this.settings.webhookMaxConcurrency,
      leaseMs,
      isStopping: () => this.isStopping,
    });
    await session.run().finally(() => this.dueDeliveries.release(webhookId, lease));
    await this.wakeWhenNextIsDue(endpoint);
  }

  /** For retries that are due before the next poll, and for deliveries that were written while the endpoint was still held. */
  private async wakeWhenNextIsDue(endpoint: WebhookEndpoint): Promise<void> {
    const next = await this.dueDeliveries.nextDueAt(endpoint);
    const waitMs = next ? Math.max(0, next.getTime() - this.clock.now().getTime()) : Infinity;
    if (waitMs < POLL_INTERVAL_MS) setTimeout(() => this.wakeUps.wakeLocally(DELIVER_JOB, endpoint.id), waitMs).unref();
  }

  /** The current secret, and the previous one until it expires. */
  private keysOf({ id, secret, previousSecret, previousSecretExpiresAt }: WebhookEndpoint): SigningKey[] {
    const decrypt = (stored: Buffer) => this.secrets.decrypt(stored, secretBoundTo(id));
    const current = signingKey(decrypt(secret));
    if (previousSecret === null || previousSecretExpiresAt === null) return [current];
    const expiresAt = new Date(previousSecretExpiresAt);
    // Its encryption key may be gone by then, so an expired secret is not decrypted.
    return this.clock.now() < expiresAt ? [current, signingKey(decrypt(previousSecret), expiresAt)] : [current];
  }
}
