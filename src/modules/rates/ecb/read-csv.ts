import { StartError } from '../../../kernel/start-error.js';
import { Quotes, shown, type Quote } from './quote.js';

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const NOT_QUOTED = ['', 'N/A'];

/** `eurofxref-hist.csv`, and `eurofxref.csv` of one day: a column for each currency, which another comma may follow. */
export function readCsv(text: string): Quote[] {
  const [heading = '', ...lines] = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const [date, ...currencies] = cellsOf(heading);
  if (date !== 'Date' || currencies.length === 0) throw new StartError('Line 1 is not a heading such as Date,USD,JPY.');
  const repeated = currencies.find((currency, index) => currencies.indexOf(currency) < index);
  if (repeated !== undefined) throw new StartError(`Line 1 has ${shown(repeated)} twice.`);
  const quotes = new Quotes();
  lines.forEach((line, index) => {
    if (line.trim() === '') return;
    const place = `Line ${index + 2}`;
    const [day = '', ...rates] = cellsOf(line);
    if (rates.length !== currencies.length)
      throw new StartError(`${place} has ${rates.length} rates for the ${currencies.length} currencies of line 1.`);
    rates.forEach((rate, column) => {
      if (!NOT_QUOTED.includes(rate)) quotes.add({ day: dayOf(day), currency: currencies[column]!, rate }, place);
    });
  });
  return quotes.all();
}

/** Without the empty cell after the last comma of a line. */
function cellsOf(line: string): string[] {
  const cells = line.split(',').map((cell) => cell.trim());
  return cells.at(-1) === '' ? cells.slice(0, -1) : cells;
}

/** The file of one day has dates such as `20 November 2026`. */
function dayOf(text: string): string {
  const [, day, name, year] = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})$/.exec(text) ?? [];
  const month = MONTHS.indexOf(name ?? '') + 1;
  return month === 0 ? text : `${year}-${String(month).padStart(2, '0')}-${day!.padStart(2, '0')}`;
}
