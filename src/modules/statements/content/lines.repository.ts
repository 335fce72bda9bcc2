import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import type { WriteContext } from '../../../store/database/transaction.js';
import { Database, type Statement } from '../../../store/database/database.js';
import type { RedactedLine } from '../redaction/redacted-line.js';

const READ_AT_ONCE = 2000;

/** The columns with their types, in the order in which they are written and read. */
const COLUMNS: readonly (readonly [keyof RedactedLine, string, string])[] = [
  ['lineNumber', 'line_number', 'integer'],
  ['account', 'account', 'text'],
  ['bookedOn', 'booked_on', 'date'],
  ['amount', 'amount', 'text'],
  ['currency', 'currency', 'text'],
  ['description', 'description', 'text'],
  ['counterparty', 'counterparty', 'text'],
  ['counterpartyAccount', 'counterparty_account', 'text'],
  ['reference', 'reference', 'text'],
  ['fingerprint', 'fingerprint', 'text'],
];
const INSERT: Statement = {
  name: 'statement_lines.insert',
  text: `INSERT INTO statement_lines (statement_id, organization_id, environment, ${COLUMNS.map(([, column]) => column).join(', ')})
    SELECT $1, $2, $3, line.* FROM unnest(${COLUMNS.map(([, , type], index) => `$${index + 4}::${type}[]`).join(', ')}) AS line`,
};
const NEXT: Statement = {
  name: 'statement_lines.next',
  text: `SELECT ${COLUMNS.map(([property, column]) => `${column} AS "${property}"`).join(', ')} FROM statement_lines
    WHERE statement_id = $1 AND organization_id = $2 AND environment = $3 AND line_number > $4 ORDER BY line_number LIMIT ${READ_AT_ONCE}`,
};

/** The redacted lines of statements. They are read by report runs, and by nothing that answers a call. */
@Injectable()
export class LinesRepository {
  constructor(private readonly database: Database) {}

  async insert(ctx: WriteContext, statementId: string, lines: readonly RedactedLine[]): Promise<void> {
    const columns = COLUMNS.map(([property]) => lines.map((line) => line[property]));
    await this.database.rows(INSERT, [statementId, ctx.organizationId, ctx.environment, ...columns], ctx.unit);
  }

  /** In the order of the file, some thousands at a time: the next are read while those before are worked on. */
  async *of(tenant: Tenant, statementId: string): AsyncGenerator<readonly RedactedLine[]> {
    let next: Promise<readonly RedactedLine[]> | undefined = this.after(tenant, statementId, 0);
    while (next) {
      const lines: readonly RedactedLine[] = await next;
      next = lines.length < READ_AT_ONCE ? undefined : this.after(tenant, statementId, lines.at(-1)!.lineNumber);
      // It may fail when nobody wants to know any more.
      next?.catch(() => undefined);
      if (lines.length > 0) yield lines;
    }
  }

  private after({ organizationId, environment }: Tenant, statementId: string, lineNumber: number): Promise<readonly RedactedLine[]> {
    return this.database.rows<RedactedLine>(NEXT, [statementId, organizationId, environment, lineNumber]);
  }
}
