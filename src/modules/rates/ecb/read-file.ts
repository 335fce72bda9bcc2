import { XMLParser } from 'fast-xml-parser';
import { JobFailure } from '../../../kernel/failure.js';
import { StartError } from '../../../kernel/settings/settings.js';
import { isCalendarDate } from '../../../kernel/time.js';
import { entriesOf } from '../../../kernel/zip-archive.js';

/** What one euro was worth on a day. */
export interface Quote {
  readonly day: string;
  readonly currency: string;
  readonly rate: string;
}

/** More than the bank publishes in a century. */
const MAX_QUOTES = 1_000_000;
const RATE = /^(?=.*[1-9])\d{1,9}(\.\d{1,10})?$/;

/** The quotes of a file. None is there twice, unless it says the same. */
class Quotes {
  private readonly found = new Map<string, Quote>();

  /** `place` is where it stands in the file: `Line 3`. */
  add({ day, currency, rate }: Quote, place: string): void {
    if (!isCalendarDate(day)) throw new StartError(`${place}: ${shown(day)} is not an existing date such as 2026-03-31.`);
    if (!/^[A-Z]{3}$/.test(currency) || currency === 'EUR')
      throw new StartError(`${place}: ${shown(currency)} is not the code of another currency than the euro, such as USD.`);
    if (!RATE.test(rate)) throw new StartError(`${place}: ${shown(rate)} is not a rate such as 1.0855.`);
    const known = this.found.get(`${day} ${currency}`);
    if (known && known.rate !== rate) throw new StartError(`${place}: ${currency} has two rates for ${day}, ${known.rate} and ${rate}.`);
    this.found.set(`${day} ${currency}`, { day, currency, rate });
    if (this.found.size > MAX_QUOTES) throw new StartError(`The file has more than ${MAX_QUOTES} rates.`);
  }

  all(): Quote[] {
    if (this.found.size === 0) throw new StartError('The file has no rates.');
    return [...this.found.values()];
  }
}

/** Of what the file says, an error has a short part. */
const shown = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const NOT_QUOTED = ['', 'N/A'];

/** `eurofxref-hist.csv`, and `eurofxref.csv` of one day: a column for each currency, which another comma may follow. */
function readCsv(text: string): Quote[] {
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

interface Cube {
  readonly '@time'?: string;
  readonly '@currency'?: string;
  readonly '@rate'?: string;
  readonly Cube?: readonly Cube[];
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseAttributeValue: false,
  processEntities: false,
  isArray: (name) => name === 'Cube',
});

function parsed(text: string): { Envelope?: Cube } {
  // No file of the bank has one. It can declare entities, which are read from elsewhere or grow without end.
  if (/<!DOCTYPE/i.test(text)) throw new StartError('The file declares a document type. Download it from the bank again.');
  try {
    return parser.parse(text, true) as { Envelope?: Cube };
  } catch {
    throw new StartError('The file is not well-formed XML. It may be incomplete.');
  }
}

/** `eurofxref-daily.xml`, `eurofxref-hist.xml` and the like: a `Cube` for each day, with one for each currency. */
function readXml(text: string): Quote[] {
  const { Envelope } = parsed(text);
  const days = (Envelope?.Cube ?? []).flatMap(({ Cube: inner = [] }) => inner);
  const quotes = new Quotes();
  days.forEach(({ '@time': day = '', Cube: cubes = [] }, index) => {
    for (const { '@currency': currency = '', '@rate': rate = '' } of cubes) quotes.add({ day, currency, rate }, `Day ${index + 1}`);
  });
  return quotes.all();
}

const MAX_FILE_MIB = 32;
export const MAX_RATES_FILE_BYTES = MAX_FILE_MIB * 1024 * 1024;

/** The rates of a file of the European Central Bank: CSV, XML, or a ZIP archive of one of them. */
export function readRatesFile(file: Buffer): Quote[] {
  requireSmall(file.length);
  const text = textOf(file.subarray(0, 2).toString('latin1') === 'PK' ? onlyFileIn(file) : file);
  return /^\ufeff?\s*</.test(text) ? readXml(text) : readCsv(text);
}

function onlyFileIn(archive: Buffer): Buffer {
  try {
    const [only, another] = entriesOf(archive, { files: 2, unpackedBytes: 2 * MAX_RATES_FILE_BYTES });
    if (!only || another) throw new StartError('The archive must have one file.');
    requireSmall(only.size);
    return only.content();
  } catch (error) {
    throw error instanceof JobFailure ? new StartError(error.message) : error;
  }
}

function requireSmall(bytes: number): void {
  if (bytes > MAX_RATES_FILE_BYTES) throw new StartError(`The file is larger than ${MAX_FILE_MIB} MiB.`);
}

function textOf(file: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    throw new StartError('The file is not a text in UTF-8.');
  }
}
