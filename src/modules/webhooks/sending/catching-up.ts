import { Injectable } from '@nestjs/common';
import { Settings } from '../../../kernel/settings/settings.js';
import { Database } from '../../../store/database/database.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import { Job } from '../../../store/jobs/job.decorator.js';
import { acrossTenants } from '../../../store/tenant/tenant-sql.js';
import { ReplayService } from '../deliveries/replays.service.js';
import { isDeliveredToSql } from '../endpoints/endpoint-rules.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { DELIVERY_WORKER } from './due-deliveries.repository.js';
import { CATCH_UP_JOB } from './endpoint-health.js';

const CHECK_INTERVAL_MS = 60_000;

const behindStatement = (plans: Settings['plans']) =>
  acrossTenants(
    'webhook_endpoints.behind',
    'A worker finds the endpoints of all tenants that work again.',
    `SELECT id, organization_id AS "organizationId", environment FROM webhook_endpoints
    WHERE catch_up_since IS NOT NULL AND status = 'active' AND ${isDeliveredToSql('organization_id', plans)} ORDER BY catch_up_since`,
  );

/** An endpoint that works again gets what it has missed. That it is to is written with its success, so a lost worker loses nothing. */
@Injectable()
export class CatchingUp {
  private readonly behind: ReturnType<typeof behindStatement>;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly replays: ReplayService,
    { plans }: Settings,
  ) {
    this.behind = behindStatement(plans);
  }

  @Job({ id: CATCH_UP_JOB, summary: 'Sends webhook endpoints that work again what they have missed.', everyMs: CHECK_INTERVAL_MS })
  async catchUp(): Promise<void> {
    // Asked together with what other jobs ask: mostly there is none.
    const behind = await this.database.shortRead<WebhookEndpoint>(...this.behind.bind());
    let failure: Error | undefined;
    for (const endpoint of behind) {
      try {
        while (await this.unitOfWork.runAs(DELIVERY_WORKER, endpoint, (ctx) => this.replays.catchUp(ctx, endpoint.id)));
      } catch (error) {
        // One that takes too long keeps none of the others waiting.
        failure ??= error as Error;
      }
    }
    if (failure) throw failure;
  }
}
