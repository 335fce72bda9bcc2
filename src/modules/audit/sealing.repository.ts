import { Injectable } from '@nestjs/common';
import { AuditEntry } from '../../store/audit/audit-entry.entity.js';
import { Database, type Statement } from '../../store/database/database.js';
import { entityColumns, selectList } from '../../store/database/sql.js';
import type { LastWrite } from '../../store/database/last-writes.js';
import type { Unit } from '../../store/database/transaction.js';
import { AuditChain, type AuditEvent } from './audit-event.entity.js';
import { CHAIN_START } from './audit-chain.js';

/** The place in the log that an entry is given. */
export type Place = Pick<AuditEvent, 'id' | 'sequence' | 'createdAt' | 'previousHash' | 'hash'> & Pick<AuditEntry, 'ordinal'>;

const ENTRY = entityColumns(AuditEntry);
const SELECT = `SELECT ${selectList(ENTRY)} FROM audit_entries`;
/** What an entry and its row of the log have in common. */
const FACTS = ENTRY.columns.filter(({ isWritten }) => isWritten).map(({ column }) => column);

const IS_WAITING: Statement = {
  name: 'audit_entries.is_waiting',
  text: 'SELECT 1 AS waiting FROM audit_entries WHERE organization_id = $1 LIMIT 1',
};
const WAITING: Statement = {
  name: 'audit_entries.waiting',
  text: 'SELECT DISTINCT organization_id AS "organizationId" FROM (SELECT organization_id FROM audit_entries ORDER BY ordinal LIMIT $1) oldest ORDER BY 1',
};
const OF_ONE: Statement = { name: 'audit_entries.of_one', text: `${SELECT} WHERE organization_id = $1 ORDER BY ordinal LIMIT $2` };
const OF_MANY: Statement = {
  name: 'audit_entries.of_many',
  text: `${SELECT} WHERE organization_id = ANY ($1::uuid[]) ORDER BY ordinal LIMIT $2`,
};
const BEGIN_CHAINS: Statement = {
  name: 'audit_chains.begin',
  text: `INSERT INTO audit_chains (organization_id, sequence, hash) SELECT id, ${CHAIN_START.sequence}, '${CHAIN_START.hash}' FROM unnest($1::uuid[]) AS id ORDER BY id ON CONFLICT DO NOTHING`,
};
// In one order for all who seal, so that no two wait for each other.
const LOCK_CHAINS: Statement = {
  name: 'audit_chains.lock',
  text: `SELECT ${selectList(entityColumns(AuditChain))} FROM audit_chains WHERE organization_id = ANY ($1::uuid[]) ORDER BY organization_id FOR UPDATE`,
};

/** The entries that wait to be sealed, and the chains they are sealed into. */
@Injectable()
export class SealingRepository {
  constructor(private readonly database: Database) {}

  async isWaiting(organizationId: string): Promise<boolean> {
    return (await this.database.rows(IS_WAITING, [organizationId])).length > 0;
  }

  /** The organizations that the oldest entries are of. */
  async waiting(entries: number): Promise<string[]> {
    const rows = await this.database.rows<{ organizationId: string }>(WAITING, [entries]);
    return rows.map(({ organizationId }) => organizationId);
  }

  /** The chains of the organizations, which nobody else adds to until the transaction ends, and their oldest entries: one round trip. */
  async open(organizationIds: readonly string[], limit: number, unit: Unit): Promise<{ chains: AuditChain[]; entries: AuditEntry[] }> {
    const isOne = organizationIds.length === 1;
    const [, chains, entries] = await Promise.all([
      this.database.rows(BEGIN_CHAINS, [organizationIds], unit),
      this.database.rows<AuditChain>(LOCK_CHAINS, [organizationIds], unit),
      // Looks once the lock is held, and so sees all that others have sealed before.
      this.database.rows<AuditEntry>(isOne ? OF_ONE : OF_MANY, [isOne ? organizationIds[0] : organizationIds, limit], unit),
    ]);
    return { chains, entries };
  }
}

/** Moves entries to their places in the log, and the chains to their new heads. */
export function sealing(places: readonly Place[], heads: readonly AuditChain[]): LastWrite {
  return {
    name: 'audit_events.seal',
    sql: (place) => {
      const column = (type: string, property: keyof Place) => `${place(places.map((row) => row[property]))}::${type}[]`;
      const head = (type: string, property: keyof AuditChain) => `${place(heads.map((row) => row[property]))}::${type}[]`;
      return `WITH place AS (SELECT * FROM unnest(${column('bigint', 'ordinal')}, ${column('uuid', 'id')}, ${column('bigint', 'sequence')}, ${column('timestamptz', 'createdAt')}, ${column('text', 'previousHash')}, ${column('text', 'hash')})
            AS place (ordinal, id, sequence, created_at, previous_hash, hash)),
          entry AS (DELETE FROM audit_entries USING place WHERE audit_entries.ordinal = place.ordinal RETURNING audit_entries.*),
          chain AS (UPDATE audit_chains SET sequence = head.sequence, hash = head.hash, sealed_at = head.sealed_at
            FROM unnest(${head('uuid', 'organizationId')}, ${head('bigint', 'sequence')}, ${head('text', 'hash')}, ${head('timestamptz', 'sealedAt')}) AS head (organization_id, sequence, hash, sealed_at)
            WHERE audit_chains.organization_id = head.organization_id)
        INSERT INTO audit_events (${FACTS.join(', ')}, created_at, id, sequence, previous_hash, hash)
          SELECT ${FACTS.map((fact) => `entry.${fact}`).join(', ')}, place.created_at, place.id, place.sequence, place.previous_hash, place.hash FROM entry JOIN place USING (ordinal) ORDER BY ordinal`;
    },
  };
}
