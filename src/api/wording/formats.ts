export interface Formats {
  /** An exact decimal, such as `-1234.50`, or a count. With a real minus sign, which screen readers say. */
  readonly number: (value: string | number) => string;
  /** A percentage, such as `33.5`. */
  readonly percent: (value: string) => string;
  /** A month such as `2026-03`, in words. */
  readonly month: (month: string) => string;
  /** The name of a month of the year, from 1, as short as the language allows. */
  readonly shortMonth: (month: number) => string;
  /** A day such as `2026-03-31`, short but never to be read in two ways. */
  readonly day: (date: string) => string;
  /** A day with the month in words. */
  readonly longDay: (date: string) => string;
  /** Hour and minute of an instant, in UTC. */
  readonly time: (instant: string) => string;
}

/** Dates follow the language of the words; figures follow the locale. Digits are Latin and the calendar is Gregorian, as in statements. */
export function formatsOf(language: string, locale: string): Formats {
  const dates = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, calendar: 'gregory', numberingSystem: 'latn', timeZone: 'UTC' });
  const [months, shortMonths] = [dates({ month: 'long', year: 'numeric' }), dates({ month: 'short' })];
  const [days, longDays] = [dates({ dateStyle: 'medium' }), dates({ dateStyle: 'long' })];
  const times = dates({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const whole = new Intl.NumberFormat([locale, language], { numberingSystem: 'latn' });
  const point = whole.formatToParts(1.5).find(({ type }) => type === 'decimal')!.value;
  const number = (value: string | number) => {
    const [, sign, digits, decimals] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value))!;
    return `${sign ? '\u2212' : ''}${whole.format(BigInt(digits!))}${decimals === undefined ? '' : point + decimals}`;
  };
  const percents = new Intl.NumberFormat(language, { style: 'percent' }).formatToParts(1);
  const space = percents.some(({ type }) => type === 'literal') ? '\u00a0' : '';
  return {
    number,
    percent: (value) => `${number(value)}${space}%`,
    month: (month) => months.format(new Date(`${month}-01`)),
    shortMonth: (month) => shortMonths.format(new Date(Date.UTC(2026, month - 1, 1))).replace(/\.$/, ''),
    day: (date) => days.format(new Date(date)),
    longDay: (date) => longDays.format(new Date(date)),
    time: (instant) => times.format(new Date(instant)),
  };
}
