import { Injectable } from '@nestjs/common';
import type { Plans, StandardPlan } from '../../kernel/plans.js';
import { Database, prepared } from '../../store/database/database.js';
import { entityColumns, insertSql, selectList, valuesOf, withColumns } from '../../store/database/sql.js';
import type { Unit } from '../../store/database/unit-of-work.js';
import { ORGANIZATION, organizationSql } from '../../store/tenant/tenant-sql.js';
import { Organization } from './organization.entity.js';
import { beingErased, missing } from './organization-rules.js';

const SQL = entityColumns(Organization);
const SELECT = `SELECT ${selectList(SQL)} FROM organizations`;
const BY_ID = prepared({ name: 'organizations.by_id', text: `${SELECT} WHERE id = $1` });
const BY_SLUG = prepared({ name: 'organizations.by_slug', text: `${SELECT} WHERE slug = $1` });
const LOCK = prepared({ name: 'organizations.lock', text: `${SELECT} WHERE id = $1 FOR UPDATE` });
const NAMES = prepared({ name: 'organizations.names', text: 'SELECT id, name FROM organizations WHERE id = ANY($1)' });
const ALL = prepared({ name: 'organizations.all', text: `${SELECT} ORDER BY id` });
const IS_BEING_ERASED = organizationSql(
  'organizations.is_being_erased',
  `SELECT true AS begun FROM organization_erasures WHERE ${ORGANIZATION}`,
);
const INSERT = prepared({ name: 'organizations.insert', text: insertSql(SQL) });
const CHANGED = withColumns(SQL, ({ property }) => !['id', 'slug', 'createdAt'].includes(property));
const UPDATE = prepared({
  name: 'organizations.update',
  text: `UPDATE organizations SET ${CHANGED.columns.map(({ column }, index) => `${column} = $${index + 2}`).join(', ')} WHERE id = $1`,
});

@Injectable()
export class OrganizationRepository {
  constructor(private readonly database: Database) {}

  async byId(id: string): Promise<Organization | undefined> {
    return (await this.database.shortRead<Organization>(BY_ID, [id]))[0];
  }

  async bySlug(slug: string): Promise<Organization | undefined> {
    return (await this.database.rows<Organization>(BY_SLUG, [slug]))[0];
  }

  findNames(ids: readonly string[]): Promise<Pick<Organization, 'id' | 'name'>[]> {
    return this.database.shortRead(NAMES, [ids]);
  }

  async lock(id: string, unit: Unit): Promise<Organization> {
    return (await this.database.rows<Organization>(LOCK, [id], unit))[0] ?? missing(id);
  }

  /** Not one that is being erased. */
  async lockKept(id: string, unit: Unit): Promise<Organization> {
    const organization = await this.lock(id, unit);
    if (await this.isBeingErased(id, unit)) beingErased(id);
    return organization;
  }

  all(): Promise<Organization[]> {
    return this.database.rows<Organization>(ALL, []);
  }

  async isBeingErased(id: string, unit?: Unit): Promise<boolean> {
    return (await this.database.rows(...IS_BEING_ERASED.bind({ organizationId: id }), unit)).length > 0;
  }

  async insert(organization: Organization, unit: Unit): Promise<void> {
    await this.database.rows(INSERT, valuesOf(SQL, organization), unit);
  }

  async update(organization: Organization, unit: Unit): Promise<void> {
    await this.database.rows(UPDATE, [organization.id, ...valuesOf(CHANGED, organization)], unit);
  }
}

/** `organizationId` is a column. A subquery of one row, so that Postgres asks it last, and only for rows that are found. */
export function entitledSql(organizationId: string, plans: Plans, required: StandardPlan): string {
  // Their names have nothing but letters, digits and hyphens.
  const names = plans.including(required).map((sufficient) => `'${sufficient}'`);
  return `(SELECT status = 'active' AND plan IN (${names.join(', ')}) FROM organizations WHERE organizations.id = ${organizationId})`;
}

/** No worker begins or finishes anything for an organization that is being erased. */
export const keptSql = (row: string): string =>
  `NOT EXISTS (SELECT 1 FROM organization_erasures erasure WHERE erasure.organization_id = ${row}.organization_id)`;
