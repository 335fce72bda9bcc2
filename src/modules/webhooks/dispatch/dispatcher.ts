import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { newId } from '../../../kernel/ids.js';
import { WakeUps } from '../../../store/jobs/wake-ups.js';
import { Job } from '../../../store/jobs/job.decorator.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import type { WebhookEndpoint } from '../webhook-endpoint.entity.js';
import { secretPlace } from '../webhook-secret.js';
import { DispatchRepository } from './dispatch.repository.js';
import { DRAIN } from './drain-job.js';
import { EndpointDrain } from './endpoint-drain.js';
import { Sender } from './sender.js';

/** How often it is looked for what is due: retries, and what no wake-up told of. */
const EVERY_MS = 5000;

/** Of an endpoint whose worker has died nobody knows; twice as long as any request takes is long enough to be sure. */
const leaseMsOf = ({ webhookTimeoutMs }: Settings): number => Math.max(5000, 2 * webhookTimeoutMs);

/**
 * Delivers what stands in the delivery log as pending. One worker at a time delivers to an endpoint, and each endpoint has a
 * run of its own: whoever hangs or fails costs the others nothing.
 */
@Injectable()
export class Dispatcher implements OnModuleDestroy {
  private isStopping = false;

  constructor(
    private readonly dispatch: DispatchRepository,
    private readonly sender: Sender,
    private readonly secrets: Secrets,
    private readonly wakeUps: WakeUps,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** A drain ends with what is under way, however much is still due: another worker, or the next start, goes on with it. */
  onModuleDestroy(): void {
    this.isStopping = true;
  }

  @Job({ id: DRAIN, summary: 'Delivers events to the webhook endpoints that they are due for.', everyMs: EVERY_MS })
  async drain(webhookId?: string): Promise<void> {
    if (webhookId !== undefined) return this.drainEndpoint(webhookId);
    for (const id of await this.dispatch.waiting(this.clock.now())) this.wakeUps.wakeLocally(DRAIN, id);
  }

  private async drainEndpoint(id: string): Promise<void> {
    const lease = newId();
    const leaseMs = leaseMsOf(this.settings);
    const endpoint = await this.dispatch.acquire(id, lease, new Date(this.clock.now().getTime() + leaseMs));
    if (!endpoint) return;
    const { webhookRetrySchedule: schedule, webhookMaxConcurrency: concurrency } = this.settings;
    const now = () => this.clock.now();
    const secretsOf = (found: WebhookEndpoint, at: Date) => this.secretsOf(found, at);
    const isStopping = () => this.isStopping;
    const drain = new EndpointDrain(endpoint, lease, {
      dispatch: this.dispatch,
      sender: this.sender,
      now,
      secretsOf,
      schedule,
      concurrency,
      leaseMs,
      isStopping,
    });
    await drain.run().finally(() => this.dispatch.release(id, lease));
    await this.comeBack(endpoint);
  }

  /** For a retry that is due soon; and for what came between the last look and the release, which found the endpoint taken. */
  private async comeBack(endpoint: WebhookEndpoint): Promise<void> {
    const next = await this.dispatch.nextDue(endpoint);
    const waitMs = next ? Math.max(0, next.getTime() - this.clock.now().getTime()) : Infinity;
    if (waitMs < EVERY_MS) setTimeout(() => this.wakeUps.wakeLocally(DRAIN, endpoint.id), waitMs).unref();
  }

  /** The secret, and for a while after a rotation the one before it. */
  private secretsOf({ id, secret, previousSecret, previousSecretExpiresAt }: WebhookEndpoint, at: Date): string[] {
    const isOverlap = previousSecret !== null && previousSecretExpiresAt !== null && at < new Date(previousSecretExpiresAt);
    return [secret, ...(isOverlap ? [previousSecret] : [])].map((stored) => this.secrets.decrypt(stored, secretPlace(id)));
  }
}
