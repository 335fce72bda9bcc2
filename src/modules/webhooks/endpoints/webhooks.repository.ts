import { Injectable } from '@nestjs/common';
import { type Environment, ENVIRONMENTS } from '../../../kernel/context.js';
import { asExpected, type ReadContext, type WriteContext } from '../../../store/database/unit-of-work.js';
import { Database, prepared } from '../../../store/database/database.js';
import { entityColumns, insertSql, selectList, valuesOf, withColumns } from '../../../store/database/sql.js';
import { Implements } from '../../../store/discovery/ports.js';
import { EncryptedColumns } from '../../../store/secrets/secrets.js';
import { RecordBounds } from '../../../store/tenant/record-bounds.js';
import { giveUpPending, type GiveUpReason } from '../deliveries/pending-deliveries.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { headersBoundTo, secretBoundTo } from '../signing/webhook-secret.js';

/** All columns but those that only the delivery worker writes. */
const SQL = withColumns(entityColumns(WebhookEndpoint), ({ isRead }) => isRead);

/** What an update writes: all but whose endpoint it is, which never changes. */
const CHANGED = withColumns(SQL, ({ property }) => !['id', 'organizationId'].includes(property));

const SELECT = `SELECT ${selectList(SQL)} FROM webhook_endpoints`;
const VISIBLE = 'organization_id = $1 AND environment = ANY ($2::text[])';
const VISIBLE_BY_ID = `${VISIBLE} AND id = $3`;

const LIST = prepared({ name: 'webhook_endpoints.all', text: `${SELECT} WHERE ${VISIBLE} ORDER BY id DESC` });
const GET = prepared({ name: 'webhook_endpoints.get', text: `${SELECT} WHERE ${VISIBLE_BY_ID}` });
const LOCK = prepared({ name: 'webhook_endpoints.lock', text: `${GET.text} FOR UPDATE` });
// Operators know an endpoint by its id alone, so this statement names no tenant.
const BY_ID = prepared({ name: 'webhook_endpoints.by_id', text: `${SELECT} WHERE id = $1` });
const INSERT = prepared({ name: 'webhook_endpoints.insert', text: insertSql(SQL) });
const UPDATE = prepared({
  name: 'webhook_endpoints.update',
  text: `UPDATE webhook_endpoints SET ${CHANGED.columns.map(({ column }, index) => `${column} = $${index + 4}`).join(', ')}
    WHERE ${VISIBLE_BY_ID}`,
});
const DELETE = prepared({ name: 'webhook_endpoints.delete', text: `DELETE FROM webhook_endpoints WHERE ${VISIBLE_BY_ID}` });

/** The first two parameters of every statement with VISIBLE. */
function visibleTo({ organizationId, environment }: ReadContext): [string, readonly Environment[]] {
  return [organizationId, environment === 'live' ? ENVIRONMENTS : [environment]];
}

/**
 * Webhook endpoints. Not a TenantRepository, which knows one environment: a live credential manages the endpoints of both
 * environments, a test credential those of the test environment.
 */
@Injectable()
@Implements(EncryptedColumns)
export class WebhooksRepository implements EncryptedColumns {
  readonly encrypted = [
    { column: 'secret', owner: secretBoundTo },
    { column: 'previous_secret', owner: secretBoundTo },
    { column: 'own_headers', owner: headersBoundTo },
  ].map((column) => ({ table: 'webhook_endpoints', key: ['id', 'organization_id'], ...column }));

  constructor(
    private readonly database: Database,
    private readonly bounds: RecordBounds,
  ) {}

  list(ctx: ReadContext): Promise<WebhookEndpoint[]> {
    return this.database.rows<WebhookEndpoint>(LIST, visibleTo(ctx), ctx.unit);
  }

  async get(ctx: ReadContext, id: string): Promise<WebhookEndpoint | undefined> {
    return (await this.database.rows<WebhookEndpoint>(GET, [...visibleTo(ctx), id], ctx.unit))[0];
  }

  async lock(ctx: WriteContext, id: string): Promise<WebhookEndpoint | undefined> {
    return asExpected(ctx, (await this.database.rows<WebhookEndpoint>(LOCK, [...visibleTo(ctx), id], ctx.unit))[0]);
  }

  async byId(id: string): Promise<WebhookEndpoint | undefined> {
    return (await this.database.rows<WebhookEndpoint>(BY_ID, [id]))[0];
  }

  async insert(ctx: WriteContext, endpoint: WebhookEndpoint): Promise<void> {
    const values = valuesOf(SQL, { ...endpoint, organizationId: ctx.organizationId });
    await this.bounded(ctx, endpoint, () => this.database.rows(INSERT, values, ctx.unit));
  }

  async update(ctx: WriteContext, endpoint: WebhookEndpoint): Promise<void> {
    await this.database.rows(UPDATE, [...visibleTo(ctx), endpoint.id, ...valuesOf(CHANGED, endpoint)], ctx.unit);
  }

  /** Writes an endpoint that comes from the other environment. */
  move(ctx: WriteContext, endpoint: WebhookEndpoint): Promise<void> {
    return this.bounded(ctx, endpoint, () => this.update(ctx, endpoint));
  }

  async delete(ctx: WriteContext, id: string): Promise<void> {
    await this.database.rows(DELETE, [...visibleTo(ctx), id], ctx.unit);
  }

  giveUpPending(ctx: WriteContext, id: string, reason: GiveUpReason, now: string): Promise<void> {
    return giveUpPending(this.database, ctx, id, reason, now);
  }

  private bounded<T>(ctx: WriteContext, { environment }: WebhookEndpoint, write: () => Promise<T>): Promise<T> {
    return this.bounds.create({ ...ctx, environment }, 'webhooks', write);
  }
}
