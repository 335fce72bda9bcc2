import { Injectable } from '@nestjs/common';
import type { ActorType, Environment } from '../../kernel/context.js';
import { Database, type Statement } from '../../store/database/database.js';
import { entityColumns, selectList, escapeLike } from '../../store/database/sql.js';
import { AuditChain, AuditEvent } from './audit-event.entity.js';
import { CHAIN_START, type ChainHead } from './audit-chain.js';

/** Whose log, and what of it. What is undefined does not filter. */
export interface AuditFilter {
  readonly organizationId: string;
  readonly environment?: Environment;
  readonly since?: string;
  readonly until?: string;
  readonly actionPrefix?: string;
  readonly actorType?: ActorType;
  /** The last row that was given. */
  readonly after?: Pick<AuditEvent, 'createdAt' | 'id'>;
}

const SELECT = `SELECT ${selectList(entityColumns(AuditEvent))} FROM audit_events`;
const HEAD: Statement = {
  name: 'audit_chains.get',
  text: `SELECT ${selectList(entityColumns(AuditChain))} FROM audit_chains WHERE organization_id = $1`,
};

/** Reads the sealed log, oldest first. The order is that of createdAt and id, which is that of the sequence. */
@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  page(filter: AuditFilter, limit: number): Promise<AuditEvent[]> {
    const { statement, values } = pageStatement(filter, limit);
    return this.database.rows<AuditEvent>(statement, values);
  }

  /** Where the chain has come to, as it was noted beside the log. */
  async head(organizationId: string): Promise<ChainHead> {
    return (await this.database.rows<AuditChain>(HEAD, [organizationId]))[0] ?? CHAIN_START;
  }
}

function pageStatement(
  { organizationId, environment, since, until, actionPrefix, actorType, after }: AuditFilter,
  limit: number,
): { statement: Statement; values: unknown[] } {
  const values: unknown[] = [];
  const place = (value: unknown): string => `$${values.push(value)}`;
  const conditions: Record<string, string> = { organization: `organization_id = ${place(organizationId)}` };
  if (environment !== undefined) conditions.environment = `environment = ${place(environment)}`;
  if (actorType !== undefined) conditions.actor = `actor_type = ${place(actorType)}`;
  if (since !== undefined) conditions.since = `created_at >= ${place(since)}`;
  if (until !== undefined) conditions.until = `created_at < ${place(until)}`;
  // The first half says nothing new; it is what tells the partitions that need not be looked at.
  if (after !== undefined)
    conditions.after = `created_at >= ${place(after.createdAt)} AND (created_at, id) > (${place(after.createdAt)}, ${place(after.id)})`;
  if (actionPrefix !== undefined) conditions.action = `action LIKE ${place(`${escapeLike(actionPrefix)}%`)}`;
  // How to find a prefix depends on how many rows have it, so such a page is planned anew each time: a statement without a name.
  const name = actionPrefix === undefined ? `audit_events.page:${Object.keys(conditions).join(',')}` : '';
  const text = `${SELECT} WHERE ${Object.values(conditions).join(' AND ')} ORDER BY created_at, id LIMIT ${place(limit)}`;
  return { statement: { name, text }, values };
}
