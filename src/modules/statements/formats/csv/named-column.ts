import { NAMES, type Column } from './column-names.js';

/** What equal names have in common, however they are written: no accents, blanks or signs, and lower case. */
export const keyOf = (name: string): string =>
  name
    .slice(0, 100)
    .toLowerCase()
    .replace(/[äöüß]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue' })[letter] ?? 'ss')
    .replace(/[łøåæ]/g, (letter) => ({ ł: 'l', ø: 'o', å: 'a' })[letter] ?? 'ae')
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '');

const COLUMNS: ReadonlyMap<string, Column> = new Map(
  Object.entries(NAMES).flatMap(([column, names]) => names.map((name) => [keyOf(name), column as Column] as const)),
);

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
export const SYMBOLS: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP' };
const WORDS: Readonly<Record<string, string>> = { ...SYMBOLS, EURO: 'EUR', EUROS: 'EUR', EUROA: 'EUR', ZŁ: 'PLN', KČ: 'CZK' };

export interface NamedColumn {
  readonly column: Column;
  /** If the name has one, such as `Amount (EUR)`. */
  readonly currency: string | null;
}

const MAX_NAME = 100;
/** A currency at the end of a name, such as `Amount (EUR)`, `Betrag in EUR` or `CAD$`. */
const WITH_CURRENCY = /^(.{0,80}?)[\s(_[]*(?:\bin )?(\p{L}{3}|[€£]|euro[sa]?|zł|kč)\$?[\s)\]]*$/iu;
/** What some names have in addition: numbers, and notes in parentheses. */
const ADDITION = /\s*(?:\([^)]*\)|\d{1,2})\s*$/;
/** In names of columns for the other party, in whatever combination. */
const PARTY =
  /counterpart|payee|beneficiar|recipient|empfaenger|auftraggeber|zahlungspflicht|tegenpart|contrepart|contrapart|controparte|kontrahent/;

/** null if the name is not known. */
export function columnNamed(name: string): NamedColumn | null {
  const text = name.slice(0, MAX_NAME).trim();
  const known = COLUMNS.get(keyOf(text));
  const [, bare = '', suffix = ''] = WITH_CURRENCY.exec(text) ?? [];
  const currency = currencyNamed(suffix);
  if (known) return { column: known, currency: suffix in SYMBOLS ? currency : null };
  if (currency && !keyOf(bare) && text.endsWith('$')) return { column: 'amount', currency };
  const base = (currency && COLUMNS.get(keyOf(bare))) || null;
  if (base) return { column: base, currency };
  const shorter = text.replace(ADDITION, '');
  if (shorter !== text) return columnNamed(shorter);
  return null;
}

/** Whether an unknown name is one of the other party: its cells may be names of people. */
export const isPartyName = (name: string): boolean => PARTY.test(keyOf(name));

function currencyNamed(text: string): string | null {
  const upper = text.toUpperCase();
  return WORDS[upper] ?? (CURRENCIES.has(upper) ? upper : null);
}

export const isCurrency = (text: string): boolean => CURRENCIES.has(text);
