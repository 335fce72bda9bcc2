import { isCurrency, SYMBOLS } from '../../bank-files/index.js';
import { wordList, wordSections } from '../word-lists.js';

/** The meanings of columns. The booking date is taken from the first date column in this order. */
const COLUMNS = [
  'bookingDate',
  'date',
  'valueDate',
  /** Other times of a booking. The line has the day on which it was booked. */
  'otherDate',
  'amount',
  'debit',
  'credit',
  'direction',
  'fee',
  /** With a fee of its own, which `net` contains. */
  'gross',
  'net',
  'currency',
  'balance',
  'status',
  'ownAccount',
  'account',
  'counterparty',
  /** Who paid: the other party if it is money in, else the holder of the account. */
  'payer',
  /** Who was paid: the other party if it is money out, else the holder of the account. */
  'payee',
  /** The holder of the account itself, who is the same on every line. */
  'holder',
  'counterpartyAccount',
  'counterpartyAddress',
  'description',
  'kind',
  'reference',
  'bankReference',
  /** Shown with the description, under its name. */
  'note',
  /** They repeat or describe the account, or are of use to the pages of the bank alone. */
  'technical',
] as const;
export type Column = (typeof COLUMNS)[number];
export const MONEY_COLUMNS: readonly Column[] = ['amount', 'debit', 'credit', 'fee', 'balance'];
export const DATE_COLUMNS: readonly Column[] = ['bookingDate', 'date', 'valueDate'];
/** Column names of banks, by the meaning of the column. */
export const NAMES: Readonly<Record<Column, readonly string[]>> = readNames(wordSections('column-names'));

function readNames(names: ReadonlyMap<string, readonly string[]>): Record<Column, readonly string[]> {
  // A column without a name would be whatever has one.
  if ([...names.values()].flat().some((name) => name.trim() === ''))
    throw new Error('tools/bank-tables/words/column-names.txt has an empty name.');
  if (names.size !== COLUMNS.length)
    throw new Error('tools/bank-tables/words/column-names.txt must have each column of column-names.ts once.');
  return Object.fromEntries(COLUMNS.map((column) => [column, names.get(column)!])) as Record<Column, readonly string[]>;
}

/** What equal names have in common, however they are written: no accents, blanks or signs, and lower case. */
export const keyOf = (name: string): string =>
  name
    .slice(0, 100)
    .toLowerCase()
    .replace(/[äöüß]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue' })[letter] ?? 'ss')
    .replace(/[łøåæ]/g, (letter) => ({ ł: 'l', ø: 'o', å: 'a' })[letter] ?? 'ae')
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '');

const BY_KEY: ReadonlyMap<string, Column> = new Map(
  Object.entries(NAMES).flatMap(([column, names]) => names.map((name) => [keyOf(name), column as Column] as const)),
);

/** German writes ö as oe, Swedish as o. */
const columnOf = (name: string): Column | undefined =>
  BY_KEY.get(keyOf(name)) ?? BY_KEY.get(keyOf(name.normalize('NFKD').replace(/\p{M}/gu, '')));

const WORDS: Readonly<Record<string, string>> = { ...SYMBOLS, EURO: 'EUR', EUROS: 'EUR', EUROA: 'EUR', ZŁ: 'PLN', KČ: 'CZK' };

const MAX_NAME = 100;
/** A currency at the end of a name, such as `Amount (EUR)`, `Betrag in EUR`, `Сумма, руб.` or `CAD$`. */
const WITH_CURRENCY = /^(.{0,80}?)[\s(_[,]*(?:\bin |[вуב]\s?)?(\p{L}{3}|[€£₽₴₪]|euro[sa]?|zł|kč|лв|ש["״]ח)\.?\$?[\s)\]]*$/iu;
/** What some names have in addition: numbers, and notes in parentheses. */
const ADDITION = /\s*(?:\([^)]*\)|\d{1,2})\s*$/;
/** In names of columns for the other party, in whatever combination. */
const PARTY = new RegExp(wordList('party-words').split(/,\s*/).join('|'));
/** What such a column has if its name ends with one of these is no name of a party: `Customer reference`, `Kundennummer`. */
const NOT_A_NAME = new RegExp(
  '(?:number|num|nummer|nr|no|id|code|kod|ref|reference|referenz|category|kategorie|type|typ|iban|bic|account|konto|date|' +
    'номер|счет|счета|рахунок|сметка|инн|код)$',
);

/** With the currency that the name has, if it has one, such as `Amount (EUR)`. */
export function columnNamed(name: string): { readonly column: Column; readonly currency: string | null } | null {
  const text = name.slice(0, MAX_NAME).trim();
  const known = columnOf(text);
  const [, bare = '', suffix = ''] = WITH_CURRENCY.exec(text) ?? [];
  const currency = currencyNamed(suffix);
  if (known) return { column: known, currency: suffix in SYMBOLS ? currency : null };
  if (currency && !keyOf(bare) && text.endsWith('$')) return { column: 'amount', currency };
  const base = (currency && columnOf(bare)) || null;
  if (base) return { column: base, currency };
  const shorter = text.replace(ADDITION, '');
  if (shorter !== text) return columnNamed(shorter);
  return null;
}

/** How many lines at the head of a file may have its header. */
const HEAD_LINES = 60;

/** The most names of columns in a line at the head of a text, whatever separates them. */
export function namesIn(text: string): number {
  const lines = text.split(/[\r\n]+/, HEAD_LINES).map((line) => line.slice(0, 20 * MAX_NAME).split(/[;,\t|]/));
  return Math.max(...lines.map((cells) => cells.filter((cell) => columnNamed(cell.replaceAll('"', '')) !== null).length));
}

/** Whether an unknown name is one of the other party: its cells may be names of people. */
export function isPartyName(name: string): boolean {
  const key = keyOf(name);
  return PARTY.test(key) && !NOT_A_NAME.test(key);
}

function currencyNamed(text: string): string | null {
  const upper = text.toUpperCase();
  return WORDS[upper] ?? (isCurrency(upper) ? upper : null);
}
