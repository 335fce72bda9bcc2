import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../store/database/database.js';
import { entityColumns, insertSql, selectList, valuesOf } from '../../store/database/sql.js';
import type { Unit } from '../../store/database/unit-of-work.js';
import { Organization } from './organization.entity.js';

const SQL = entityColumns(Organization);
const SELECT = `SELECT ${selectList(SQL)} FROM organizations`;
const BY_ID: Statement = { name: 'organizations.by_id', text: `${SELECT} WHERE id = $1` };
const BY_SLUG: Statement = { name: 'organizations.by_slug', text: `${SELECT} WHERE slug = $1` };
const LOCK: Statement = { name: 'organizations.lock', text: `${SELECT} WHERE id = $1 FOR UPDATE` };
const NAMES: Statement = { name: 'organizations.names', text: 'SELECT id, name FROM organizations WHERE id = ANY($1)' };
const ALL: Statement = { name: 'organizations.all', text: `${SELECT} ORDER BY id` };
const IS_BEING_ERASED: Statement = {
  name: 'organizations.is_being_erased',
  text: 'SELECT true AS begun FROM organization_erasures WHERE organization_id = $1',
};
const INSERT: Statement = { name: 'organizations.insert', text: insertSql(SQL) };
const UPDATE: Statement = {
  name: 'organizations.update',
  text: `UPDATE organizations SET name = $2, plan = $3, status = $4, redact_counterparties = $5, country = $6, time_zone = $7,
    billing_cycle_anchor = $8, updated_at = $9, require_second_factor = $10 WHERE id = $1`,
};

@Injectable()
export class OrganizationRepository {
  constructor(private readonly database: Database) {}

  async byId(id: string): Promise<Organization | undefined> {
    return (await this.database.rows<Organization>(BY_ID, [id]))[0];
  }

  async bySlug(slug: string): Promise<Organization | undefined> {
    return (await this.database.rows<Organization>(BY_SLUG, [slug]))[0];
  }

  namesOf(ids: readonly string[]): Promise<Pick<Organization, 'id' | 'name'>[]> {
    return this.database.shortRead(NAMES, [ids]);
  }

  async lock(id: string, unit: Unit): Promise<Organization | undefined> {
    return (await this.database.rows<Organization>(LOCK, [id], unit))[0];
  }

  all(): Promise<Organization[]> {
    return this.database.rows<Organization>(ALL, []);
  }

  async isBeingErased(id: string, unit?: Unit): Promise<boolean> {
    return (await this.database.rows(IS_BEING_ERASED, [id], unit)).length > 0;
  }

  async insert(organization: Organization, unit: Unit): Promise<void> {
    await this.database.rows(INSERT, valuesOf(SQL, organization), unit);
  }

  /** Writes everything that can change. */
  async update(organization: Organization, unit: Unit): Promise<void> {
    const { id, name, plan, status, redactCounterparties, country, timeZone, billingCycleAnchor, updatedAt } = organization;
    const { requireSecondFactor } = organization;
    const values = [id, name, plan, status, redactCounterparties, country, timeZone, billingCycleAnchor, updatedAt, requireSecondFactor];
    await this.database.rows(UPDATE, values, unit);
  }
}
