import { minorDigitsOf } from '../../../../kernel/money.js';
import type { ReadingOptions } from '../statement-reader.js';
import { FIRST_YEAR, yearAfter } from '../dates.js';
import { Place } from '../line-checks.js';
import type { LineDraft, ReadingWarning } from '../statement-line.js';
import type { Layout } from './layout.js';
import type { BalancesOfLayout } from './layouts/balances-of-layout.js';
import type { MoneyReader } from './money.js';
import type { LeftOut, Row } from './row-reader.js';

/** How issuers of cards call the payment of a bill, which is money into the account of the card. */
const PAYMENT_OF_CARD = new RegExp(
  '\\b(payment|autopay)\\b.*\\bthank you\\b|\\bauto ?pay\\b|' +
    '\\b(auto(matic)?|mobile|online|internet|e|web|electronic) ?-?(payment|pymt|pmt)\\b|' +
    '\\bpayment received\\b|\\bzahlung erhalten\\b|\\blastschrifteinzug\\b|\\bihre zahlung\\b|\\bpaiement re[cç]u\\b|' +
    '\\bpr[ée]l[èe]vement automatique\\b|\\bbetaling ontvangen\\b|\\bautomatische incasso\\b|\\bpago recibido\\b|' +
    '\\bpagamento ricevuto\\b|' +
    '\\bbetalning mottagen\\b|\\bindbetaling modtaget\\b',
  'iu',
);
/** A part of every one of these: most texts have none, and the pattern itself takes three times as long. */
const MAY_BE_PAYMENT = /pay|pmt|pymt|zahlung|einzug|ment|autom|ontvangen|pago|betal/i;
const INVERTED = 'payment of a card bill, as it seems, that is read as money out. Charges and payments may be exchanged.';

/** More decimals than the currency has, of which one is not zero. */
function hasPartsOfCent(amount: string, currency: string | null): boolean {
  const decimals = /\.(\d*?)0*$/.exec(amount)?.[1]?.length ?? 0;
  return decimals > Math.max(2, minorDigitsOf(currency));
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
    this.outside[kind === 'total' ? 'turnover' : kind].add(line);
  }

  /** The currency beside the amount is another than that in the name of its column. */
  otherCurrencyBeside(line: number): void {
    this.currencyBeside.add(line);
  }

  line({ bookedOn, currency, amount, description }: LineDraft, { line, isCalledTotal }: Pick<Row, 'line' | 'isCalledTotal'>): void {
    if (isCalledTotal) this.totals.add(line);
    if (hasPartsOfCent(amount, currency)) this.inexact.add(line);
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
