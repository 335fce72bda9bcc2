import { JobFailure } from '../../../../kernel/failure.js';
import type { DraftReading, LineDraft } from '../line-draft.js';
import type { StatementBalance } from '../statement-line.js';
import { headerNotFound, layoutOf, type Layout } from './layout.js';
import { MoneyReader } from './money.js';
import type { CsvRecord } from './records.js';
import { balanceOf, rowOf, type Row } from './row-reader.js';
import { RunningBalance } from './running-balance.js';
import { StatedBalances, statementIn } from './stated-balances.js';
import { DateOrder } from './written-date.js';

/** How many lines are held back until one of them proves the order of day and month. */
const MAX_WAITING = 20_000;
/** Lines are yielded in batches, because each yield takes time. */
const BATCH_LINES = 200;

/** The first records of a table, and all of them. */
export interface Table {
  readonly sample: readonly CsvRecord[];
  readonly records: AsyncIterable<CsvRecord>;
}

/** Reads a table, whatever kind of file it comes from. */
export function readTable({ sample, records }: Table, layout: Layout | null = layoutOf(sample)): DraftReading {
  if (!layout) throw headerNotFound();
  const reader = new TableReader(layout, new MoneyReader(layout, sample));
  return { lines: reader.linesOf(records), balances: () => reader.balances, period: () => null };
}

/** By account and currency: a file may have several of both. */
interface AccountBalances {
  readonly account: string | null;
  readonly currency: string | null;
  /** From the column of balances. */
  readonly running: RunningBalance;
  /** From rows of their own. */
  readonly stated: StatedBalances;
}

class TableReader {
  private readonly order = new DateOrder();
  private waiting: Row[] = [];
  private readonly accounts = new Map<string, AccountBalances>();

  constructor(
    private readonly layout: Layout,
    private readonly money: MoneyReader,
  ) {}

  async *linesOf(records: AsyncIterable<CsvRecord>): AsyncGenerator<readonly LineDraft[]> {
    let count = 0;
    for await (const record of records) {
      count += 1;
      if (count <= this.layout.recordsBefore || this.takeStatement(record)) continue;
      const row = rowOf(record, this.layout, this.money);
      if (!row) continue;
      this.take(row);
      if (this.waiting.length >= BATCH_LINES) yield this.release();
    }
    this.refuseAmbiguous();
    for (const { stated } of this.accounts.values()) stated.refuseContradiction();
    yield this.release();
  }

  get balances(): StatementBalance[] {
    return [...this.accounts.values()].flatMap(({ account, currency, stated, running }) => {
      const ends = stated.ends ?? running.ends;
      return ends ? [{ account, currency, ...ends }] : [];
    });
  }

  /** Whether the row states a balance or a turnover; balances are noted. */
  private takeStatement(record: CsvRecord): boolean {
    const statement = statementIn(record);
    if (!statement) return false;
    const balance = statement === 'turnover' ? null : balanceOf(record, this.layout, this.money);
    if (balance && statement !== 'turnover') this.accountOf(balance).stated.state(statement, balance.amount, record.line);
    return true;
  }

  private accountOf({ account, currency }: Pick<LineDraft, 'account' | 'currency'>): AccountBalances {
    const key = `${account} ${currency}`;
    const known = this.accounts.get(key) ?? { account, currency, running: new RunningBalance(), stated: new StatedBalances() };
    this.accounts.set(key, known);
    return known;
  }

  private take(row: Row): void {
    for (const date of row.dates) this.order.learn(date);
    this.waiting.push(row);
    if (this.waiting.length > MAX_WAITING) this.refuseAmbiguous();
    const { running, stated } = this.accountOf(row.draft);
    running.take(row.draft.amount, row.balance);
    stated.book(row.draft.amount);
  }

  /** The lines whose dates can be read: all of them if the order is known, else those before the first ambiguous date. */
  private release(): LineDraft[] {
    const first = this.waiting.findIndex(({ date }) => this.order.isAmbiguous(date));
    const ready = this.waiting.splice(0, first < 0 ? this.waiting.length : first);
    return ready.map(({ draft, date, line }) => {
      const bookedOn = this.order.read(date);
      if (!bookedOn)
        throw new JobFailure('invalid_date', `Line ${line} has a date that is invalid in the day and month order of the other lines.`);
      return { ...draft, bookedOn };
    });
  }

  private refuseAmbiguous(): void {
    const first = this.waiting.find(({ date }) => this.order.isAmbiguous(date));
    if (first)
      throw new JobFailure(
        'ambiguous_dates',
        `Line ${first.line} has a date that can be read as day/month or month/day, and no other date shows the order.`,
      );
  }
}
