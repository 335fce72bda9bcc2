import { JobFailure } from '../../../../kernel/failure.js';
import type { DraftReading, LineDraft } from '../line-draft.js';
import type { StatementBalance } from '../statement-line.js';
import { layoutOf, type Layout } from './layout.js';
import { MoneyReader } from './money.js';
import { recordsOf, type CsvRecord } from './records.js';
import { rowOf, type Row } from './row-reader.js';
import { RunningBalance } from './running-balance.js';
import { DateOrder } from './written-date.js';

/** How many lines are held back until one of them proves the order of day and month. */
const MAX_WAITING = 20_000;
/** Lines are yielded in batches, because each yield takes time. */
const BATCH_LINES = 200;

export function readCsv(head: string, texts: AsyncIterable<string>, fileName: string): DraftReading {
  const { layout, sample } = layoutOf(head, fileName);
  const reader = new CsvReader(layout, new MoneyReader(layout, sample));
  return { lines: reader.linesOf(recordsOf(texts, layout.delimiter)), balances: () => reader.balances, period: () => null };
}

class CsvReader {
  private readonly order = new DateOrder();
  private waiting: Row[] = [];
  /** By account and currency: a file may have several of both. */
  private readonly running = new Map<
    string,
    { readonly account: string | null; readonly currency: string | null; readonly balance: RunningBalance }
  >();

  constructor(
    private readonly layout: Layout,
    private readonly money: MoneyReader,
  ) {}

  async *linesOf(records: AsyncIterable<CsvRecord>): AsyncGenerator<readonly LineDraft[]> {
    let count = 0;
    for await (const record of records) {
      count += 1;
      const row = count > this.layout.recordsBefore ? rowOf(record, this.layout, this.money) : null;
      if (!row) continue;
      this.take(row);
      if (this.waiting.length >= BATCH_LINES) yield this.release();
    }
    this.refuseAmbiguous();
    yield this.release();
  }

  get balances(): StatementBalance[] {
    return [...this.running.values()].flatMap(({ account, currency, balance }) =>
      balance.ends ? [{ account, currency, ...balance.ends }] : [],
    );
  }

  private take(row: Row): void {
    for (const date of row.dates) this.order.learn(date);
    this.waiting.push(row);
    if (this.waiting.length > MAX_WAITING) this.refuseAmbiguous();
    const { account, currency, amount } = row.draft;
    const key = `${account} ${currency}`;
    const running = this.running.get(key) ?? { account, currency, balance: new RunningBalance() };
    running.balance.take(amount, row.balance);
    this.running.set(key, running);
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
