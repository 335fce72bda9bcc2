import type { Tenant } from '../../../kernel/context.js';
import { Database } from '../../../store/database/database.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { Implements } from '../../../store/discovery/ports.js';
import { EncryptedColumns, Secrets } from '../../../store/secrets/secrets.js';
import { acrossTenants, TENANT, tenantSql } from '../../../store/tenant/tenant-sql.js';
import type { MaskedName } from '../../../../tools/personal-data/index.js';

const MAX_DOUBTFUL = 500;
/** Each may have 10,000 names. */
const STATEMENTS_PER_READ = 10;
const NEWEST = 100;
export const MAX_TOKENS = 10_000;

const INSERT = tenantSql(
  'statement_names.insert',
  `INSERT INTO statement_names (statement_id, organization_id, environment, names, doubtful)
    VALUES (:statementId, :organizationId, :environment, :names, :doubtful)`,
);
const OF_STATEMENTS = tenantSql(
  'statement_names.of_statements',
  `SELECT statement_id AS "statementId", names AS stored FROM statement_names
    WHERE ${TENANT} AND statement_id = ANY (:statementIds::uuid[])`,
);
const DOUBTFUL = tenantSql(
  'statement_names.doubtful',
  `SELECT statement_id AS "statementId", doubtful AS stored FROM statement_names
    WHERE ${TENANT} AND doubtful IS NOT NULL ORDER BY statement_id DESC LIMIT ${NEWEST}`,
);
const PEOPLE = tenantSql(
  'statement_names.people',
  `SELECT found[1] AS token, count(DISTINCT (statement_id, line_number))::integer AS lines
    FROM statement_lines, regexp_matches(concat_ws(' ', counterparty, description, reference), 'PERSON-[0-9A-Z]{12}', 'g') AS found
    WHERE ${TENANT} AND statement_id = ANY (:statementIds::uuid[])
      AND booked_on BETWEEN coalesce(:start::date, '-infinity') AND coalesce(:end::date, 'infinity')
    GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${MAX_TOKENS + 1}`,
);
const FORGET = acrossTenants(
  'statement_names.forget',
  'Finds an organization that keeps no names any more.',
  `DELETE FROM statement_names WHERE (statement_id, organization_id) IN (
      SELECT statement_id, organization_id FROM statement_names WHERE organization_id = (
        SELECT id FROM organizations WHERE NOT keep_names
          AND EXISTS (SELECT FROM statement_names of_them WHERE of_them.organization_id = organizations.id) LIMIT 1)
      LIMIT 500) RETURNING true AS forgotten`,
);

/** As it is stored, in JSON. */
type StoredName = readonly [token: string, name: string, times: number];

export interface DoubtfulName extends Pick<MaskedName, 'token' | 'name' | 'times'> {
  readonly statementId: string;
}

const boundTo = (statementId: string): string => `names of bank statement ${statementId}`;

@Implements(EncryptedColumns)
export class StatementNamesRepository implements EncryptedColumns {
  readonly encrypted = ['names', 'doubtful'].map((column) => ({
    table: 'statement_names',
    column,
    key: ['statement_id', 'organization_id'],
    owner: boundTo,
    rowsAtOnce: STATEMENTS_PER_READ,
  }));

  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  async store(ctx: WriteContext, statementId: string, names: readonly MaskedName[]): Promise<void> {
    const doubtful = names.filter(({ isDoubtful }) => isDoubtful).slice(0, MAX_DOUBTFUL);
    const sealed = (some: readonly MaskedName[]): Buffer =>
      this.secrets.encrypt(JSON.stringify(some.map(({ token, name, times }): StoredName => [token, name, times])), boundTo(statementId));
    const values = { statementId, names: sealed(names), doubtful: doubtful.length === 0 ? null : sealed(doubtful) };
    await this.database.rows(...INSERT.bind(ctx, values), ctx.unit);
  }

  /** People in the lines of statements within a period, with the number of lines; one more than a key list has, if there are more. */
  people(
    tenant: Tenant,
    of: { readonly statementIds: readonly string[]; readonly start: string | null; readonly end: string | null },
  ): Promise<{ token: string; lines: number }[]> {
    return this.database.rows(...PEOPLE.bind(tenant, of));
  }

  async findNames(tenant: Tenant, statementIds: readonly string[], tokens: ReadonlySet<string>): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (let at = 0; at < statementIds.length; at += STATEMENTS_PER_READ) {
      const some = statementIds.slice(at, at + STATEMENTS_PER_READ);
      const rows = await this.database.rows<Stored>(...OF_STATEMENTS.bind(tenant, { statementIds: some }));
      for (const [token, name] of rows.flatMap((row) => this.open(row))) if (tokens.has(token) && !found.has(token)) found.set(token, name);
    }
    return found;
  }

  /** Those of the newest statements, each once. */
  async doubtful(tenant: Tenant): Promise<DoubtfulName[]> {
    const found = new Map<string, DoubtfulName>();
    for (const row of await this.database.rows<Stored>(...DOUBTFUL.bind(tenant))) {
      for (const [token, name, times] of this.open(row)) {
        const known = found.get(token) ?? { token, name, times: 0, statementId: row.statementId };
        found.set(token, { ...known, times: known.times + times });
      }
    }
    return [...found.values()].sort((one, other) => other.times - one.times || (one.name < other.name ? -1 : 1));
  }

  /** Removes some of the names of an organization that keeps none any more. Returns how many statements had them. */
  async forget(): Promise<number> {
    return (await this.database.rows(...FORGET.bind())).length;
  }

  private open({ statementId, stored }: Stored): StoredName[] {
    return JSON.parse(this.secrets.decrypt(stored, boundTo(statementId))) as StoredName[];
  }
}

interface Stored {
  readonly statementId: string;
  readonly stored: Buffer;
}
