import { Injectable } from '@nestjs/common';
import { Database, prepared } from '../../store/database/database.js';
import { entityColumns, insertSql, selectList, valuesOf } from '../../store/database/sql.js';
import type { Unit } from '../../store/database/unit-of-work.js';
import { OrganizationErasure } from './organization-erasure.entity.js';

const SQL = entityColumns(OrganizationErasure);
const SELECT = `SELECT ${selectList(SQL)} FROM organization_erasures`;
const GET = prepared({ name: 'organization_erasures.get', text: `${SELECT} WHERE organization_id = $1` });
const ALL = prepared({ name: 'organization_erasures.all', text: `${SELECT} ORDER BY begun_at, organization_id` });
const UNSWEPT = prepared({ name: 'organization_erasures.unswept', text: `${SELECT} WHERE swept_at IS NULL AND finished_at < $1` });
const INSERT = prepared({ name: 'organization_erasures.insert', text: insertSql(SQL) });
// The first one stands: of a log that is half erased, the head proves nothing any more.
const SET_HEAD = prepared({
  name: 'organization_erasures.set_head',
  text: `UPDATE organization_erasures SET audit_sequence = $2, audit_hash = $3 WHERE organization_id = $1 AND audit_sequence IS NULL`,
});
// Two statements: within another one, Citus would delete the record on one of the servers that have a copy of it.
const DELETE = prepared({ name: 'organizations.delete', text: 'DELETE FROM organizations WHERE id = $1' });
const FINISH = prepared({
  name: 'organization_erasures.finish',
  text: 'UPDATE organization_erasures SET finished_at = $2 WHERE organization_id = $1 AND finished_at IS NULL',
});
const SWEPT = prepared({
  name: 'organization_erasures.swept',
  text: 'UPDATE organization_erasures SET swept_at = $2 WHERE organization_id = $1',
});

/** The organizations that are being erased, and those that were. */
@Injectable()
export class ErasuresRepository {
  constructor(private readonly database: Database) {}

  async get(organizationId: string, unit?: Unit): Promise<OrganizationErasure | undefined> {
    return (await this.database.rows<OrganizationErasure>(GET, [organizationId], unit))[0];
  }

  all(): Promise<OrganizationErasure[]> {
    return this.database.rows<OrganizationErasure>(ALL, []);
  }

  /** The erasures that were finished before a time and not swept since. */
  unswept(finishedBefore: string): Promise<OrganizationErasure[]> {
    return this.database.rows<OrganizationErasure>(UNSWEPT, [finishedBefore]);
  }

  async insert(erasure: OrganizationErasure, unit: Unit): Promise<void> {
    await this.database.rows(INSERT, valuesOf(SQL, erasure), unit);
  }

  async setHead(organizationId: string, head: { readonly sequence: number; readonly hash: string }): Promise<void> {
    await this.database.rows(SET_HEAD, [organizationId, head.sequence, head.hash]);
  }

  /** Deletes the record of the organization. From then on nothing is left of it but the erasure. */
  async finish(organizationId: string, now: string, unit: Unit): Promise<void> {
    await this.database.rows(DELETE, [organizationId], unit);
    await this.database.rows(FINISH, [organizationId, now], unit);
  }

  async swept(organizationId: string, now: string): Promise<void> {
    await this.database.rows(SWEPT, [organizationId, now]);
  }
}
