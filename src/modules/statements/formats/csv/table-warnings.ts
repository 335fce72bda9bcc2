import type { ReadingOptions } from '../statement-reader.js';
import { FIRST_YEAR, yearAfter } from '../dates.js';
import { Place } from '../line-checks.js';
import type { LineDraft, ReadingWarning } from '../statement-line.js';
import type { LeftOut } from './row-reader.js';

/** How issuers of cards call the payment of a bill, which is money into the account of the card. */
const PAYMENT_OF_CARD = /\b(payment|autopay)\b.*\bthank you\b|\bpayment received\b|\bzahlung erhalten\b|\bpaiement re[cç]u\b/i;
const INVERTED = 'payment of a card bill, as it seems, that is read as money out. Charges and payments may be exchanged.';

/** What is noticed while a table is read. Places are lines and positions of columns: no text of the file is repeated. */
export class TableWarnings {
  private readonly notBooked = new Place();
  private readonly ofUnknownStatus = new Place();
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

  leftOut(kind: LeftOut | 'turnover' | 'above the header', line: number): void {
    const places = {
      'not booked': this.notBooked,
      'status unknown': this.ofUnknownStatus,
      turnover: this.turnovers,
      total: this.turnovers,
      'above the header': this.aboveHeader,
    };
    places[kind].add(line);
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
    readonly ofPeople: readonly number[];
  }): ReadingWarning[] {
    const { brokenAt, isProven, hasBalances, directionIsUnknown, unusedAmounts, ofPeople } = known;
    return [
      ...(this.like === undefined ? [] : [layoutNotUsed(this.like)]),
      ...brokenAt.map((line) => balancesDoNotTie(line)),
      ...(directionIsUnknown && !isProven ? [DIRECTION_UNKNOWN] : []),
      ...(isProven && hasBalances ? [] : this.inverted.warning('signs_may_be_inverted', INVERTED)),
      ...unusedAmounts.map((index) => columnNotUsed(index)),
      ...ofPeople.map((index) => columnMasked(index)),
      ...this.withoutCurrency.warning('currency_unknown', 'no currency is named. Import the file with its currency.'),
      ...this.otherCurrency.warning('currency_differs', 'the currency is another than that of the import, and was kept.'),
      ...this.unlikelyYears.warning('unlikely_year', `the year is before ${this.years.first} or after ${this.years.last}.`),
      ...this.notBooked.warning('not_booked', 'not marked as booked, and left out.'),
      ...this.ofUnknownStatus.warning('status_unknown', 'the word in the column for the status is not known, and the row is left out.'),
      ...this.aboveHeader.warning('row_above_header', 'like a booking, but above the header, and left out.'),
      ...(isProven ? [] : this.turnovers.warning('turnover_left_out', 'named like a total or a balance, and left out.')),
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

const columnMasked = (index: number): ReadingWarning => ({
  code: 'column_masked',
  message: `Column ${index + 1} has names of people, but its own name is not known. They are masked. Add a layout that says what it is.`,
});

const DIRECTION_UNKNOWN: ReadingWarning = {
  code: 'direction_unknown',
  message: 'No amount has a sign, and nothing says whether it is money in or out. All amounts were read as money in.',
};

const BALANCES_ABSENT: ReadingWarning = {
  code: 'balances_absent',
  message: 'The file has no balances that its amounts lead to, so a missing row is not noticed.',
};
