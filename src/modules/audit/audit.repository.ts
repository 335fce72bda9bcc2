import { Injectable } from '@nestjs/common';
import type { ActorType, Environment } from '../../kernel/context.js';
import { Database } from '../../store/database/database.js';
import { entityColumns, selectList, escapeLike } from '../../store/database/sql.js';
import { type BoundSql, ORGANIZATION, organizationSql } from '../../store/tenant/tenant-sql.js';
import { AuditChain, AuditEvent } from './audit-event.entity.js';
import { CHAIN_START, type ChainHead } from './audit-chain.js';

export interface AuditFilter {
  readonly organizationId: string;
  readonly id?: string;
  readonly environment?: Environment;
  readonly since?: string;
  readonly until?: string;
  readonly actionPrefix?: string;
  readonly actorType?: ActorType;
  readonly after?: AuditPosition;
  /** Of a page that is read backwards: newest first. */
  readonly before?: AuditPosition;
}

export type AuditPosition = Pick<AuditEvent, 'createdAt' | 'id'>;
export type AuditOrder = 'oldest first' | 'newest first';

const SELECT = `SELECT ${selectList(entityColumns(AuditEvent))} FROM audit_events`;
const HEAD = organizationSql('audit_chains.get', `SELECT ${selectList(entityColumns(AuditChain))} FROM audit_chains WHERE ${ORGANIZATION}`);

/** Reads the audit log, by default oldest first: by createdAt and id, which is the order of the sequence. */
@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  page(filter: AuditFilter, limit: number, order: AuditOrder = 'oldest first'): Promise<AuditEvent[]> {
    return this.database.longRead<AuditEvent>(...pageSql(filter, limit, order));
  }

  async *batches(filter: AuditFilter, size: number, limit = Infinity): AsyncGenerator<AuditEvent[]> {
    let { after } = filter;
    for (let left = limit; left > 0; left -= size) {
      const rows = await this.page({ ...filter, after }, Math.min(left, size));
      if (rows.length > 0) yield rows;
      if (rows.length < Math.min(left, size)) return;
      after = rows.at(-1);
    }
  }

  async head(organizationId: string): Promise<ChainHead> {
    return (await this.database.rows<AuditChain>(...HEAD.bind({ organizationId })))[0] ?? CHAIN_START;
  }
}

/** The condition of each property of a filter, in the order of the statement. */
const CONDITIONS: Readonly<Record<Exclude<keyof AuditFilter, 'organizationId'>, string>> = {
  id: 'id = :id',
  environment: 'environment = :environment',
  actorType: 'actor_type = :actorType',
  since: 'created_at >= :since',
  until: 'created_at < :until',
  // The first comparison is implied by the second, but it lets Postgres skip partitions.
  after: 'created_at >= :afterTime AND (created_at, id) > (:afterTime, :afterId)',
  before: 'created_at <= :beforeTime AND (created_at, id) < (:beforeTime, :beforeId)',
  actionPrefix: 'action LIKE :action',
};

function pageSql(filter: AuditFilter, limit: number, order: AuditOrder): BoundSql {
  const { actionPrefix, after, before } = filter;
  const asked = Object.entries(CONDITIONS).filter(([property]) => filter[property as keyof AuditFilter] !== undefined);
  // The best plan for a prefix depends on how many rows have it, so this statement has no name and is planned every time.
  const isBackwards = order === 'newest first';
  const kind = `audit_events.${isBackwards ? 'back' : 'page'}`;
  const name = actionPrefix === undefined ? `${kind}:${asked.map(([property]) => property).join(',')}` : '';
  const sorted = isBackwards ? 'created_at DESC, id DESC' : 'created_at, id';
  const where = [ORGANIZATION, ...asked.map(([, condition]) => condition)].join(' AND ');
  const positions = { afterTime: after?.createdAt, afterId: after?.id, beforeTime: before?.createdAt, beforeId: before?.id };
  const values = { ...filter, ...positions, limit, action: `${escapeLike(actionPrefix ?? '')}%` };
  return organizationSql(name, `${SELECT} WHERE ${where} ORDER BY ${sorted} LIMIT :limit`).bind(filter, values);
}
