import { Injectable } from '@nestjs/common';
import type { WriteContext } from '../../../store/database/transaction.js';
import { Database, type Statement } from '../../../store/database/database.js';
import { newId } from '../../../kernel/ids.js';
import { TenantRepository } from '../../../store/tenant/tenant-repository.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';

// An operator names a delivery by its id alone; that of its endpoint then tells the tenant.
const BY_ID: Statement = {
  name: 'webhook_deliveries.by_id',
  text: 'SELECT id, organization_id AS "organizationId", environment, webhook_id AS "webhookId" FROM webhook_deliveries WHERE id = $1',
};
const AGAIN = `INSERT INTO webhook_deliveries (id, organization_id, environment, created_at, updated_at, webhook_id, event_id, event_kind, attempt, trigger, status, scheduled_at, request_id)`;
const REDELIVER: Statement = {
  name: 'webhook_deliveries.redeliver',
  text: `${AGAIN} SELECT $1, organization_id, environment, $2, $2, webhook_id, event_id, event_kind,
      (SELECT max(attempt) + 1 FROM webhook_deliveries earlier WHERE earlier.webhook_id = delivery.webhook_id AND earlier.event_id = delivery.event_id), 'manual', 'pending', $2, request_id
    FROM webhook_deliveries delivery WHERE id = $3 AND organization_id = $4 AND environment = $5 AND EXISTS (SELECT 1 FROM events WHERE events.id = delivery.event_id) RETURNING true AS made`,
};
const REPLAY: Statement = {
  name: 'webhook_deliveries.replay',
  // Ids (UUIDv7) of the time of the replay, which is in $7, in the order of the events: the number of each follows the time.
  text: `${AGAIN} SELECT (left($7, 14) || '7' || lpad(to_hex(number >> 12), 3, '0') || '-8' || lpad(to_hex(number & 4095), 3, '0') || '-' || right(gen_random_uuid()::text, 12))::uuid,
      organization_id, environment, $4, $4, $3, id, kind, attempt, 'manual', 'pending', $4, NULL
    FROM (
      SELECT event.*, 1 + coalesce(earlier.attempt, 0) AS attempt, row_number() OVER (ORDER BY event.id) AS number FROM events event
        LEFT JOIN (SELECT event_id, max(attempt) AS attempt, bool_or(status <> 'failed') AS is_done FROM webhook_deliveries WHERE webhook_id = $3 GROUP BY event_id) earlier ON earlier.event_id = event.id
      WHERE event.organization_id = $1 AND event.environment = $2 AND event.kind = ANY ($6::text[]) AND event.occurred_at >= $5 AND earlier.is_done IS NOT TRUE) missed
    RETURNING true AS made`,
};

/** The log of deliveries as a tenant reads it, and what is put into it by hand. */
@Injectable()
export class DeliveriesRepository extends TenantRepository<WebhookDelivery> {
  constructor(database: Database) {
    super(database, WebhookDelivery);
  }

  async byId(id: string): Promise<Pick<WebhookDelivery, 'id' | 'organizationId' | 'environment' | 'webhookId'> | undefined> {
    return (await this.database.rows<WebhookDelivery>(BY_ID, [id]))[0];
  }

  /** One more attempt of the same event to the same endpoint; false when the event is no longer kept. */
  async redeliver(ctx: WriteContext, id: string, newId: string, now: string): Promise<boolean> {
    return (await this.database.rows(REDELIVER, [newId, now, id, ctx.organizationId, ctx.environment], ctx.unit)).length > 0;
  }

  /** An attempt for every event since a time that the endpoint subscribes to and has not got, nor will; says how many. */
  async replay(ctx: WriteContext, { id, subscribedEvents }: WebhookEndpoint, since: string, now: string): Promise<number> {
    return (await this.database.rows(REPLAY, [ctx.organizationId, ctx.environment, id, now, since, subscribedEvents, newId()], ctx.unit))
      .length;
  }
}
