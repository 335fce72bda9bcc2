import { Injectable } from '@nestjs/common';
import { AuditEntry } from '../../store/audit/audit-entry.entity.js';
import { Database, type Statement } from '../../store/database/database.js';
import { entityColumns, selectList } from '../../store/database/sql.js';
import type { LastWrite, Unit } from '../../store/database/unit-of-work.js';
import { AuditChain, type AuditEvent } from './audit-event.entity.js';
import { CHAIN_START } from './audit-chain.js';

/** What sealing adds to an entry. */
export type Seal = Pick<AuditEvent, 'id' | 'sequence' | 'createdAt' | 'previousHash' | 'hash'> & Pick<AuditEntry, 'ordinal'>;

const ENTRY = entityColumns(AuditEntry);
const SELECT = `SELECT ${selectList(ENTRY)} FROM audit_entries`;
/** The columns that audit_entries and audit_events share. */
const FACTS = ENTRY.columns.filter(({ isWritten }) => isWritten).map(({ column }) => column);

const HAS_ENTRIES: Statement = {
  name: 'audit_entries.is_waiting',
  text: 'SELECT 1 AS waiting FROM audit_entries WHERE organization_id = $1 LIMIT 1',
};
const WITH_ENTRIES: Statement = {
  name: 'audit_entries.waiting',
  text: `SELECT DISTINCT organization_id AS "organizationId"
    FROM (SELECT organization_id FROM audit_entries ORDER BY ordinal LIMIT $1) oldest ORDER BY 1`,
};
const OF_ONE: Statement = { name: 'audit_entries.of_one', text: `${SELECT} WHERE organization_id = $1 ORDER BY ordinal LIMIT $2` };
const OF_MANY: Statement = {
  name: 'audit_entries.of_many',
  text: `${SELECT} WHERE organization_id = ANY ($1::uuid[]) ORDER BY ordinal LIMIT $2`,
};
const BEGIN_CHAINS: Statement = {
  name: 'audit_chains.begin',
  text: `INSERT INTO audit_chains (organization_id, sequence, hash)
    SELECT id, ${CHAIN_START.sequence}, '${CHAIN_START.hash}' FROM unnest($1::uuid[]) AS id ORDER BY id ON CONFLICT DO NOTHING`,
};
// Always in the same order, so that two processes cannot deadlock.
const LOCK_CHAINS: Statement = {
  name: 'audit_chains.lock',
  text: `SELECT ${selectList(entityColumns(AuditChain))} FROM audit_chains
    WHERE organization_id = ANY ($1::uuid[]) ORDER BY organization_id FOR UPDATE`,
};

/** Entries that are not sealed yet, and the chains that they are added to. */
@Injectable()
export class SealingRepository {
  constructor(private readonly database: Database) {}

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
    const [, chains, entries] = await Promise.all([
      this.database.rows(BEGIN_CHAINS, [organizationIds], unit),
      this.database.rows<AuditChain>(LOCK_CHAINS, [organizationIds], unit),
      this.database.rows<AuditEntry>(isOne ? OF_ONE : OF_MANY, [isOne ? organizationIds[0] : organizationIds, limit], unit),
    ]);
    return { chains, entries };
  }
}

/** Moves sealed entries to the log and the chains to their new heads. */
export function sealWrite(seals: readonly Seal[], heads: readonly AuditChain[]): LastWrite {
  return {
    name: 'audit_events.seal',
    sql: (bind) => {
      const seal = (type: string, property: keyof Seal) => `${bind(seals.map((row) => row[property]))}::${type}[]`;
      const head = (type: string, property: keyof AuditChain) => `${bind(heads.map((row) => row[property]))}::${type}[]`;
      return `WITH seal AS (
          SELECT * FROM unnest(${seal('bigint', 'ordinal')}, ${seal('uuid', 'id')}, ${seal('bigint', 'sequence')},
              ${seal('timestamptz', 'createdAt')}, ${seal('text', 'previousHash')}, ${seal('text', 'hash')})
            AS seal (ordinal, id, sequence, created_at, previous_hash, hash)
        ), entry AS (
          DELETE FROM audit_entries USING seal WHERE audit_entries.ordinal = seal.ordinal RETURNING audit_entries.*
        ), chain AS (
          UPDATE audit_chains SET sequence = head.sequence, hash = head.hash, sealed_at = head.sealed_at
          FROM unnest(${head('uuid', 'organizationId')}, ${head('bigint', 'sequence')}, ${head('text', 'hash')},
              ${head('timestamptz', 'sealedAt')})
            AS head (organization_id, sequence, hash, sealed_at)
          WHERE audit_chains.organization_id = head.organization_id
        )
        INSERT INTO audit_events (${FACTS.join(', ')}, created_at, id, sequence, previous_hash, hash)
          SELECT ${FACTS.map((fact) => `entry.${fact}`).join(', ')},
            seal.created_at, seal.id, seal.sequence, seal.previous_hash, seal.hash
          FROM entry JOIN seal USING (ordinal) ORDER BY ordinal`;
    },
  };
}
