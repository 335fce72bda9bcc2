import { inWords } from '../../kernel/durations.js';
import { say, wordingNow } from '../wording/spoken.js';

export { say, told, wordingNow } from '../wording/spoken.js';

// How pages say numbers, money and days: each in one way, in the language of who reads.

/** Days are never to be read in two ways, so they are British in all of English. */
const localeNow = (): string => {
  const { language } = wordingNow();
  return language.startsWith('en') ? 'en-GB' : language;
};

/** Formats are made once: there are few languages, currencies and zones. */
function keeping<Arguments extends readonly string[], Format>(make: (locale: string, ...args: Arguments) => Format) {
  const made = new Map<string, Format>();
  return (...args: Arguments): Format => {
    const name = [localeNow(), ...args].join(' ');
    const format = made.get(name) ?? make(localeNow(), ...args);
    made.set(name, format);
    return format;
  };
}

const numbers = keeping((locale, least: string, most: string) => {
  const digits = { minimumFractionDigits: Number(least), maximumFractionDigits: Number(most) };
  return new Intl.NumberFormat(locale, digits);
});
const currencies = keeping((locale, currency: string, decimals: string) => {
  const digits = { minimumFractionDigits: Number(decimals), maximumFractionDigits: Number(decimals) };
  return new Intl.NumberFormat(locale === 'en-GB' ? 'en' : locale, { style: 'currency', currency, ...digits });
});
const compact = keeping((locale) => new Intl.NumberFormat(locale === 'en-GB' ? 'en' : locale, { notation: 'compact' }));
const decimalsOf = (exact: string): string => String(exact.split('.')[1]?.length ?? 0);
/** Exact: a format of decimals reads them as texts. */
const exactly = (exact: string): number => exact as unknown as number;

export const count = (number: number): string => numbers('0', '3').format(number);
/** For axes: `2M`. */
export const roundly = (number: number): string => compact().format(number);

/** An exact amount with separators: `-1290.5` is `-1,290.5`. */
export const amount = (exact: string): string => numbers(decimalsOf(exact), decimalsOf(exact)).format(exactly(exact));

/** With its currency: `-€1,290.50`, `CHF 12.00`. */
export const money = (exact: string, currency: string | null): string =>
  currency === null ? amount(exact) : currencies(currency, decimalsOf(exact)).format(exactly(exact));

/** `33.5 %`. */
export const percent = (exact: string): string => `${amount(exact)}\u00a0%`;

const DATES = {
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  dayOfYear: { day: 'numeric', month: 'short' },
  month: { month: 'long', year: 'numeric' },
  shortMonth: { month: 'short', year: 'numeric' },
} satisfies Record<string, Intl.DateTimeFormatOptions>;
const dates = keeping((locale, name: keyof typeof DATES) => new Intl.DateTimeFormat(locale, { ...DATES[name], timeZone: 'UTC' }));
const dated = (name: keyof typeof DATES, date: string): string => dates(name).format(new Date(date));

/** `2026-01-05` is `5 Jan 2026`. */
export const day = (date: string): string => dated('day', date);
/** `2026-01` is `Jan 2026`. */
export const month = (text: string): string => dated('shortMonth', `${text}-01`);

/** The time of day as well, in a zone. */
const instants = keeping(
  (locale, timeZone: string, second: 'seconds' | '') =>
    new Intl.DateTimeFormat(locale, { ...DATES.day, hour: '2-digit', minute: '2-digit', ...(second && { second: '2-digit' }), timeZone }),
);
export const instant = (at: string, timeZone: string, hasSeconds = false): string =>
  instants(timeZone, hasSeconds ? 'seconds' : '').format(new Date(at));

/** For a sentence: `24 hours`. */
export function duration(ms: number): string {
  const [number, units = ''] = inWords(ms).split(' ');
  const unit = { style: 'unit', unit: units.replace(/s$/, ''), unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(localeNow(), unit).format(Number(number));
}

/** Whole months, quarters and years by their name; else both days: `5 Jan – 31 Mar 2026`. */
export function period(start: string, end: string): string {
  const [year, last] = [start.slice(0, 4), end.slice(0, 4)];
  const [from, to] = [Number(start.slice(5, 7)), Number(end.slice(5, 7))];
  const isWhole = year === last && start.endsWith('-01') && isLastOfMonth(end);
  if (isWhole && from === 1 && to === 12) return year;
  if (isWhole && from === to) return dated('month', start);
  if (isWhole && from % 3 === 1 && to === from + 2) return say('console.say.quarter', { quarter: String((from + 2) / 3), year });
  return start === end ? day(start) : `${dated(year === last ? 'dayOfYear' : 'day', start)} – ${day(end)}`;
}

const isLastOfMonth = (date: string): boolean => new Date(Date.parse(date) + 86_400_000).getUTCDate() === 1;

const UNITS = ['KB', 'MB', 'GB'] as const;

/** `824 bytes`, `14 KB`, `1.5 MB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return say('console.say.bytes', { count: bytes });
  const power = Math.min(UNITS.length, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  const digits = value < 10 ? '1' : '0';
  return say('console.say.size', { value: numbers(digits, digits).format(value), unit: UNITS[power - 1]! });
}
