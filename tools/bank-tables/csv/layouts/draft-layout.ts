import { UnreadableFile, DateOrder, isCurrency, recordsOfHead, writtenAmount, writtenDate } from '../../../bank-files/index.js';
import { looksLikePerson } from '../../../personal-data/names/index.js';
import type { CsvRecord } from '../../../bank-files/index.js';
import { columnNamed, isPartyName } from '../column-names.js';
import { IBAN, columnsByBalance } from '../columns.js';
import { DELIMITERS } from '../read-csv.js';
import { LAYOUT_WORDS, type LayoutWord, type WrittenLayout } from '../../written-layout.js';

/** A layout for a table that nothing is known of, and what of it was guessed: somebody has to look at that. */
export interface DraftedLayout {
  readonly layout: WrittenLayout;
  readonly guesses: readonly string[];
}

/** Of these a layout has one column. */
const ONCE: readonly LayoutWord[] = ['bookingDate', 'amount', 'debit', 'credit', 'balance', 'fee', 'currency', 'direction', 'ownAccount'];

/** Names and positions of columns are in it, but no text of a booking. */
export async function draftLayout(texts: AsyncIterator<string, undefined>, name: string): Promise<DraftedLayout> {
  const first = await texts.next();
  const { header, rows } = tableIn(first.done ? '' : first.value);
  const numbers = rows[0]!.flatMap((_cell, index) => (isColumnOf(rows, index, isNumber) ? [index] : []));
  const byBalance = columnsByBalance(rows, numbers);
  const guesses: string[] = [];
  const used = new Set<LayoutWord>();
  const words = rows[0]!.map((_cell, index) => {
    const proven = [...(byBalance ?? [])].find(([, [at]]) => at === index)?.[0] as LayoutWord | undefined;
    const named = proven ?? wordNamed(header?.[index]);
    const found = named ?? wordByCells(rows, index, used);
    const word = used.has(found) && ONCE.includes(found) ? 'note' : found;
    used.add(word);
    if (!named) guesses.push(`column ${index + 1} is read as ${word}, by its cells`);
    return word;
  });
  const named = words.map((word, index) => [header ? header[index]! : String(index + 1), word] as const);
  const layout: WrittenLayout = {
    name,
    columns: Object.fromEntries(named.filter(([column]) => column !== '')),
    ...(!header && { width: words.length }),
    ...signsOf(rows, words, guesses),
    ...datesOf(rows, words, guesses),
  };
  if (header?.includes('')) guesses.push('a column without a name is left out: a layout names columns by the header');
  return { layout, guesses };
}

interface Table {
  /** null if the file has none. */
  readonly header: readonly string[] | null;
  /** Of one width, the first of the file. */
  readonly rows: readonly (readonly string[])[];
}

const isNumber = (cell: string): boolean => writtenAmount(cell) !== null && !writtenDate(cell);
const isBooking = ({ cells }: CsvRecord): boolean => cells.some((cell) => writtenDate(cell)) && cells.some(isNumber);

/** The table with the most columns, by whatever mark divides them. */
function tableIn(head: string): Table {
  const tables = DELIMITERS.map((delimiter) => recordsOfHead(head, delimiter)).flatMap((records) => {
    const first = records.findIndex(isBooking);
    const width = records[first]?.cells.length ?? 0;
    const rows = records.filter((record) => isBooking(record) && record.cells.length === width).map(({ cells }) => cells);
    const above = records.slice(0, Math.max(first, 0)).findLast(({ cells }) => cells.length === width);
    const isHeader = above && !above.cells.some((cell) => isNumber(cell) || writtenDate(cell));
    return width >= 3 ? [{ header: isHeader ? above.cells : null, rows }] : [];
  });
  const [best] = tables.sort((one, other) => other.rows[0]!.length - one.rows[0]!.length);
  if (best) return best;
  throw new UnreadableFile(
    'no_table',
    'No line has a date and an amount in cells of their own. Save the table as CSV, and draft its layout again.',
  );
}

const isColumnOf = (rows: Table['rows'], index: number, is: (cell: string) => boolean): boolean => {
  const cells = rows.map((row) => row[index] ?? '').filter(Boolean);
  return cells.length > 0 && cells.every(is);
};

function wordNamed(name: string | undefined): LayoutWord | undefined {
  const column = name ? columnNamed(name)?.column : undefined;
  if (column === 'account') return 'ownAccount';
  if (column === 'gross' || column === 'net') return 'amount';
  if (column === 'technical') return 'ignore';
  return LAYOUT_WORDS.find((word) => word === column) ?? (name && isPartyName(name) ? 'counterparty' : undefined);
}

function wordByCells(rows: Table['rows'], index: number, used: ReadonlySet<LayoutWord>): LayoutWord {
  const is = (test: (cell: string) => boolean): boolean => isColumnOf(rows, index, test);
  if (is((cell) => writtenDate(cell) !== null)) return used.has('bookingDate') || used.has('date') ? 'otherDate' : 'date';
  if (is((cell) => isCurrency(cell))) return 'currency';
  if (is((cell) => IBAN.test(cell))) return new Set(rows.map((row) => row[index])).size === 1 ? 'ownAccount' : 'counterpartyAccount';
  if (is(isNumber)) return is((cell) => /[.,]\d\d\D*$/.test(cell)) ? (used.has('amount') ? 'balance' : 'amount') : 'note';
  if (!rows.some((row) => /\p{L}{2}/u.test(row[index] ?? ''))) return 'ignore';
  // Whoever it is, the cells of a party are masked.
  if (rows.some((row) => looksLikePerson(row[index] ?? ''))) return 'counterparty';
  return used.has('description') ? 'note' : 'description';
}

function signsOf(rows: Table['rows'], words: readonly LayoutWord[], guesses: string[]): Pick<WrittenLayout, 'amounts'> {
  const amount = words.indexOf('amount');
  if (amount < 0 || words.includes('direction')) return {};
  const hasSigns = rows.some((row) => writtenAmount(row[amount] ?? '')?.sign === '-');
  if (!hasSigns) guesses.push('no amount has a sign: say `"amounts": "charges-positive"` if they are money out');
  else if (!words.includes('balance')) guesses.push('a minus sign is read as money out: say "charges-positive" if it is money in');
  return hasSigns ? { amounts: 'signed' } : {};
}

function datesOf(rows: Table['rows'], words: readonly LayoutWord[], guesses: string[]): Pick<WrittenLayout, 'dates'> {
  const columns = words.flatMap((word, index) => (/date$/i.test(word) ? [index] : []));
  const order = new DateOrder();
  const dates = rows.flatMap((row) => columns.flatMap((index) => writtenDate(row[index] ?? '') ?? []));
  for (const date of dates) order.learn(date);
  if (!dates.some((date) => order.isAmbiguous(date))) return {};
  guesses.push('no date shows whether the day or the month is first: the day is taken to be');
  return { dates: 'day-month' };
}
