import { Injectable } from '@nestjs/common';
import { type Environment, ENVIRONMENTS } from '../../../kernel/context.js';
import type { ReadContext, WriteContext, Unit } from '../../../store/database/transaction.js';
import { Database, type Statement } from '../../../store/database/database.js';
import { entityColumns, selectList } from '../../../store/database/sql.js';
import { giveUpPending, type GivenUp } from '../deliveries/pending-deliveries.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

const SQL = entityColumns(WebhookEndpoint);
const SELECT = `SELECT ${selectList(SQL)} FROM webhook_endpoints`;
const MINE = 'organization_id = $1 AND environment = ANY ($2::text[])';
/** All but the lease, which is the dispatcher's. */
const OWN = SQL.columns.filter(({ isRead }) => isRead);
const names = OWN.map(({ column }) => column);
const ALL: Statement = { name: 'webhook_endpoints.all', text: `${SELECT} WHERE ${MINE} ORDER BY id DESC` };
const GET: Statement = { name: 'webhook_endpoints.get', text: `${SELECT} WHERE ${MINE} AND id = $3` };
// An operator names an endpoint by its id alone.
const BY_ID: Statement = { name: 'webhook_endpoints.by_id', text: `${SELECT} WHERE id = $1` };
const LOCK: Statement = { name: 'webhook_endpoints.lock', text: `${GET.text} FOR UPDATE` };
const DELETE: Statement = { name: 'webhook_endpoints.delete', text: `DELETE FROM webhook_endpoints WHERE ${MINE} AND id = $3` };
const INSERT: Statement = {
  name: 'webhook_endpoints.insert',
  text: `INSERT INTO webhook_endpoints (${names.join(', ')}) VALUES (${names.map((_name, index) => `$${index + 1}`).join(', ')})`,
};
const UPDATE: Statement = {
  name: 'webhook_endpoints.update',
  text: `UPDATE webhook_endpoints SET (${names.join(', ')}) = ROW (${names.map((_name, index) => `$${index + 4}`).join(', ')}) WHERE ${MINE} AND id = $3`,
};
// Endpoints of one organization are made one after the other, so that none is counted too late.
const QUEUE_UP: Statement = {
  name: 'webhook_endpoints.queue_up',
  text: "SELECT pg_advisory_xact_lock(hashtextextended('webhook_endpoints ' || $1, 0))",
};
const COUNT: Statement = {
  name: 'webhook_endpoints.count',
  text: 'SELECT count(*)::int AS count FROM webhook_endpoints WHERE organization_id = $1 AND environment = $2',
};

type Viewer = Pick<ReadContext, 'organizationId' | 'environment'> & { readonly unit?: Unit };

/** A live credential sees the endpoints of both environments, a test credential those for tests: one more than TenantRepository knows. */
const visibleTo = ({ environment }: Viewer): readonly Environment[] => (environment === 'live' ? ENVIRONMENTS : [environment]);
const mine = (ctx: Viewer): unknown[] => [ctx.organizationId, visibleTo(ctx)];

@Injectable()
export class WebhooksRepository {
  constructor(private readonly database: Database) {}

  all(ctx: Viewer): Promise<WebhookEndpoint[]> {
    return this.database.rows<WebhookEndpoint>(ALL, mine(ctx), ctx.unit);
  }

  async get(ctx: Viewer, id: string): Promise<WebhookEndpoint | undefined> {
    return (await this.database.rows<WebhookEndpoint>(GET, [...mine(ctx), id], ctx.unit))[0];
  }

  async byId(id: string): Promise<WebhookEndpoint | undefined> {
    return (await this.database.rows<WebhookEndpoint>(BY_ID, [id]))[0];
  }

  async lock(ctx: WriteContext, id: string): Promise<WebhookEndpoint | undefined> {
    return (await this.database.rows<WebhookEndpoint>(LOCK, [...mine(ctx), id], ctx.unit))[0];
  }

  /** How many there are until the transaction ends: nobody else makes one meanwhile. */
  async count(ctx: WriteContext, environment: Environment): Promise<number> {
    await this.database.rows(QUEUE_UP, [ctx.organizationId], ctx.unit);
    return (await this.database.rows<{ count: number }>(COUNT, [ctx.organizationId, environment], ctx.unit))[0]!.count;
  }

  async insert(ctx: WriteContext, endpoint: WebhookEndpoint): Promise<void> {
    await this.database.rows(INSERT, valuesOf({ ...endpoint, organizationId: ctx.organizationId }), ctx.unit);
  }

  async update(ctx: WriteContext, endpoint: WebhookEndpoint): Promise<void> {
    await this.database.rows(
      UPDATE,
      [...mine(ctx), endpoint.id, ...valuesOf({ ...endpoint, organizationId: ctx.organizationId })],
      ctx.unit,
    );
  }

  giveUpPending(ctx: WriteContext, id: string, reason: GivenUp, now: string): Promise<void> {
    return giveUpPending(this.database, ctx, id, reason, now);
  }

  async delete(ctx: WriteContext, id: string): Promise<void> {
    await this.database.rows(DELETE, [...mine(ctx), id], ctx.unit);
  }
}

const valuesOf = (endpoint: WebhookEndpoint): unknown[] =>
  OWN.map(({ property, write }) => write(endpoint[property as keyof WebhookEndpoint]));
