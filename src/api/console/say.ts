// How pages say numbers, money and days: each in one way.

export const count = (number: number): string => number.toLocaleString('en');

/** `1 line`, `1,204 lines`. */
export const plural = (number: number, one: string, many = `${one}s`): string => `${count(number)} ${number === 1 ? one : many}`;

const symbols = new Map<string, string>();

function symbolOf(currency: string): string {
  const known = symbols.get(currency);
  if (known !== undefined) return known;
  const parts = new Intl.NumberFormat('en', { style: 'currency', currency }).formatToParts(0);
  const symbol = parts.find(({ type }) => type === 'currency')!.value;
  symbols.set(currency, symbol);
  return symbol;
}

/** An exact amount with separators: `-1290.5` is `-1,290.5`. */
export const amount = (exact: string): string => exact.replace(/^(-?)(\d+)/, (_all, sign: string, whole: string) => sign + grouped(whole));
const grouped = (whole: string): string => whole.replace(/\B(?=(?:\d{3})+$)/g, ',');

/** With its currency: `-€1,290.50`, `CHF 12.00`. */
export function money(exact: string, currency: string | null): string {
  if (currency === null) return amount(exact);
  const [sign, rest] = exact.startsWith('-') ? ['-', exact.slice(1)] : ['', exact];
  const symbol = symbolOf(currency);
  return `${sign}${symbol}${/[A-Z]$/.test(symbol) ? '\u00a0' : ''}${amount(rest)}`;
}

const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
const [DAY, DAY_OF_YEAR] = [format({ day: 'numeric', month: 'short', year: 'numeric' }), format({ day: 'numeric', month: 'short' })];
const [MONTH, SHORT_MONTH] = [format({ month: 'long', year: 'numeric' }), format({ month: 'short', year: 'numeric' })];

/** `2026-01-05` is `5 Jan 2026`. */
export const day = (date: string): string => DAY.format(new Date(date));
/** `2026-01` is `Jan 2026`. */
export const month = (text: string): string => SHORT_MONTH.format(new Date(`${text}-01`));

/** Whole months, quarters and years by their name; else both days: `5 Jan – 31 Mar 2026`. */
export function period(start: string, end: string): string {
  const [year, last] = [start.slice(0, 4), end.slice(0, 4)];
  const [from, to] = [Number(start.slice(5, 7)), Number(end.slice(5, 7))];
  const isWhole = year === last && start.endsWith('-01') && isLastOfMonth(end);
  if (isWhole && from === 1 && to === 12) return year;
  if (isWhole && from === to) return MONTH.format(new Date(start));
  if (isWhole && from % 3 === 1 && to === from + 2) return `Q${(from + 2) / 3} ${year}`;
  return start === end ? day(start) : `${year === last ? DAY_OF_YEAR.format(new Date(start)) : day(start)} – ${day(end)}`;
}

const isLastOfMonth = (date: string): boolean => new Date(Date.parse(date) + 86_400_000).getUTCDate() === 1;

const UNITS = ['KB', 'MB', 'GB'];

/** `824 bytes`, `14 KB`, `1.5 MB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return plural(bytes, 'byte');
  const power = Math.min(UNITS.length, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en')} ${UNITS[power - 1]!}`;
}
