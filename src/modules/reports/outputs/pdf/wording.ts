import { kindOf, type Cell, type Column } from '../tables.js';

/** Formats numbers, months and days for a locale. */
export interface Wording {
  number(decimal: string): string;
  month(month: string): string;
  day(date: string): string;
  cell(column: Column, cell: Cell): string;
}

/** An unknown locale falls back to English. Digits are Latin and the calendar is Gregorian, as in statements. */
export function wordingOf(locale: string): Wording {
  const locales = [locale, 'en'];
  const inCalendar = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locales, { ...options, calendar: 'gregory', numberingSystem: 'latn', timeZone: 'UTC' });
  const months = inCalendar({ month: 'short', year: 'numeric' });
  const days = inCalendar({ day: 'numeric', month: 'long', year: 'numeric' });
  const decimals = [] as Intl.NumberFormat[];
  const number = (decimal: string) => {
    const digits = (decimal.split('.')[1] ?? '').length;
    decimals[digits] ??= new Intl.NumberFormat(locales, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      numberingSystem: 'latn',
    });
    return decimals[digits].format(decimal as Intl.StringNumericLiteral);
  };
  const month = (text: string) => months.format(new Date(`${text}-01`));
  const cell = (column: Column, content: Cell) => {
    if (content === null) return '';
    switch (kindOf(column, content)) {
      case 'number':
        return number(content);
      case 'month':
        return month(content);
      default:
        return content;
    }
  };
  return { number, month, day: (date) => days.format(new Date(date)), cell };
}
