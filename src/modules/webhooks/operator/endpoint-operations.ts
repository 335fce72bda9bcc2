import { Injectable } from '@nestjs/common';
import { changeContext, type Actor } from '../../../kernel/context.js';
import { isUuid } from '../../../kernel/ids.js';
import { Problem } from '../../../kernel/problems.js';
import { UnitOfWork, type WriteContext } from '../../../store/database/unit-of-work.js';
import { WakeUps } from '../../../store/jobs/wake-ups.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { WebhooksRepository } from '../endpoints/webhooks.repository.js';
import { DELIVER_JOB } from '../sending/delivery.processor.js';

/** Endpoints as operators work on them: found by their id alone, and changed under their lock. */
@Injectable()
export class EndpointOperations {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly wakeUps: WakeUps,
  ) {}

  async get(id: string): Promise<WebhookEndpoint> {
    const endpoint = isUuid(id) ? await this.webhooks.byId(id) : undefined;
    return endpoint ?? notFound(`There is no webhook endpoint ${id}.`);
  }

  /** Changes the deliveries of an endpoint, and wakes a worker for it. */
  async change<T>(
    actor: Actor,
    { id, organizationId, environment }: WebhookEndpoint,
    write: (ctx: WriteContext) => Promise<T>,
  ): Promise<T> {
    const result = await this.unitOfWork.run({ ...changeContext(organizationId, actor, environment), environment }, async (ctx) => {
      // Results and retries are written under this lock as well, so an event never has two pending attempts.
      await this.webhooks.lock(ctx, id);
      return write(ctx);
    });
    this.wakeUps.wake(DELIVER_JOB, id);
    return result;
  }
}

export function notFound(detail: string): never {
  throw new Problem('not_found', { detail });
}
