import { ENVIRONMENTS } from '../../../kernel/context.js';
import { asExpected, type ReadContext, type WriteContext } from '../../../store/database/unit-of-work.js';
import { Database } from '../../../store/database/database.js';
import { entityColumns, namedInsertSql, namedValuesOf, selectList, withColumns } from '../../../store/database/sql.js';
import { Implements } from '../../../store/discovery/ports.js';
import { EncryptedColumns } from '../../../store/secrets/secrets.js';
import { RecordBounds } from '../../../store/tenant/record-bounds.js';
import { acrossTenants, ORGANIZATION, organizationSql } from '../../../store/tenant/tenant-sql.js';
import { giveUpPending } from '../deliveries/pending-deliveries.js';
import type { GiveUpReason } from '../deliveries/webhook-delivery.dto.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { headersBoundTo, secretBoundTo } from '../signing/webhook-secret.js';

const VISIBLE = `${ORGANIZATION} AND environment = ANY (:environments::text[])
    AND (:projects::text[] IS NULL OR project_ids <@ :projects)`;
const VISIBLE_BY_ID = `${VISIBLE} AND id = :id`;
const DELETE = organizationSql('webhook_endpoints.delete', `DELETE FROM webhook_endpoints WHERE ${VISIBLE_BY_ID}`);
/** One may also be moved to the other environment. */
const RECORDS = { name: 'webhooks', noun: 'webhook endpoints', table: 'webhook_endpoints', canShrink: true } as const;

/** What every statement with VISIBLE is given. */
const visibleTo = ({ environment, projects }: ReadContext) => ({
  environments: environment === 'live' ? ENVIRONMENTS : [environment],
  projects: projects ?? null,
});

/** Made with the repository: by then extensions have declared their fields. */
function statements() {
  /** All columns but those that only the delivery worker writes. */
  const written = withColumns(entityColumns(WebhookEndpoint), ({ isRead }) => isRead);
  /** What an update writes: all but whose endpoint it is, which never changes. */
  const changed = withColumns(written, ({ property }) => !['id', 'organizationId'].includes(property));
  const assignments = changed.columns.map(({ column, property }) => `${column} = :${property}`).join(', ');
  const select = `SELECT ${selectList(written)} FROM webhook_endpoints`;
  return {
    written,
    changed,
    list: organizationSql('webhook_endpoints.all', `${select} WHERE ${VISIBLE} ORDER BY id DESC`),
    get: organizationSql('webhook_endpoints.get', `${select} WHERE ${VISIBLE_BY_ID}`),
    lock: organizationSql('webhook_endpoints.lock', `${select} WHERE ${VISIBLE_BY_ID} FOR UPDATE`),
    byId: acrossTenants(
      'webhook_endpoints.by_id',
      'Operators name an endpoint by its id only, as do receivers that ask for its public keys.',
      `${select} WHERE id = :id`,
    ),
    insert: organizationSql('webhook_endpoints.insert', namedInsertSql(written)),
    update: organizationSql('webhook_endpoints.update', `UPDATE webhook_endpoints SET ${assignments} WHERE ${VISIBLE_BY_ID}`),
  };
}

/** Not a TenantRepository, which knows one environment: a live credential manages the endpoints of both. */
@Implements(EncryptedColumns)
export class WebhooksRepository implements EncryptedColumns {
  readonly encrypted = [
    { column: 'secret', owner: secretBoundTo },
    { column: 'previous_secret', owner: secretBoundTo },
    { column: 'own_headers', owner: headersBoundTo },
  ].map((column) => ({ table: 'webhook_endpoints', key: ['id', 'organization_id'], ...column }));

  private readonly sql = statements();

  constructor(
    private readonly database: Database,
    private readonly bounds: RecordBounds,
  ) {}

  list(ctx: ReadContext): Promise<WebhookEndpoint[]> {
    return this.database.rows<WebhookEndpoint>(...this.sql.list.bind(ctx, visibleTo(ctx)), ctx.unit);
  }

  async get(ctx: ReadContext, id: string): Promise<WebhookEndpoint | undefined> {
    return (await this.database.rows<WebhookEndpoint>(...this.sql.get.bind(ctx, { ...visibleTo(ctx), id }), ctx.unit))[0];
  }

  async lock(ctx: WriteContext, id: string): Promise<WebhookEndpoint | undefined> {
    return asExpected(ctx, (await this.database.rows<WebhookEndpoint>(...this.sql.lock.bind(ctx, { ...visibleTo(ctx), id }), ctx.unit))[0]);
  }

  async byId(id: string): Promise<WebhookEndpoint | undefined> {
    return (await this.database.rows<WebhookEndpoint>(...this.sql.byId.bind({ id })))[0];
  }

  async insert(ctx: WriteContext, endpoint: WebhookEndpoint): Promise<void> {
    const insert = this.sql.insert.bind(ctx, namedValuesOf(this.sql.written, endpoint));
    await this.bounded(ctx, endpoint, () => this.database.rows(...insert, ctx.unit));
  }

  async update(ctx: WriteContext, endpoint: WebhookEndpoint): Promise<void> {
    await this.database.rows(
      ...this.sql.update.bind(ctx, { ...visibleTo(ctx), id: endpoint.id, ...namedValuesOf(this.sql.changed, endpoint) }),
      ctx.unit,
    );
  }

  /** Writes an endpoint that comes from the other environment. */
  move(ctx: WriteContext, endpoint: WebhookEndpoint): Promise<void> {
    return this.bounded(ctx, endpoint, () => this.update(ctx, endpoint));
  }

  async delete(ctx: WriteContext, id: string): Promise<void> {
    await this.database.rows(...DELETE.bind(ctx, { ...visibleTo(ctx), id }), ctx.unit);
  }

  giveUpPending(ctx: WriteContext, id: string, reason: GiveUpReason, now: string): Promise<void> {
    return giveUpPending(this.database, ctx, id, reason, now);
  }

  private bounded<T>(ctx: WriteContext, { environment }: WebhookEndpoint, write: () => Promise<T>): Promise<T> {
    return this.bounds.create({ ...ctx, environment }, RECORDS, write);
  }
}
