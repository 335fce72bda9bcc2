import type { LineDraft } from '../line-draft.js';
import type { ReadingOptions } from '../reading-options.js';
import { FIRST_YEAR, yearAfter } from '../likely-years.js';
import type { ReadingWarning } from '../statement-line.js';

/** How issuers of cards call the payment of a bill, which is money into the account of the card. */
const PAYMENT_OF_CARD = /\b(payment|autopay)\b.*\bthank you\b|\bpayment received\b|\bzahlung erhalten\b|\bpaiement re[cç]u\b/i;
const INVERTED = 'payment of a card bill, as it seems, that is read as money out. Charges and payments may be exchanged.';

/** What is noticed while a table is read. Places are lines and positions of columns: no text of the file is repeated. */
export class TableWarnings {
  private readonly notBooked = new Place();
  private readonly turnovers = new Place();
  private readonly aboveHeader = new Place();
  private readonly withoutCurrency = new Place();
  private readonly unlikelyYears = new Place();
  private readonly inverted = new Place();
  private readonly otherCurrency = new Place();
  private readonly importedCurrency: string | null;
  private readonly years: { readonly first: string; readonly last: string };

  /** `like` is the name of a layout for almost the same header. */
  constructor(
    { today, currency }: ReadingOptions,
    private readonly like?: string,
  ) {
    this.importedCurrency = currency ?? null;
    this.years = { first: FIRST_YEAR, last: yearAfter(today) };
  }

  leftOut(kind: 'not booked' | 'turnover' | 'above the header', line: number): void {
    const place = { 'not booked': this.notBooked, turnover: this.turnovers, 'above the header': this.aboveHeader }[kind];
    place.add(line);
  }

  line({ bookedOn, currency, amount, description }: LineDraft, line: number): void {
    if (amount.startsWith('-') && PAYMENT_OF_CARD.test(description)) this.inverted.add(line);
    if (currency === null) this.withoutCurrency.add(line);
    else if (this.importedCurrency !== null && currency !== this.importedCurrency) this.otherCurrency.add(line);
    const year = bookedOn.slice(0, 4);
    if (year < this.years.first || year > this.years.last) this.unlikelyYears.add(line);
  }

  /** `brokenAt` is the line from which on the balances do not tie. */
  all(known: {
    readonly brokenAt: readonly number[];
    readonly isProven: boolean;
    readonly hasBalances: boolean;
    readonly directionIsUnknown: boolean;
    readonly unusedAmounts: readonly number[];
  }): ReadingWarning[] {
    const { brokenAt, isProven, hasBalances, directionIsUnknown, unusedAmounts } = known;
    return [
      ...(this.like === undefined ? [] : [layoutNotUsed(this.like)]),
      ...brokenAt.map((line) => balancesDoNotTie(line)),
      ...(directionIsUnknown && !isProven ? [DIRECTION_UNKNOWN] : []),
      ...(isProven && hasBalances ? [] : this.inverted.warning('signs_may_be_inverted', INVERTED)),
      ...unusedAmounts.map((index) => columnNotUsed(index)),
      ...this.withoutCurrency.warning('currency_unknown', 'no currency is named. Import the file with its currency.'),
      ...this.otherCurrency.warning('currency_differs', 'the currency is another than that of the import, and was kept.'),
      ...this.unlikelyYears.warning('unlikely_year', `the year is before ${this.years.first} or after ${this.years.last}.`),
      ...this.notBooked.warning('not_booked', 'marked as not booked, and left out.'),
      ...this.aboveHeader.warning('row_above_header', 'like a booking, but above the header, and left out.'),
      ...(isProven ? [] : this.turnovers.warning('turnover_left_out', 'named like a turnover, and left out.')),
      ...(hasBalances ? [] : [BALANCES_ABSENT]),
    ];
  }
}

const balancesDoNotTie = (line: number): ReadingWarning => ({
  code: 'balances_do_not_tie',
  message: `From line ${line} on, the balances do not follow from the amounts. A row may be missing, or an amount may be read wrong.`,
});

const layoutNotUsed = (name: string): ReadingWarning => ({
  code: 'layout_not_used',
  message: `The header is almost that of the layout “${name}”, which was not used. Amounts may have the other sign. Add a layout for it.`,
});

const columnNotUsed = (index: number): ReadingWarning => ({
  code: 'column_not_used',
  message: `Column ${index + 1} has amounts, but its name is not known. They are not counted.`,
});

const DIRECTION_UNKNOWN: ReadingWarning = {
  code: 'direction_unknown',
  message: 'No amount has a sign, and nothing says whether it is money in or out. All amounts were read as money in.',
};

const BALANCES_ABSENT: ReadingWarning = {
  code: 'balances_absent',
  message: 'The file has no balances that its amounts lead to, so a missing row is not noticed.',
};

/** How many lines something is true of, and the first of them. */
class Place {
  private count = 0;
  private first = 0;

  add(line: number): void {
    if (this.count === 0) this.first = line;
    this.count += 1;
  }

  warning(code: string, what: string): ReadingWarning[] {
    if (this.count === 0) return [];
    const lines = this.count === 1 ? `Line ${this.first}` : `${this.count} lines, the first of them line ${this.first}`;
    return [{ code, message: `${lines}: ${what}` }];
  }
}
