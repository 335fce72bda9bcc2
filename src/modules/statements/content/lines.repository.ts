import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { Database, type Statement } from '../../../store/database/database.js';
import { entityColumns } from '../../../store/database/sql.js';
import type { RedactedLine } from '../redaction/redacted-line.js';
import { StatementLineRow } from './statement-content.entity.js';

const LINES_PER_READ = 2000;

const OWNER = ['statementId', 'organizationId', 'environment'];
/** The columns of a line itself. */
const COLUMNS = entityColumns(StatementLineRow).columns.filter(({ property }) => !OWNER.includes(property));
const INSERT: Statement = {
  name: 'statement_lines.insert',
  text: `INSERT INTO statement_lines (statement_id, organization_id, environment, ${COLUMNS.map(({ column }) => column).join(', ')})
    SELECT $1, $2, $3, line.* FROM unnest(${COLUMNS.map(({ type }, index) => `$${index + 4}::${type}[]`).join(', ')}) AS line`,
};
const NEXT: Statement = {
  name: 'statement_lines.next',
  text: `SELECT ${COLUMNS.map(({ property, column }) => `${column} AS "${property}"`).join(', ')} FROM statement_lines
    WHERE statement_id = $1 AND organization_id = $2 AND environment = $3 AND line_number > $4
    ORDER BY line_number LIMIT ${LINES_PER_READ}`,
};

/** The redacted lines of statements. Only report runs read them; no API operation does. */
@Injectable()
export class LinesRepository {
  constructor(private readonly database: Database) {}

  async insert(ctx: WriteContext, statementId: string, lines: readonly RedactedLine[]): Promise<void> {
    const columns = COLUMNS.map(({ property }) => lines.map((line) => line[property as keyof RedactedLine]));
    await this.database.rows(INSERT, [statementId, ctx.organizationId, ctx.environment, ...columns], ctx.unit);
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

  private after({ organizationId, environment }: Tenant, statementId: string, lineNumber: number): Promise<readonly RedactedLine[]> {
    return this.database.rows<RedactedLine>(NEXT, [statementId, organizationId, environment, lineNumber]);
  }
}
