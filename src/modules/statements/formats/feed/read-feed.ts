import { fail } from '../../../../kernel/failure.js';
import { isObject, parsedJson } from '../../../../kernel/json.js';
import { currencyOf, FoundStatements, invalidLine, leadingDayOf, NO_PARTY } from '../../../../../tools/bank-files/index.js';
import { numberedLinesOf, readingBy, signedDecimalOf } from '../../../../../tools/bank-files/index.js';
import type { LineDraft, NumberedLine, Period, StatementBalance } from '../../../../../tools/bank-files/index.js';
import { type DraftReading } from '../../../../../tools/bank-tables/index.js';

// A bank feed, as programs make it: a JSON object on each line. The first is the account, each other one a booking. In a file, everything
// is a text: a number of JSON may not be the amount that was meant.

const VERSION = 1;
const OF_ACCOUNT = ['bankFeed', 'account', 'owner', 'currency', 'openingBalance', 'closingBalance', 'periodStart', 'periodEnd'] as const;
const OF_BOOKING = [
  ...(['bookedOn', 'amount', 'currency', 'description', 'counterparty', 'counterpartyAccount', 'counterpartyAddress'] as const),
  ...(['reference', 'bankReference'] as const),
] as const;

/** The account of a feed, with its balances and days. */
export type FeedAccount = Partial<Readonly<Record<Exclude<(typeof OF_ACCOUNT)[number], 'bankFeed'>, string | null>>>;
export type FeedBooking = Partial<Readonly<Record<(typeof OF_BOOKING)[number], string | null>>>;

/** The file of a feed. Equal feeds are equal files. */
export function feedFile(account: FeedAccount, bookings: readonly FeedBooking[]): Buffer {
  const written = (object: object, names: readonly string[]): string => JSON.stringify(object, [...names]);
  return Buffer.from(
    `${[written({ bankFeed: VERSION, ...account }, OF_ACCOUNT), ...bookings.map((one) => written(one, OF_BOOKING))].join('\n')}\n`,
  );
}

export const isFeed = (start: string): boolean => /^\{\s*"bankFeed"\s*:/.test(start);

export const readFeed = (texts: AsyncIterable<string>): DraftReading => readingBy(new FeedReader(), numberedLinesOf(texts));

class FeedReader extends FoundStatements {
  async *linesOf(batches: AsyncIterable<readonly NumberedLine[]>): AsyncGenerator<readonly LineDraft[]> {
    let account: FeedAccount | undefined;
    for await (const lines of batches) {
      const [first, ...others] = lines;
      const bookings = account ? lines : others;
      if (!account && first) {
        account = accountIn(first);
        this.balances.push(balanceOf(account));
        this.period = periodOf(account);
      }
      const of = account;
      if (of) yield bookings.map((line) => bookingIn(line, of));
    }
  }
}

function accountIn({ text, number }: NumberedLine): FeedAccount {
  const { bankFeed, ...account } = objectIn({ text, number }, OF_ACCOUNT);
  return bankFeed === String(VERSION) ? account : fail('format_not_supported', `The feed is not of version ${VERSION} (bankFeed).`);
}

function balanceOf({ account = null, currency, openingBalance, closingBalance }: FeedAccount): StatementBalance {
  const [opening, closing] = [openingBalance, closingBalance].map((written) => {
    if (written === null || written === undefined) return null;
    return amountOf(written) ?? fail('invalid_amount', 'A balance of the feed has no valid amount.');
  });
  return { account, currency: currencyOf(currency), opening: opening!, closing: closing! };
}

function periodOf({ periodStart, periodEnd }: FeedAccount): Period | null {
  if (!periodStart && !periodEnd) return null;
  const [start, end] = [periodStart, periodEnd].map((written) => dayIn(written));
  if (!start || !end || start > end) return fail('invalid_date', 'The feed has no valid period (periodStart, periodEnd).');
  return { start, end };
}

function bookingIn(line: NumberedLine, of: FeedAccount): LineDraft {
  const { bookedOn, amount, currency, description, ...others } = objectIn(line, OF_BOOKING);
  return {
    account: of.account ?? null,
    owner: of.owner ?? null,
    bookedOn: dayIn(bookedOn) ?? fail('invalid_date', `Line ${line.number} has no valid date.`),
    amount: amountOf(amount ?? '') ?? fail('invalid_amount', `Line ${line.number} has no valid amount.`),
    currency: currencyOf(currency ?? of.currency),
    description: description ?? '',
    ...{ ...NO_PARTY, reference: null, bankReference: null, ...others },
  };
}

const dayIn = (text: string | null | undefined): string | null => (text && leadingDayOf(text) === text ? text : null);

const amountOf = (text: string): string | null => (/^-?\d+(\.\d+)?$/.test(text) ? signedDecimalOf(text) : null);

/** A field that is not known is refused: what it says would be lost. */
function objectIn<Name extends string>({ text, number }: NumberedLine, names: readonly Name[]): Partial<Record<Name, string | null>> {
  const refuse = (): never => {
    throw invalidLine(number, 'is no JSON object');
  };
  const value = parsedJson(text, refuse);
  const fields = Object.entries(isObject(value) ? value : refuse()).map(([name, written]): [Name, string | null] => {
    if (!names.some((known) => known === name)) throw invalidLine(number, 'has a field that is not known');
    if (name === 'bankFeed' && typeof written === 'number') return [name as Name, String(written)];
    if (written !== null && typeof written !== 'string') throw invalidLine(number, `has something else than a text in ${name}`);
    return [name as Name, written];
  });
  return Object.fromEntries(fields) as Partial<Record<Name, string | null>>;
}
