import { JobFailure } from '../../../../kernel/failure.js';
import { widened, type DraftReading, type LineDraft, type Period } from '../line-draft.js';
import type { ReadingOptions } from '../reading-options.js';
import type { ReadingWarning, StatementBalance } from '../statement-line.js';
import type { Layout } from './layout.js';
import { BalancesOfLayout } from './layouts/balances-of-layout.js';
import { doesNotFit } from './layouts/apply-layout.js';
import { MoneyReader } from './money.js';
import { readColumns } from './read-columns.js';
import type { CsvRecord } from './records.js';
import { balanceOf, looksLikeBooking, rowOf, type BalanceRow, type OtherRow, type Row } from './row-reader.js';
import { statementIn } from './stated-balances.js';
import { statedPeriod } from './stated-period.js';
import { TableWarnings } from './table-warnings.js';
import { DateOrder, type WrittenDate } from './written-date.js';

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
export function readTable({ sample, records }: Table, options: ReadingOptions, found: Layout): DraftReading {
  const layout = {
    ...found,
    otherwiseCurrency: options.currency ?? found.written?.currency,
    isInverted: options.isInverted ?? found.isInverted,
  };
  const reader = new TableReader(layout, new MoneyReader(layout, sample), new TableWarnings(options, found.like));
  return {
    lines: reader.linesOf(records),
    balances: () => reader.balances,
    period: () => reader.periodUntil(options.today),
    columns: readColumns(found, sample),
    layout: found.used,
    warnings: () => reader.warnings,
  };
}

class TableReader {
  private readonly order: DateOrder;
  /** Rows that are not released yet. The last of them may be continued by the next row. */
  private waiting: (Row | BalanceRow)[] = [];
  private readonly accounts: BalancesOfLayout;
  /** From the first to the last booking. */
  private days: Period | null = null;

  constructor(
    private readonly layout: Layout,
    private readonly money: MoneyReader,
    private readonly noticed: TableWarnings,
  ) {
    this.order = new DateOrder(layout.written?.dates);
    this.accounts = new BalancesOfLayout(layout.written);
  }

  async *linesOf(records: AsyncIterable<CsvRecord>): AsyncGenerator<readonly LineDraft[]> {
    let count = 0;
    for await (const record of records) {
      count += 1;
      if (count <= this.layout.recordsBefore) {
        if (looksLikeBooking(record, this.layout, this.money)) this.noticed.leftOut('above the header', record.line);
        continue;
      }
      if (this.takeStatement(record)) continue;
      this.take(rowOf(record, this.layout, this.money), record.line);
      if (this.waiting.length > BATCH_LINES) yield this.release(this.waiting.length - 1);
    }
    this.refuseAmbiguous();
    const rest = this.release(this.waiting.length);
    this.accounts.refuseContradiction();
    yield rest;
  }

  /** The stated period, as far as its days are over. */
  periodUntil(today: string): Period | null {
    return this.layout.period && statedPeriod(this.layout.period, this.order, this.days, today);
  }

  get balances(): StatementBalance[] {
    return this.accounts.balances;
  }

  get warnings(): readonly ReadingWarning[] {
    const { directionIsUnknown } = this.money;
    return this.noticed.all({ ...this.accounts.proof, directionIsUnknown, unusedAmounts: this.layout.unusedAmounts });
  }

  /** Whether the row states a balance or a turnover; balances are noted. */
  private takeStatement(record: CsvRecord): boolean {
    const statement = statementIn(record);
    if (!statement) return false;
    const balance = statement === 'turnover' ? null : balanceOf(record, this.layout, this.money);
    if (statement === 'turnover') this.noticed.leftOut('turnover', record.line);
    else if (balance) this.accounts.state(statement, balance, record.line);
    return true;
  }

  private take(row: Row | OtherRow, line: number): void {
    if (row.kind === 'booking') for (const date of row.dates) this.learn(date, line);
    if (row.kind === 'booking' || row.kind === 'balance') this.waiting.push(row);
    else if (row.kind === 'not booked') this.noticed.leftOut('not booked', line);
    else if (row.kind === 'continuation') this.continueLast(row.text);
    if (this.waiting.length > MAX_WAITING) this.refuseAmbiguous();
  }

  private learn(date: WrittenDate, line: number): void {
    const { written } = this.layout;
    if (written?.dates && this.order.read(date) === null)
      throw doesNotFit(`Line ${line} has a date that does not exist as ${written.dates}, the order in the layout “${written.name}”.`);
    this.order.learn(date);
  }

  private continueLast(text: string): void {
    const last = this.waiting.at(-1);
    if (last?.kind !== 'booking') return;
    const description = `${last.draft.description} ${text}`.trim();
    this.waiting[this.waiting.length - 1] = { ...last, draft: { ...last.draft, description } };
  }

  /** The first lines whose dates can be read: all of them if the order is known, else those before the first ambiguous date. */
  private release(most: number): LineDraft[] {
    const ambiguous = this.waiting.findIndex(({ date }) => this.order.isAmbiguous(date));
    const ready = this.waiting.splice(0, Math.min(most, ambiguous < 0 ? most : ambiguous));
    const drafts: LineDraft[] = [];
    for (const row of ready) {
      const bookedOn = this.order.read(row.date);
      if (!bookedOn)
        throw new JobFailure('invalid_date', `Line ${row.line} has a date that is invalid in the day and month order of the other lines.`);
      this.accounts.take(row, bookedOn);
      if (row.kind === 'balance') continue;
      const draft = { ...row.draft, bookedOn };
      this.days = widened(this.days, bookedOn, bookedOn);
      this.noticed.line(draft, row.line);
      drafts.push(draft);
    }
    return drafts;
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
