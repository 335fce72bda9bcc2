import type { Finding } from '../checks/findings.js';
import type { RunLine, RunStatement } from '../inputs.js';
import { AccountIdentities } from './identities.js';
import { Overlaps } from './overlaps.js';
import { RepeatedBookings } from './repeated-bookings.js';

/** Some lines, and those of them that repeat a booking of an earlier statement. */
export interface ComparedLines {
  readonly lines: readonly RunLine[];
  readonly repeated: ReadonlySet<RunLine>;
}

const NONE: ReadonlySet<RunLine> = new Set();
const LINES_PER_BATCH = 500;

/** Compares statements that cover the same days of an account. */
export class StatementComparison {
  readonly identities: AccountIdentities;
  private readonly statements: ReadonlyMap<string, RunStatement>;
  private readonly overlaps: Overlaps;
  private readonly bookings: RepeatedBookings;
  /** All lines so far of a statement that has to be compared: the best pairs are known at its end. */
  private held: RunLine[] = [];

  constructor(statements: readonly RunStatement[]) {
    this.statements = new Map(statements.map((statement) => [statement.id, statement]));
    this.identities = new AccountIdentities(statements);
    this.overlaps = new Overlaps(statements, this.identities);
    this.bookings = new RepeatedBookings(this.identities, this.overlaps);
  }

  /** The lines in the order in which they come. */
  async *compare(batches: AsyncIterable<readonly RunLine[]>): AsyncGenerator<ComparedLines> {
    for await (const batch of batches) {
      for (const written of byStatement(batch)) {
        const lines = this.withCurrencies(written);
        if (this.held.length > 0 && this.held[0]!.statementId !== lines[0]!.statementId) yield* this.release();
        if (this.overlaps.concern(this.statementOf(lines[0]!))) for (const line of lines) this.held.push(line);
        else yield { lines, repeated: NONE };
      }
    }
    yield* this.release();
  }

  findings(): Iterable<Finding> {
    return this.bookings.findings.found();
  }

  private withCurrencies(lines: readonly RunLine[]): readonly RunLine[] {
    if (lines.every(({ currency }) => currency !== null)) return lines;
    const statement = this.statementOf(lines[0]!);
    return lines.map((line) => ({ ...line, currency: this.identities.currencyOf(line, statement) }));
  }

  private *release(): Generator<ComparedLines> {
    const lines = this.held;
    if (lines.length === 0) return;
    this.held = [];
    const repeated = this.bookings.in(this.statementOf(lines[0]!), lines);
    for (let from = 0; from < lines.length; from += LINES_PER_BATCH) yield { lines: lines.slice(from, from + LINES_PER_BATCH), repeated };
  }

  private statementOf({ statementId }: RunLine): RunStatement {
    const statement = this.statements.get(statementId);
    if (!statement) throw new Error('A line belongs to a statement that is not among the inputs.');
    return statement;
  }
}

function* byStatement(batch: readonly RunLine[]): Generator<readonly RunLine[]> {
  let from = 0;
  while (from < batch.length) {
    const { statementId } = batch[from]!;
    const next = batch.findIndex((line, index) => index > from && line.statementId !== statementId);
    const end = next < 0 ? batch.length : next;
    yield batch.slice(from, end);
    from = end;
  }
}
