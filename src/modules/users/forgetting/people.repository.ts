import { getMetadataArgsStorage } from 'typeorm';
import { Injectable } from '@nestjs/common';
import { Database } from '../../../store/database/database.js';
import { classChain } from '../../../store/database/sql.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import { type PersonRule, saidOf, tablesWithPeople } from '../../../store/tenant/organization-tables.js';
import { acrossTenants, ORGANIZATION, organizationSql } from '../../../store/tenant/tenant-sql.js';
import type { User } from '../user.entity.js';

const ROWS_AT_ONCE = 5000;
/** Their rows are needed to find others. */
const LAST = ['events', 'users'];

/** What the tables have of a person: rows that go, columns that change, and what stays for a reason. */
export interface FoundOfPerson {
  readonly table: string;
  readonly becomes: 'removed' | 'changed' | 'kept';
  readonly rows: number;
  readonly why: string | null;
}

type Person = Pick<User, 'id' | 'organizationId' | 'email'>;

/** Each table says itself what becomes of its rows. */
@Injectable()
export class PeopleRepository {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Counts, and with `isDone` carries out. Can be interrupted and repeated: what is done is not found again. */
  async forget(person: Person, isDone: boolean): Promise<FoundOfPerson[]> {
    const found: FoundOfPerson[] = [];
    for (const [table, rule] of rules()) {
      if (rule.where === undefined) continue;
      const change = isDone && !rule.stays ? await this.carryOut(table, rule, person) : undefined;
      const rows = change ?? (await this.count(countSql(table, rule), table, person));
      const becomes = rule.stays ? 'kept' : rule.set ? 'changed' : 'removed';
      if (rows > 0) found.push({ table, becomes, rows, why: rule.stays?.why ?? null });
    }
    return found;
  }

  private async carryOut(table: string, rule: PersonRule, person: Person): Promise<number> {
    let rows = 0;
    for (;;) {
      const done = await this.count(changeSql(table, rule), table, person);
      rows += done;
      if (done < ROWS_AT_ONCE) return rows;
    }
  }

  private async count(text: string, table: string, { id: person, organizationId, email }: Person): Promise<number> {
    const values = { person, email } as never;
    const bound = hasOrganization(table)
      ? organizationSql('', text).bind({ organizationId }, values)
      : acrossTenants('', 'The rows are of a user who was found before.', text).bind(values);
    return this.unitOfWork.transact(async (unit) => {
      // Not every table has an index by which the rows are found.
      await unit.client.query('SET LOCAL statement_timeout = 0');
      return (await this.database.rows<{ rows: number }>(...bound, unit))[0]!.rows;
    });
  }
}

function rules(): [table: string, rule: PersonRule][] {
  const tables = tablesWithPeople();
  const inOrder = [...tables.filter((table) => !LAST.includes(table)), ...LAST];
  return inOrder.flatMap((table) => saidOf(table).people.map((rule): [string, PersonRule] => [table, rule]));
}

function hasOrganization(table: string): boolean {
  const { tables, columns } = getMetadataArgsStorage();
  const chain = classChain(tables.find(({ name }) => name === table)!.target as object);
  return columns.some(({ target, propertyName }) => propertyName === 'organizationId' && chain.has(target as object));
}

/** What is changed already does not count. */
function conditionOf(table: string, { where, set = {} }: PersonRule): string {
  const isLeft = Object.entries(set).map(([column, value]) => `${column}::text IS DISTINCT FROM (${value})::text`);
  const own = hasOrganization(table) ? `${ORGANIZATION} AND ` : '';
  return `${own}(${where})${isLeft.length > 0 ? ` AND (${isLeft.join(' OR ')})` : ''}`;
}

const countSql = (table: string, rule: PersonRule): string =>
  `SELECT count(*)::int AS rows FROM ${table} WHERE ${conditionOf(table, rule)}`;

/** In a partitioned table a place names a row in each partition: so the condition is asked twice. */
function changeSql(table: string, rule: PersonRule): string {
  const condition = conditionOf(table, rule);
  const columns = Object.entries(rule.set ?? {}).map(([column, value]) => `${column} = ${value}`);
  const change = rule.set ? `UPDATE ${table} SET ${columns.join(', ')}` : `DELETE FROM ${table}`;
  const places = `ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${ROWS_AT_ONCE}))`;
  return `WITH done AS (${change} WHERE ${places} AND ${condition} RETURNING 1) SELECT count(*)::int AS rows FROM done`;
}
