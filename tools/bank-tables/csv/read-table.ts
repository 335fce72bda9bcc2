import { wordSections } from '../word-lists.js';
import { UnreadableFile, BATCH_LINES, DateOrder, FIRST_YEAR, Place, WaitingLines, widened, writtenAmount } from '../../bank-files/index.js';
import { yearAfter } from '../../bank-files/index.js';
import type { CsvRecord, LineDraft, Period, ReadingWarning, WrittenDate } from '../../bank-files/index.js';
import type { DraftReading, ReadColumn, TableOptions } from '../reading.js';
import { type Column, columnNamed, MONEY_COLUMNS } from './column-names.js';
import { doesNotFit, type Layout, statedPeriod } from './layout.js';
import { BalancesOfLayout } from './layouts/balances-of-layout.js';
import type { LayoutWord } from '../written-layout.js';
import { MoneyReader } from './money.js';
import { balanceOf, hasOtherCurrency, looksLikeBooking, rowOf, statementOf } from './row-reader.js';
import type { BalanceRow, Continuation, LeftOut, OtherRow, Row } from './row-reader.js';
import { sectionOf } from './status-words.js';

/** What each column of a table is read as, in the order of the table and in the words of layouts. */
function readColumns({ columns, notes, recordsBefore }: Layout, sample: readonly CsvRecord[]): ReadColumn[] {
  const header = recordsBefore > 0 ? (sample[recordsBefore - 1]?.cells ?? []) : [];
  const width = Math.max(0, ...sample.slice(recordsBefore).map(({ cells }) => cells.length), header.length);
  const meanings = new Map<number, LayoutWord>(
    [...columns].flatMap(([column, indexes]) => indexes.map((index) => [index, WORDS[column] ?? (column as LayoutWord)] as const)),
  );
  const noted = new Set(notes.map(({ index }) => index));
  return Array.from({ length: width }, (_value, index) => ({
    column: index + 1,
    name: header[index] ?? '',
    readAs: meanings.get(index) ?? (noted.has(index) ? 'note' : null),
  }));
}

/** For what recognition resolves. */
const WORDS: Partial<Record<Column, LayoutWord>> = { technical: 'ignore', gross: 'note', net: 'note' };

export interface Table {
  readonly sample: readonly CsvRecord[];
  readonly records: AsyncIterable<CsvRecord>;
}

/** Reads a table, whatever kind of file it comes from. */
export function readTable({ sample, records }: Table, options: TableOptions, found: Layout): DraftReading {
  const layout = {
    ...found,
    otherwiseCurrency: options.currency ?? found.written?.currency,
    isInverted: options.isInverted ?? found.isInverted,
  };
  const reader = new TableReader(layout, new MoneyReader(layout, sample), new TableWarnings(options, found.like));
  return {
    lines: reader.linesOf(records),
    balances: () => reader.accounts.balances,
    period: () => reader.periodUntil(options.today),
    columns: readColumns(found, sample),
    layout: found.used,
    warnings: () => reader.warnings,
    isProven: () => reader.isProven,
  };
}

class TableReader {
  private readonly order: DateOrder;
  /** Rows that are not released yet. The last of them may be continued by the next row. */
  private readonly waiting: WaitingLines<Row | BalanceRow>;
  readonly accounts: BalancesOfLayout;
  private readonly isOfCard: boolean;
  /** How many decimals the numbers at the end of rows have. */
  private readonly lastDecimals = new Set<number>();
  /** How the dates of bookings are written. */
  private form: 'numbers' | 'year first' | null = null;
  /** What a row above says of those below it. */
  private section: 'booked' | 'not booked' = 'booked';
  private days: Period | null = null;

  constructor(
    private readonly layout: Layout,
    private readonly money: MoneyReader,
    private readonly noticed: TableWarnings,
  ) {
    this.order = new DateOrder(layout.written?.dates);
    this.waiting = new WaitingLines(({ line }) => `Line ${line}`, 'add a layout that says the order', this.order);
    this.isOfCard = layout.written?.amounts === 'charges-positive' || layout.written?.name.startsWith('cards/') === true;
    this.accounts = new BalancesOfLayout(layout.written);
  }

  async *linesOf(records: AsyncIterable<CsvRecord>): AsyncGenerator<readonly LineDraft[]> {
    let count = 0;
    let namesBalance = false;
    for await (const record of records) {
      count += 1;
      if (count <= this.layout.recordsBefore) {
        // Below a name such as `Saldo`, a row of the account itself has a day and an amount, too.
        if (!namesBalance && looksLikeBooking(record, this.layout, this.money)) this.noticed.leftOut('above the header', record.line);
        namesBalance = record.cells.some((cell) => columnNamed(cell)?.column === 'balance');
        continue;
      }
      this.refuseCut(record);
      if (this.takeStatement(record)) continue;
      this.section = sectionOf(record) ?? this.section;
      const read = rowOf(record, this.layout, this.money);
      const row = read.kind === 'booking' && this.section === 'not booked' ? ({ kind: 'not booked' } as const) : read;
      if (row.kind === 'booking' && hasOtherCurrency(record, this.layout)) this.noticed.otherCurrencyBeside(record.line);
      this.take(row, record.line);
      if (this.waiting.count > BATCH_LINES) yield this.draftsOf(this.waiting.release(this.waiting.count - 1));
    }
    const rest = this.draftsOf(this.waiting.finish());
    this.accounts.refuseContradiction();
    yield rest;
  }

  /** The stated period, as far as its days are over. */
  periodUntil(today: string): Period | null {
    return this.layout.period && statedPeriod(this.layout.period, this.order, this.days, today);
  }

  get warnings(): readonly ReadingWarning[] {
    return this.noticed.all(this.accounts.proof, this.money, this.layout);
  }

  get isProven(): boolean {
    const { isProven, hasBalances } = this.accounts.proof;
    return isProven && hasBalances && !this.money.directionIsGuessed;
  }

  /** Whether the row states a balance or a turnover; balances are noted. */
  private takeStatement(record: CsvRecord): boolean {
    const statement = statementOf(record, this.layout, this.money);
    if (!statement) return false;
    const balance = statement === 'turnover' ? null : balanceOf(record, this.layout, this.money);
    if (balance) this.accounts.state(statement as 'opening' | 'closing', balance, record.line);
    // What is in the column for amounts counts as a balance only if the balances prove it.
    if (!balance || this.money.hasAmount(record)) this.noticed.leftOut('turnover', record.line);
    return true;
  }

  private take(row: Row | OtherRow, line: number): void {
    if (row.kind === 'booking') {
      this.refuseMixed(row.date, line);
      for (const date of row.dates) this.refuseOtherOrder(date, line);
    }
    if (row.kind === 'booking' || row.kind === 'balance') this.waiting.add(row, row.kind === 'booking' ? row.dates : []);
    else if (row.kind === 'not booked' || row.kind === 'status unknown' || row.kind === 'total') this.noticed.leftOut(row.kind, line);
    else if (row.kind === 'continuation') this.continueLast(row);
  }

  /** A file that was cut within its last number has fewer decimals there than above. */
  private refuseCut({ cells, line, isOpen }: CsvRecord): void {
    const cell = cells.at(-1) ?? '';
    const decimals = writtenAmount(cell) ? (/[.,](\d*)$/.exec(cell)?.[1] ?? '').length : null;
    const isOther = this.lastDecimals.size === 1 && !this.lastDecimals.has(decimals ?? 0) && (decimals ?? 0) < 2;
    if (isOpen && decimals !== null && (isOther || this.endsEarly(cells.length, decimals)))
      throw new UnreadableFile('incomplete_file', `Line ${line} ends within a number, as it seems: the file was cut off. Export it again.`);
    if (decimals !== null) this.lastDecimals.add(decimals);
  }

  /** Where rows end after their last cell, nothing but the decimals of other rows shows that a number is whole. */
  private endsEarly(width: number, decimals: number): boolean {
    const isSure = decimals > 0 && this.lastDecimals.size === 1 && this.lastDecimals.has(decimals);
    const { columns, cells } = this.layout;
    const isMoney = MONEY_COLUMNS.some((column) => columns.get(column)?.includes(width - 1));
    return width < cells.whole && isMoney && !isSure;
  }

  /** A program that took some dates for its own has exchanged day and month in them: it does so for days up to 12. */
  private refuseMixed(date: WrittenDate, line: number): void {
    const form = !('day' in date) ? 'numbers' : date.isYearFirst ? 'year first' : null;
    this.form ??= form;
    if (form === null || form === this.form) return;
    throw new UnreadableFile(
      'ambiguous_dates',
      `Line ${line} writes its date in another form than the lines before it, so day and month may be exchanged.`,
    );
  }

  private refuseOtherOrder(date: WrittenDate, line: number): void {
    const { written } = this.layout;
    if (written?.dates && this.order.read(date) === null)
      throw doesNotFit(`Line ${line} has a date that does not exist as ${written.dates}, the order in the layout “${written.name}”.`);
  }

  private continueLast({ text, unnamed = [] }: Continuation): void {
    this.waiting.changeLast((last) => {
      if (last.kind !== 'booking') return last;
      const { draft } = last;
      const continued = { description: `${draft.description} ${text}`.trim(), unnamed: [...(draft.unnamed ?? []), ...unnamed] };
      return { ...last, draft: { ...draft, ...continued } };
    });
  }

  private draftsOf(rows: readonly ((Row | BalanceRow) & { readonly bookedOn: string })[]): LineDraft[] {
    const drafts: LineDraft[] = [];
    for (const row of rows) {
      const { bookedOn } = row;
      this.accounts.take(row, bookedOn);
      if (row.kind === 'balance') continue;
      // The bill of a card has payments by card, whatever its texts say.
      const draft = { ...row.draft, bookedOn, balance: row.balance, ...(this.isOfCard && { isCardPayment: true }) };
      this.days = widened(this.days, bookedOn, bookedOn);
      this.noticed.line(draft, row);
      drafts.push(draft);
    }
    return drafts;
  }
}

/** How issuers of cards call the payment of a bill, which is money into the account of the card. */
const PAYMENT_OF_CARD = new RegExp(`\\b(?:${wordSections('row-phrases').get('payment')!.join('|')})\\b`, 'iu');
/** A part of every one of these: most texts have none, and the pattern itself takes three times as long. */
const MAY_BE_PAYMENT = /pay|pmt|pymt|zahlung|einzug|ment|autom|ontvangen|pago|betal/i;
const INVERTED = 'payment of a card bill, as it seems, that is read as money out. Charges and payments may be exchanged.';

/** More decimals than the currency has, of which one is not zero. */
function hasPartsOfCent(amount: string, digits: number): boolean {
  const decimals = /\.(\d*?)0*$/.exec(amount)?.[1]?.length ?? 0;
  return decimals > Math.max(2, digits);
}

/** What is noticed while a table is read. Places are lines and positions of columns: no text of the file is repeated. */
export class TableWarnings {
  private readonly outside = {
    'not booked': new Place(),
    'status unknown': new Place(),
    'above the header': new Place(),
    turnover: new Place(),
  };
  private readonly withoutCurrency = new Place();
  private readonly unlikelyYears = new Place();
  private readonly inverted = new Place();
  private readonly totals = new Place();
  private readonly inexact = new Place();
  private readonly otherCurrency = new Place();
  private readonly currencyBeside = new Place();
  private readonly importedCurrency: string | null;
  private readonly minorDigitsOf: TableOptions['minorDigitsOf'];
  private readonly years: { readonly first: string; readonly last: string };

  /** `like` is the name of a layout for almost the same header. */
  constructor(
    { today, currency, minorDigitsOf }: TableOptions,
    private readonly like?: string,
  ) {
    this.importedCurrency = currency ?? null;
    this.minorDigitsOf = minorDigitsOf;
    this.years = { first: FIRST_YEAR, last: yearAfter(today) };
  }

  leftOut(kind: LeftOut | 'turnover' | 'above the header', line: number): void {
    this.outside[kind === 'total' ? 'turnover' : kind].add(line);
  }

  /** The currency beside the amount is another than that in the name of its column. */
  otherCurrencyBeside(line: number): void {
    this.currencyBeside.add(line);
  }

  line({ bookedOn, currency, amount, description }: LineDraft, { line, isCalledTotal }: Pick<Row, 'line' | 'isCalledTotal'>): void {
    if (isCalledTotal) this.totals.add(line);
    if (hasPartsOfCent(amount, this.minorDigitsOf(currency))) this.inexact.add(line);
    if (amount.startsWith('-') && MAY_BE_PAYMENT.test(description) && PAYMENT_OF_CARD.test(description)) this.inverted.add(line);
    if (currency === null) this.withoutCurrency.add(line);
    else if (this.importedCurrency !== null && currency !== this.importedCurrency) this.otherCurrency.add(line);
    const year = bookedOn.slice(0, 4);
    if (year < this.years.first || year > this.years.last) this.unlikelyYears.add(line);
  }

  all(
    { brokenAt, isProven, hasBalances }: BalancesOfLayout['proof'],
    { directionIsUnknown, directionIsGuessed }: Pick<MoneyReader, 'directionIsUnknown' | 'directionIsGuessed'>,
    { unusedAmounts, ofPeople }: Pick<Layout, 'unusedAmounts' | 'ofPeople'>,
  ): ReadingWarning[] {
    return [
      ...(this.like === undefined ? [] : [layoutNotUsed(this.like)]),
      ...brokenAt.map((line) => ({
        code: 'balances_do_not_tie',
        message: `From line ${line} on, the balances do not follow from the amounts. A row may be missing, or an amount may be read wrong.`,
      })),
      ...(directionIsGuessed ? [DIRECTION_GUESSED] : directionIsUnknown && !isProven ? [DIRECTION_UNKNOWN] : []),
      ...(isProven && hasBalances ? [] : this.inverted.warning('signs_may_be_inverted', INVERTED)),
      ...unusedAmounts.map((index) => ({
        code: 'column_not_used',
        message: `Column ${index + 1} has amounts, but its name is not known. They are not counted.`,
      })),
      ...ofPeople.map((index) => ({
        code: 'column_masked',
        message:
          `Column ${index + 1} has names of people, but its own name is not known. ` +
          'They are masked. Add a layout that says what it is.',
      })),
      ...this.withoutCurrency.warning('currency_unknown', 'no currency is named. Import the file with its currency.'),
      ...this.otherCurrency.warning('currency_differs', 'the currency is another than that of the import, and was kept.'),
      ...this.currencyBeside.warning('currency_of_header', 'the currency beside the amount is another than in the header, which was used.'),
      ...(isProven && hasBalances ? [] : this.inexact.warning('amount_inexact', 'the amount has parts of a cent.')),
      ...this.unlikelyYears.warning('unlikely_year', `the year is before ${this.years.first} or after ${this.years.last}.`),
      ...this.outside['not booked'].warning('not_booked', 'not marked as booked, and left out.'),
      ...this.outside['status unknown'].warning(
        'status_unknown',
        'the word in the column for the status is not known, and the row is left out.',
      ),
      ...this.outside['above the header'].warning('row_above_header', 'like a booking, but above the header, and left out.'),
      ...(isProven && hasBalances ? [] : this.totals.warning('total_counted', 'named like a total, and counted as a booking.')),
      ...(isProven ? [] : this.outside.turnover.warning('turnover_left_out', 'named like a total or a balance, and left out.')),
    ];
  }
}

const layoutNotUsed = (name: string): ReadingWarning => ({
  code: 'layout_not_used',
  message: `The header is almost that of the layout “${name}”, which was not used. Amounts may have the other sign. Add a layout for it.`,
});

const DIRECTION_GUESSED: ReadingWarning = {
  code: 'direction_unknown',
  message: 'No amount has a sign. The balances show the direction of one booking alone, and the other was read like it.',
};

const DIRECTION_UNKNOWN: ReadingWarning = {
  code: 'direction_unknown',
  message: 'No amount has a sign, and nothing says whether it is money in or out. All amounts were read as money in.',
};
