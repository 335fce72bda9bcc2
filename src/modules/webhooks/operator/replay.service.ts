import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/context.js';
import { Problem } from '../../../kernel/problems.js';
import { Clock } from '../../../kernel/time.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { ReplaysRepository, type Missed, type MissedKind, type ReplayProgress } from '../deliveries/replays.repository.js';
import { EndpointOperations } from './endpoint-operations.js';

export type { MissedKind };

/** What an operator wants to have replayed; without kinds, all that the endpoint subscribes to. */
export interface WantedReplay {
  readonly webhookId: string;
  readonly since: string;
  readonly kinds?: readonly string[];
}

/** Everything that an endpoint has missed: events that it refused, and those from while it was disabled. */
@Injectable()
export class ReplayService {
  constructor(
    private readonly endpoints: EndpointOperations,
    private readonly replays: ReplaysRepository,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
  ) {}

  async preview(wanted: WantedReplay): Promise<MissedKind[]> {
    return this.replays.preview(await this.missed(wanted));
  }

  async start(actor: Actor, wanted: WantedReplay): Promise<{ replayId: string; deliveries: number }> {
    const missed = await this.missed(wanted);
    return this.endpoints.change(actor, missed.endpoint, async (ctx) => {
      const started = await this.replays.start(ctx, missed, this.clock.timestamp());
      const changes = {
        since: { from: null, to: wanted.since },
        ...(wanted.kinds && { kinds: { from: null, to: wanted.kinds } }),
        deliveries: { from: null, to: started.deliveries },
      };
      this.audit.record(ctx, { action: 'webhook.replayed', resourceId: wanted.webhookId, changes });
      return started;
    });
  }

  async progress(webhookId: string, replayId: string): Promise<ReplayProgress> {
    return this.replays.progress(await this.endpoints.get(webhookId), replayId);
  }

  /** Takes back all that replays of an endpoint have not sent yet; a worker may have some deliveries in hand already. Returns how many. */
  async stop(actor: Actor, webhookId: string): Promise<number> {
    const endpoint = await this.endpoints.get(webhookId);
    return this.endpoints.change(actor, endpoint, async (ctx) => {
      const deliveries = await this.replays.stop(ctx, webhookId, this.clock.timestamp());
      const changes = { deliveries: { from: deliveries, to: 0 } };
      if (deliveries > 0) this.audit.record(ctx, { action: 'webhook.replay_stopped', resourceId: webhookId, changes });
      return deliveries;
    });
  }

  private async missed({ webhookId, since, kinds }: WantedReplay): Promise<Missed> {
    const endpoint = await this.endpoints.get(webhookId);
    const unknown = kinds?.find((kind) => !endpoint.subscribedEvents.includes(kind));
    if (unknown !== undefined)
      throw new Problem('validation_failed', {
        detail: `The endpoint does not subscribe to ${unknown}, but to ${endpoint.subscribedEvents.join(', ')}.`,
      });
    return { endpoint, since, kinds: kinds ?? endpoint.subscribedEvents };
  }
}
