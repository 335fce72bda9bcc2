import { Injectable } from '@nestjs/common';
import { AuditEntry } from '../../store/audit/audit-entry.entity.js';
import { Database, prepared } from '../../store/database/database.js';
import { entityColumns, selectList } from '../../store/database/sql.js';
import { COUNTED_ROWS, type Waiting } from '../../store/metrics/gauges.js';
import type { Unit } from '../../store/database/unit-of-work.js';
import { AuditChain, type AuditEvent } from './audit-event.entity.js';
import { CHAIN_START } from './audit-chain.js';

/** What sealing adds to an entry. */
export type Seal = Pick<AuditEvent, 'id' | 'sequence' | 'createdAt' | 'previousHash' | 'hash'> &
  Pick<AuditEntry, 'ordinal' | 'organizationId'>;

const ENTRY = entityColumns(AuditEntry);
const SELECT = `SELECT ${selectList(ENTRY)} FROM audit_entries`;
/** The columns that audit_entries and audit_events share. */
const FACTS = ENTRY.columns.filter(({ isWritten }) => isWritten).map(({ column }) => column);

const HAS_ENTRIES = prepared({
  name: 'audit_entries.is_waiting',
  text: 'SELECT 1 AS waiting FROM audit_entries WHERE organization_id = $1 LIMIT 1',
});
const WITH_ENTRIES = prepared({
  name: 'audit_entries.waiting',
  text: `SELECT DISTINCT organization_id AS "organizationId"
    FROM (SELECT organization_id FROM audit_entries ORDER BY ordinal LIMIT $1) oldest ORDER BY 1`,
});
const WAITING = prepared({
  name: 'audit_entries.all_waiting',
  text: `SELECT count(*)::int AS length, min(occurred_at) AS since
    FROM (SELECT occurred_at FROM audit_entries ORDER BY ordinal LIMIT ${COUNTED_ROWS}) first`,
});
const OF_ONE = prepared({ name: 'audit_entries.of_one', text: `${SELECT} WHERE organization_id = $1 ORDER BY ordinal LIMIT $2` });
const OF_MANY = prepared({
  name: 'audit_entries.of_many',
  text: `${SELECT} WHERE organization_id = ANY ($1::uuid[]) ORDER BY ordinal LIMIT $2`,
});
const BEGIN_CHAINS = prepared({
  name: 'audit_chains.begin',
  text: `INSERT INTO audit_chains (organization_id, sequence, hash)
    SELECT id, ${CHAIN_START.sequence}, '${CHAIN_START.hash}' FROM unnest($1::uuid[]) AS id ORDER BY id ON CONFLICT DO NOTHING`,
});
const LOCK_CHAIN = prepared({
  name: 'audit_chains.lock',
  text: `SELECT ${selectList(entityColumns(AuditChain))} FROM audit_chains WHERE organization_id = $1 FOR UPDATE`,
});

/** Moves sealed entries of an organization to the log. */
const SEAL = prepared({
  name: 'audit_events.seal',
  text: `WITH seal AS (
      SELECT * FROM unnest($2::bigint[], $3::uuid[], $4::bigint[], $5::timestamptz[], $6::text[], $7::text[])
        AS seal (ordinal, id, sequence, created_at, previous_hash, hash)
    ), entry AS (
      DELETE FROM audit_entries USING seal WHERE audit_entries.organization_id = $1 AND audit_entries.ordinal = seal.ordinal
      RETURNING audit_entries.*
    )
    INSERT INTO audit_events (${FACTS.join(', ')}, created_at, id, sequence, previous_hash, hash)
      SELECT ${FACTS.map((fact) => (fact === '"organization_id"' ? '$1::uuid' : `entry.${fact}`)).join(', ')},
        seal.created_at, seal.id, seal.sequence, seal.previous_hash, seal.hash
      FROM entry JOIN seal USING (ordinal) ORDER BY ordinal`,
});
/** Moves the chain to its new head. */
const ADVANCE = prepared({
  name: 'audit_chains.advance',
  text: 'UPDATE audit_chains SET sequence = $2, hash = $3, sealed_at = $4 WHERE organization_id = $1',
});
/** The columns of `seal`, in the order of their parameters. */
const SEAL_COLUMNS = ['ordinal', 'id', 'sequence', 'createdAt', 'previousHash', 'hash'] as const satisfies (keyof Seal)[];

/** Entries that are not sealed yet, and the chains that they are added to. */
@Injectable()
export class SealingRepository {
  constructor(private readonly database: Database) {}

  async waiting(): Promise<Waiting> {
    return (await this.database.rows<Waiting>(WAITING, []))[0]!;
  }

  async hasEntries(organizationId: string): Promise<boolean> {
    return (await this.database.rows(HAS_ENTRIES, [organizationId])).length > 0;
  }

  /** The organizations of the oldest entries; `limit` counts entries. */
  async organizationsWithEntries(limit: number): Promise<string[]> {
    const rows = await this.database.rows<{ organizationId: string }>(WITH_ENTRIES, [limit]);
    return rows.map(({ organizationId }) => organizationId);
  }

  /**
   * Locks the chains of the organizations until the transaction ends and reads their oldest entries, in one round trip. The
   * entries are read after the locks are granted, so they include none that another process has sealed.
   */
  async lockChains(
    organizationIds: readonly string[],
    limit: number,
    unit: Unit,
  ): Promise<{ chains: AuditChain[]; entries: AuditEntry[] }> {
    const isOne = organizationIds.length === 1;
    // Always in the same order, so that two processes cannot deadlock.
    const ordered = organizationIds.toSorted();
    const [, chains, entries] = await Promise.all([
      this.database.rows(BEGIN_CHAINS, [ordered], unit),
      Promise.all(ordered.map((id) => this.database.rows<AuditChain>(LOCK_CHAIN, [id], unit))),
      this.database.rows<AuditEntry>(isOne ? OF_ONE : OF_MANY, [isOne ? organizationIds[0] : organizationIds, limit], unit),
    ]);
    return { chains: chains.flat(), entries };
  }

  /** Moves the entries of each chain to the log, all in one packet. */
  async seal(seals: readonly Seal[], heads: readonly AuditChain[], unit: Unit): Promise<void> {
    const sealsOf = new Map<string, Seal[]>(heads.map(({ organizationId }) => [organizationId, []]));
    for (const seal of seals) sealsOf.get(seal.organizationId)!.push(seal);
    await Promise.all(
      heads.flatMap(({ organizationId, sequence, hash, sealedAt }) => {
        const columns = SEAL_COLUMNS.map((name) => sealsOf.get(organizationId)!.map((row) => row[name]));
        return [
          this.database.rows(SEAL, [organizationId, ...columns], unit),
          this.database.rows(ADVANCE, [organizationId, sequence, hash, sealedAt], unit),
        ];
      }),
    );
  }
}
