import { Injectable } from '@nestjs/common';
import type { ActorType, Environment } from '../../kernel/context.js';
import { Database } from '../../store/database/database.js';
import { entityColumns, selectList, escapeLike, columnsOf, unnestSql } from '../../store/database/sql.js';
import { type BoundSql, ORGANIZATION, organizationSql, acrossTenants } from '../../store/tenant/tenant-sql.js';
import { AuditEntry } from '../../store/audit/audit-recorder.js';
import { COUNTED_ROWS, type Waiting } from '../../store/metrics/gauges.js';
import type { Unit } from '../../store/database/unit-of-work.js';
import { AuditChain, AuditEvent } from './audit-event.entity.js';
import { CHAIN_START, type ChainHead } from './audit-chain.js';
import { PersonalValues } from './personal/personal-values.js';

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
  constructor(
    private readonly database: Database,
    private readonly personal: PersonalValues,
  ) {}

  async page(filter: AuditFilter, limit: number, order: AuditOrder = 'oldest first'): Promise<AuditEvent[]> {
    return this.personal.reveal(await this.database.longRead<AuditEvent>(...pageSql(filter, limit, order)));
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

export type Seal = Pick<AuditEvent, 'id' | 'sequence' | 'createdAt' | 'previousHash' | 'hash'> &
  Pick<AuditEntry, 'ordinal' | 'organizationId'> & {
    /** What differs from the entry where there are commitments. */
    readonly actorName?: string | null;
    readonly changes?: string | null;
    readonly commitments?: string | null;
  };

const ENTRY = entityColumns(AuditEntry);
const SELECT_ENTRIES = `SELECT ${selectList(ENTRY)} FROM audit_entries`;
const FACTS = ENTRY.columns.filter(({ property, isWritten }) => isWritten && property !== 'personId').map(({ column }) => column);
const SEALED_FACTS: Readonly<Record<string, string>> = {
  '"organization_id"': ':organizationId::uuid',
  '"actor_name"': 'coalesce(seal.actor_name, entry.actor_name)',
  '"ip_address"': "CASE WHEN seal.commitments::jsonb ? 'ipAddress' THEN NULL ELSE entry.ip_address END",
  '"changes"': 'coalesce(seal.changes::json, entry.changes)',
};
const HAS_ENTRIES = organizationSql('audit_entries.is_waiting', `SELECT 1 AS waiting FROM audit_entries WHERE ${ORGANIZATION} LIMIT 1`);
const WITH_ENTRIES = acrossTenants(
  'audit_entries.waiting',
  'Finds the organizations with entries to seal. A worker uses it.',
  `SELECT DISTINCT organization_id AS "organizationId"
    FROM (SELECT organization_id FROM audit_entries ORDER BY ordinal LIMIT :limit) oldest ORDER BY 1`,
);
const WAITING = acrossTenants(
  'audit_entries.all_waiting',
  'An operator is told how many entries of all organizations wait.',
  `SELECT count(*)::int AS length, min(occurred_at) AS since
    FROM (SELECT occurred_at FROM audit_entries ORDER BY ordinal LIMIT ${COUNTED_ROWS}) first`,
);
const OF_ONE = organizationSql('audit_entries.of_one', `${SELECT_ENTRIES} WHERE ${ORGANIZATION} ORDER BY ordinal LIMIT :limit`);
const OF_MANY = acrossTenants(
  'audit_entries.of_many',
  'A worker reads the entries that it is about to seal, of several organizations.',
  `${SELECT_ENTRIES} WHERE organization_id = ANY (:organizationIds::uuid[]) ORDER BY ordinal LIMIT :limit`,
);
const BEGIN_CHAINS = acrossTenants(
  'audit_chains.begin',
  'A worker begins the chains of several organizations.',
  `INSERT INTO audit_chains (organization_id, sequence, hash)
    SELECT id, ${CHAIN_START.sequence}, '${CHAIN_START.hash}' FROM unnest(:organizationIds::uuid[]) AS id
    ORDER BY id ON CONFLICT DO NOTHING`,
);
const LOCK_CHAIN = organizationSql(
  'audit_chains.lock',
  `SELECT ${selectList(entityColumns(AuditChain))} FROM audit_chains WHERE ${ORGANIZATION} FOR UPDATE`,
);

const SEAL_TYPES = {
  ...{ ordinal: 'bigint', id: 'uuid', sequence: 'bigint', createdAt: 'timestamptz', previousHash: 'text', hash: 'text' },
  ...{ actorName: 'text', changes: 'text', commitments: 'text' },
};
const SEAL = organizationSql(
  'audit_events.seal',
  `WITH seal AS (
      SELECT * FROM ${unnestSql(SEAL_TYPES)} 
        AS seal (ordinal, id, sequence, created_at, previous_hash, hash, actor_name, changes, commitments)
    ), entry AS (
      DELETE FROM audit_entries USING seal WHERE audit_entries.organization_id = :organizationId AND audit_entries.ordinal = seal.ordinal
      RETURNING audit_entries.*
    )
    INSERT INTO audit_events (${FACTS.join(', ')}, created_at, id, sequence, previous_hash, hash, commitments)
      SELECT ${FACTS.map((fact) => SEALED_FACTS[fact] ?? `entry.${fact}`).join(', ')},
        seal.created_at, seal.id, seal.sequence, seal.previous_hash, seal.hash, seal.commitments::jsonb
      FROM entry JOIN seal USING (ordinal) ORDER BY ordinal`,
);
const ADVANCE = organizationSql(
  'audit_chains.advance',
  `UPDATE audit_chains SET sequence = :sequence, hash = :hash, sealed_at = :sealedAt WHERE ${ORGANIZATION}`,
);

@Injectable()
export class SealingRepository {
  constructor(private readonly database: Database) {}

  async waiting(): Promise<Waiting> {
    return (await this.database.rows<Waiting>(...WAITING.bind()))[0]!;
  }

  async hasEntries(organizationId: string): Promise<boolean> {
    return (await this.database.rows(...HAS_ENTRIES.bind({ organizationId }))).length > 0;
  }

  /** The organizations of the oldest entries; `limit` counts entries. */
  async organizationsWithEntries(limit: number): Promise<string[]> {
    const rows = await this.database.shortRead<{ organizationId: string }>(...WITH_ENTRIES.bind({ limit }));
    return rows.map(({ organizationId }) => organizationId);
  }

  /** Locks the chains until the transaction ends, then reads their oldest entries: none that another process has sealed. */
  async lockChains(organizationIds: readonly string[], limit: number, unit: Unit) {
    const [organizationId, ...others] = organizationIds;
    const isOne = organizationId !== undefined && others.length === 0;
    const oldest = isOne ? OF_ONE.bind({ organizationId }, { limit }) : OF_MANY.bind({ organizationIds, limit });
    // Always in the same order, so that two processes cannot deadlock.
    const ordered = organizationIds.toSorted();
    const [, chains, entries] = await Promise.all([
      this.database.rows(...BEGIN_CHAINS.bind({ organizationIds: ordered }), unit),
      Promise.all(ordered.map((id) => this.database.rows<AuditChain>(...LOCK_CHAIN.bind({ organizationId: id }), unit))),
      this.database.rows<AuditEntry>(...oldest, unit),
    ]);
    return { chains: chains.flat(), entries };
  }

  async seal(seals: readonly Seal[], heads: readonly AuditChain[], unit: Unit): Promise<void> {
    const sealsOf = new Map<string, Seal[]>(heads.map(({ organizationId }) => [organizationId, []]));
    for (const seal of seals) sealsOf.get(seal.organizationId)!.push(seal);
    await Promise.all(
      heads.flatMap(({ organizationId, sequence, hash, sealedAt }) => {
        const columns = columnsOf(SEAL_TYPES, sealsOf.get(organizationId)!);
        return [
          this.database.rows(...SEAL.bind({ organizationId }, columns), unit),
          this.database.rows(...ADVANCE.bind({ organizationId }, { sequence, hash, sealedAt }), unit),
        ];
      }),
    );
  }
}
