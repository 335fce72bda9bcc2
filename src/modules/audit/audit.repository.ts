import { Injectable } from '@nestjs/common';
import type { ActorType, Environment } from '../../kernel/context.js';
import { Database, prepared, type Sql } from '../../store/database/database.js';
import { entityColumns, selectList, escapeLike } from '../../store/database/sql.js';
import { AuditChain, AuditEvent } from './audit-event.entity.js';
import { CHAIN_START, type ChainHead } from './audit-chain.js';

/** Properties that are undefined do not filter. */
export interface AuditFilter {
  readonly organizationId: string;
  readonly id?: string;
  readonly environment?: Environment;
  readonly since?: string;
  readonly until?: string;
  readonly actionPrefix?: string;
  readonly actorType?: ActorType;
  /** The last row of the previous page. */
  readonly after?: AuditPosition;
  /** The same of a page that is read backwards: newest first. */
  readonly before?: AuditPosition;
}

export type AuditPosition = Pick<AuditEvent, 'createdAt' | 'id'>;
export type AuditOrder = 'oldest first' | 'newest first';

const SELECT = `SELECT ${selectList(entityColumns(AuditEvent))} FROM audit_events`;
const HEAD = prepared({
  name: 'audit_chains.get',
  text: `SELECT ${selectList(entityColumns(AuditChain))} FROM audit_chains WHERE organization_id = $1`,
});

/** Reads the audit log, by default oldest first: by createdAt and id, which is the order of the sequence. */
@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  page(filter: AuditFilter, limit: number, order: AuditOrder = 'oldest first'): Promise<AuditEvent[]> {
    const { statement, values } = pageSql(filter, limit, order);
    return this.database.longRead<AuditEvent>(statement, values);
  }

  /** The head of the chain, as recorded in audit_chains. */
  async head(organizationId: string): Promise<ChainHead> {
    return (await this.database.rows<AuditChain>(HEAD, [organizationId]))[0] ?? CHAIN_START;
  }
}

function pageSql(
  { organizationId, id, environment, since, until, actionPrefix, actorType, after, before }: AuditFilter,
  limit: number,
  order: AuditOrder,
): { statement: Sql; values: unknown[] } {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const conditions: Record<string, string> = { organization: `organization_id = ${bind(organizationId)}` };
  if (id !== undefined) conditions.id = `id = ${bind(id)}`;
  if (environment !== undefined) conditions.environment = `environment = ${bind(environment)}`;
  if (actorType !== undefined) conditions.actor = `actor_type = ${bind(actorType)}`;
  if (since !== undefined) conditions.since = `created_at >= ${bind(since)}`;
  if (until !== undefined) conditions.until = `created_at < ${bind(until)}`;
  // The first comparison is implied by the second, but it lets Postgres skip partitions.
  if (after !== undefined)
    conditions.after = `created_at >= ${bind(after.createdAt)} AND (created_at, id) > (${bind(after.createdAt)}, ${bind(after.id)})`;
  if (before !== undefined)
    conditions.before = `created_at <= ${bind(before.createdAt)} AND (created_at, id) < (${bind(before.createdAt)}, ${bind(before.id)})`;
  if (actionPrefix !== undefined) conditions.action = `action LIKE ${bind(`${escapeLike(actionPrefix)}%`)}`;
  // The best plan for a prefix depends on how many rows have it, so this statement has no name and is planned every time.
  const isBackwards = order === 'newest first';
  const kind = `audit_events.${isBackwards ? 'back' : 'page'}`;
  const name = actionPrefix === undefined ? `${kind}:${Object.keys(conditions).join(',')}` : '';
  const sorted = isBackwards ? 'created_at DESC, id DESC' : 'created_at, id';
  const text = `${SELECT} WHERE ${Object.values(conditions).join(' AND ')} ORDER BY ${sorted} LIMIT ${bind(limit)}`;
  return { statement: { name, text }, values };
}
