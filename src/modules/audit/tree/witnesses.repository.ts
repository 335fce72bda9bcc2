import { Injectable } from '@nestjs/common';
import { Settings } from '../../../kernel/settings/settings.js';
import { Database } from '../../../store/database/database.js';
import { entityColumns, namedInsertSql, namedValuesOf, selectList } from '../../../store/database/sql.js';
import type { Unit } from '../../../store/database/unit-of-work.js';
import { acrossTenants, ORGANIZATION, organizationSql } from '../../../store/tenant/tenant-sql.js';
import { entitledSql, keptSql } from '../../organization/index.js';
import { AUDIT_PLAN } from '../audit.dto.js';
import { AuditWitness } from './witness.entity.js';

const SQL = entityColumns(AuditWitness);
const SELECT = `SELECT ${selectList(SQL)} FROM audit_witnesses`;
const ONE = `${ORGANIZATION} AND verifier_key = :verifierKey`;
const ALL = organizationSql('audit_witnesses.all', `${SELECT} WHERE ${ORGANIZATION} ORDER BY created_at, verifier_key`);
// Of the organization: a witness that is not there yet cannot be locked.
const LOCK = organizationSql('audit_witnesses.lock', `SELECT 1 FROM audit_chains WHERE ${ORGANIZATION} FOR UPDATE`);
const INSERT = organizationSql('audit_witnesses.insert', namedInsertSql(SQL));
const DELETE = organizationSql('audit_witnesses.delete', `DELETE FROM audit_witnesses WHERE ${ONE} RETURNING true AS gone`);
const COSIGNED = organizationSql(
  'audit_witnesses.cosigned',
  `UPDATE audit_witnesses SET size = :size, line = :line, cosigned_at = :at, failure = NULL WHERE ${ONE} AND size <= :size`,
);
const FAILED = organizationSql('audit_witnesses.failed', `UPDATE audit_witnesses SET failure = :failure WHERE ${ONE}`);
const BEFORE_ALL = { organizationId: '00000000-0000-0000-0000-000000000000', verifierKey: '' };

type Named = Pick<AuditWitness, 'organizationId' | 'verifierKey'>;

@Injectable()
export class WitnessesRepository {
  private readonly behindSql;

  constructor(
    private readonly database: Database,
    { plans }: Settings,
  ) {
    this.behindSql = acrossTenants(
      'audit_witnesses.behind',
      'A worker asks witnesses of any organization for what they have not signed yet.',
      `SELECT ${selectList(SQL)} FROM audit_witnesses witness
        WHERE size < (SELECT max(size) FROM audit_checkpoints known WHERE known.organization_id = witness.organization_id)
          AND (organization_id, verifier_key) > (:organizationId::uuid, :verifierKey)
          AND ${keptSql('witness')} AND ${entitledSql('witness.organization_id', plans, AUDIT_PLAN)}
        ORDER BY organization_id, verifier_key LIMIT :limit`,
    );
  }

  ofOrganization(organizationId: string, unit?: Unit): Promise<AuditWitness[]> {
    return unit
      ? this.database.rows<AuditWitness>(...ALL.bind({ organizationId }), unit)
      : this.database.shortRead<AuditWitness>(...ALL.bind({ organizationId }));
  }

  /** No other is added or removed until the transaction ends. */
  async lock(organizationId: string, unit: Unit): Promise<AuditWitness[]> {
    await this.database.rows(...LOCK.bind({ organizationId }), unit);
    return this.ofOrganization(organizationId, unit);
  }

  async insert(witness: AuditWitness, unit: Unit): Promise<void> {
    await this.database.rows(...INSERT.bind(witness, namedValuesOf(SQL, witness)), unit);
  }

  async remove(organizationId: string, verifierKey: string, unit: Unit): Promise<boolean> {
    return (await this.database.rows(...DELETE.bind({ organizationId }, { verifierKey }), unit)).length > 0;
  }

  /** Those that have not signed the newest checkpoint of their log, behind one of them. */
  behind(limit: number, { organizationId, verifierKey }: Named = BEFORE_ALL): Promise<AuditWitness[]> {
    return this.database.rows<AuditWitness>(...this.behindSql.bind({ organizationId, verifierKey, limit }));
  }

  async cosigned({ organizationId, verifierKey }: Named, size: number, line: string, at: string): Promise<void> {
    await this.database.rows(...COSIGNED.bind({ organizationId }, { verifierKey, size, line, at }));
  }

  async failed({ organizationId, verifierKey }: Named, failure: string): Promise<void> {
    await this.database.rows(...FAILED.bind({ organizationId }, { verifierKey, failure }));
  }
}
