import { Injectable } from '@nestjs/common';
import { AuditEntry } from '../../store/audit/audit-entry.entity.js';
import { Database } from '../../store/database/database.js';
import { columnsOf, entityColumns, selectList, unnestSql } from '../../store/database/sql.js';
import { COUNTED_ROWS, type Waiting } from '../../store/metrics/gauges.js';
import type { Unit } from '../../store/database/unit-of-work.js';
import { acrossTenants, ORGANIZATION, organizationSql } from '../../store/tenant/tenant-sql.js';
import { AuditChain, type AuditEvent } from './audit-event.entity.js';
import { CHAIN_START } from './audit-chain.js';

export type Seal = Pick<AuditEvent, 'id' | 'sequence' | 'createdAt' | 'previousHash' | 'hash'> &
  Pick<AuditEntry, 'ordinal' | 'organizationId'>;

const ENTRY = entityColumns(AuditEntry);
const SELECT = `SELECT ${selectList(ENTRY)} FROM audit_entries`;
const FACTS = ENTRY.columns.filter(({ isWritten }) => isWritten).map(({ column }) => column);
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
const OF_ONE = organizationSql('audit_entries.of_one', `${SELECT} WHERE ${ORGANIZATION} ORDER BY ordinal LIMIT :limit`);
const OF_MANY = acrossTenants(
  'audit_entries.of_many',
  'A worker reads the entries that it is about to seal, of several organizations.',
  `${SELECT} WHERE organization_id = ANY (:organizationIds::uuid[]) ORDER BY ordinal LIMIT :limit`,
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

const SEAL_TYPES = { ordinal: 'bigint', id: 'uuid', sequence: 'bigint', createdAt: 'timestamptz', previousHash: 'text', hash: 'text' };
const SEAL = organizationSql(
  'audit_events.seal',
  `WITH seal AS (
      SELECT * FROM ${unnestSql(SEAL_TYPES)} AS seal (ordinal, id, sequence, created_at, previous_hash, hash)
    ), entry AS (
      DELETE FROM audit_entries USING seal WHERE audit_entries.organization_id = :organizationId AND audit_entries.ordinal = seal.ordinal
      RETURNING audit_entries.*
    )
    INSERT INTO audit_events (${FACTS.join(', ')}, created_at, id, sequence, previous_hash, hash)
      SELECT ${FACTS.map((fact) => (fact === '"organization_id"' ? ':organizationId::uuid' : `entry.${fact}`)).join(', ')},
        seal.created_at, seal.id, seal.sequence, seal.previous_hash, seal.hash
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
    const rows = await this.database.rows<{ organizationId: string }>(...WITH_ENTRIES.bind({ limit }));
    return rows.map(({ organizationId }) => organizationId);
  }

  /** Locks the chains until the transaction ends, then reads their oldest entries: none that another process has sealed. */
  async lockChains(
    organizationIds: readonly string[],
    limit: number,
    unit: Unit,
  ): Promise<{ chains: AuditChain[]; entries: AuditEntry[] }> {
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
