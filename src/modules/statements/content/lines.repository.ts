import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { Database } from '../../../store/database/database.js';
import { entityColumns } from '../../../store/database/sql.js';
import { TENANT, tenantSql } from '../../../store/tenant/tenant-sql.js';
import type { RedactedLine } from '../../../../tools/personal-data/index.js';
import type { Period } from '../../../../tools/bank-files/index.js';
import { StatementLineRow } from './statement-content.entity.js';

const LINES_PER_READ = 2000;
const OWNER = ['statementId', 'organizationId', 'environment'];
const COLUMNS = entityColumns(StatementLineRow).columns.filter(({ property }) => !OWNER.includes(property));
const OF_STATEMENT = 'Of statements that were read before.';
const INSERT = tenantSql(
  'statement_lines.insert',
  `INSERT INTO statement_lines (statement_id, organization_id, environment, ${COLUMNS.map(({ column }) => column).join(', ')})
    SELECT :statementId, :organizationId, :environment, line.*
      FROM unnest(${COLUMNS.map(({ property, type }) => `:${property}::${type}[]`).join(', ')}) AS line`,
  OF_STATEMENT,
);
const NEXT = tenantSql(
  'statement_lines.next',
  `SELECT ${COLUMNS.map(({ property, column }) => `${column} AS "${property}"`).join(', ')} FROM statement_lines
    WHERE statement_id = :statementId AND ${TENANT} AND line_number > :after
    ORDER BY line_number LIMIT ${LINES_PER_READ}`,
  OF_STATEMENT,
);

const BETWEEN = tenantSql(
  'statement_lines.between',
  `SELECT ${COLUMNS.map(({ property, column }) => `${column} AS "${property}"`).join(', ')} FROM statement_lines
    WHERE statement_id = :statementId AND ${TENANT} AND line_number > :after AND line_number <= :last
    ORDER BY line_number`,
  OF_STATEMENT,
);

// Of the days on which an account has lines: how many lines the statement has, and how many of them the account has as well.
// The first lines of a statement are enough to tell, and all of millions would take too long.
const LINES_COMPARED = 1000;
const ACCOUNT_MATCHES = tenantSql(
  'statement_lines.account_matches',
  `WITH unnamed AS (
      SELECT statement_id, booked_on, amount::numeric AS amount, count(*) AS lines FROM statement_lines
      WHERE ${TENANT} AND statement_id = ANY (:statementIds::uuid[])
        AND line_number <= ${LINES_COMPARED} GROUP BY 1, 2, 3
    ), bookings AS (
      SELECT account, booked_on, amount, max(lines) AS lines FROM (
        SELECT statement_id, account, booked_on, amount::numeric AS amount, count(*) AS lines FROM statement_lines
        WHERE ${TENANT} AND statement_id = ANY (:others::uuid[]) AND account IS NOT NULL
          AND booked_on IN (SELECT booked_on FROM unnamed) GROUP BY 1, 2, 3, 4
      ) AS by_statement GROUP BY 1, 2, 3
    ), days AS (SELECT DISTINCT account, booked_on FROM bookings)
    SELECT unnamed.statement_id AS "statementId", days.account, sum(unnamed.lines)::integer AS lines,
      sum(least(unnamed.lines, coalesce(bookings.lines, 0)))::integer AS matched
    FROM unnamed JOIN days USING (booked_on)
      LEFT JOIN bookings ON bookings.account = days.account AND bookings.booked_on = unnamed.booked_on AND bookings.amount = unnamed.amount
    GROUP BY 1, 2`,
);

const CURRENCIES = tenantSql(
  'statement_lines.currencies',
  `SELECT currency, min(booked_on)::text AS start, max(booked_on)::text AS end FROM statement_lines
    WHERE ${TENANT} AND statement_id = ANY (:statementIds::uuid[])
      AND booked_on BETWEEN coalesce(:start::date, '-infinity') AND coalesce(:end::date, 'infinity')
    GROUP BY currency`,
  OF_STATEMENT,
);

const MONTHS = tenantSql(
  'statement_lines.months',
  `SELECT statement_id AS "statementId", account, to_char(booked_on, 'YYYY-MM') AS month, count(*)::integer AS lines
    FROM statement_lines WHERE ${TENANT} AND statement_id = ANY (:statementIds::uuid[]) GROUP BY 1, 2, 3`,
  OF_STATEMENT,
);

const SUMS = tenantSql(
  'statement_lines.sums',
  `SELECT account, currency, sum(amount::numeric)::text AS sum FROM statement_lines
    WHERE ${TENANT} AND statement_id = :statementId GROUP BY 1, 2`,
  OF_STATEMENT,
);

export interface LineSum {
  readonly account: string | null;
  readonly currency: string | null;
  readonly sum: string;
}

/** How many lines a statement has of an account in a month. */
export interface LineMonth {
  readonly statementId: string;
  readonly account: string | null;
  readonly month: string;
  readonly lines: number;
}

/** A currency of lines, null for those without one, and their first and last day. */
export interface LineCurrency extends Period {
  readonly currency: string | null;
}

export interface AccountMatch {
  readonly statementId: string;
  readonly account: string;
  /** First lines of the statement on days on which the account has lines, and how many of them the account has as well. */
  readonly lines: number;
  readonly matched: number;
}

/** The redacted lines of statements. Report runs and the console read them; no API operation does. */
@Injectable()
export class LinesRepository {
  constructor(private readonly database: Database) {}

  async insert(ctx: WriteContext, statementId: string, lines: readonly RedactedLine[]): Promise<void> {
    const columns = COLUMNS.map(({ property }) => [property, lines.map((line) => line[property as keyof RedactedLine])] as const);
    await this.database.rows(...INSERT.bind(ctx, { statementId, ...Object.fromEntries(columns) }), ctx.unit);
  }

  /** In the order of the file, in batches. The next batch is read while the caller processes the current one. */
  async *of(tenant: Tenant, statementId: string): AsyncGenerator<readonly RedactedLine[]> {
    let next: Promise<readonly RedactedLine[]> | undefined = this.after(tenant, statementId, 0);
    while (next) {
      const lines: readonly RedactedLine[] = await next;
      next = lines.length < LINES_PER_READ ? undefined : this.after(tenant, statementId, lines.at(-1)!.lineNumber);
      // The caller may stop before it awaits this promise, so a failure must not be unhandled.
      next?.catch(() => undefined);
      if (lines.length > 0) yield lines;
    }
  }

  between(tenant: Tenant, statementId: string, after: number, last: number): Promise<RedactedLine[]> {
    return this.database.rows<RedactedLine>(...BETWEEN.bind(tenant, { statementId, after, last }));
  }

  /** How well the days and amounts of statements without an account match those of the accounts of others. */
  accountMatches(tenant: Tenant, statementIds: readonly string[], others: readonly string[]): Promise<AccountMatch[]> {
    return this.database.rows<AccountMatch>(...ACCOUNT_MATCHES.bind(tenant, { statementIds, others }));
  }

  currencies(tenant: Tenant, statementIds: readonly string[], period: Period | null): Promise<LineCurrency[]> {
    const days = { start: period?.start ?? null, end: period?.end ?? null };
    return this.database.rows(...CURRENCIES.bind(tenant, { statementIds, ...days }));
  }

  months(tenant: Tenant, statementIds: readonly string[]): Promise<LineMonth[]> {
    return this.database.rows<LineMonth>(...MONTHS.bind(tenant, { statementIds }));
  }

  /** Of a statement whose lines the transaction has stored. */
  sums(ctx: WriteContext, statementId: string): Promise<LineSum[]> {
    return this.database.rows<LineSum>(...SUMS.bind(ctx, { statementId }), ctx.unit);
  }

  private after(tenant: Tenant, statementId: string, lineNumber: number): Promise<readonly RedactedLine[]> {
    return this.database.rows<RedactedLine>(...NEXT.bind(tenant, { statementId, after: lineNumber }));
  }
}
