import { DATE_ORDERS, isCurrency } from '../../../../../../tools/bank-files/index.js';
import { AMOUNT_SIGNS, DECIMAL_MARKS, fingerprintOfLayout, keyOf, LAYOUT_WORDS } from '../../../../../../tools/bank-tables/index.js';
import type { LayoutWord, WrittenLayout } from '../../../../../../tools/bank-tables/index.js';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packageFolder, packageJson } from '../../../../../kernel/package-folder.js';
import { type FreeForm, isObject, parsedJson } from '../../../../../kernel/json.js';
import { Problem } from '../../../../../kernel/problems.js';

/**
 * The layouts of banks and cards that are part of the program, by their whole names: `de/n26` is the layout `n26` of `layouts/de.json`.
 * There is a file for each country, and one each for cards and fintechs. Each layout is what people write for `--layout`.
 */
export const SHIPPED: readonly WrittenLayout[] = readdirSync(join(packageFolder(), 'layouts'))
  .toSorted()
  .flatMap((file) => {
    const layouts = packageJson<WrittenLayout[]>(`layouts/${file}`);
    return layouts.map((layout) => ({ ...layout, name: `${basename(file, '.json')}/${layout.name}` }));
  });

export const SHIPPED_BY_FINGERPRINT: ReadonlyMap<string | null, WrittenLayout> = new Map(
  SHIPPED.map((layout) => [fingerprintOfLayout(layout), layout]),
);
const BY_NAME: ReadonlyMap<string, WrittenLayout> = new Map(SHIPPED.map((layout) => [layout.name, layout]));

export const shippedByName = (name: string): WrittenLayout | undefined => BY_NAME.get(name);

export const MAX_LAYOUT_BYTES = 20 * 1024;
export const MAX_COLUMNS = 100;
const MAX_COLUMN_NAME = 100;
const MAX_HEADER_ROW = 60;
const MAX_WORDS = 20;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,59}$/u;
/** Of these a layout has one column at most. */
const SINGLE: readonly LayoutWord[] = ['amount', 'debit', 'credit', 'balance', 'fee', 'direction', 'currency', 'bookingDate'];

/** The layout that a text has; a problem names the field that is not valid and what is allowed. */
export function parseLayout(text: string): WrittenLayout {
  if (Buffer.byteLength(text) > MAX_LAYOUT_BYTES) invalid('layout', `must have at most ${MAX_LAYOUT_BYTES} bytes`);
  const fields = parsed(text);
  for (const key of Object.keys(fields))
    if (!Object.hasOwn(FIELDS, key)) invalid(shown(key), `is not a field; the fields are ${list(Object.keys(FIELDS))}`);
  for (const [key, check] of Object.entries(FIELDS)) {
    const isRequired = key === 'name' || key === 'columns';
    if (fields[key] === undefined && isRequired) invalid(key, 'is required');
    if (fields[key] !== undefined) check(key, fields[key]);
  }
  const layout = fields as unknown as WrittenLayout;
  checkHeader(layout);
  checkMeanings(layout);
  return layout;
}

function parsed(text: string): FreeForm {
  const refuse = (): never => invalid('layout', 'must be a JSON object');
  const value = parsedJson(text.replace(/^\uFEFF/, ''), refuse);
  return isObject(value) ? value : refuse();
}

const FIELDS: Readonly<Record<keyof WrittenLayout, (field: string, value: unknown) => void>> = {
  name: (field, value) => {
    if (typeof value !== 'string' || !NAME.test(value) || value.endsWith('.json'))
      invalid(field, 'must have 1 to 60 letters, digits, blanks, points, hyphens or underscores, and must not end with .json');
  },
  columns: (field, value) => {
    if (!isObject(value)) return invalid(field, 'must be an object of columns and what they are');
    const columns = Object.entries(value);
    if (columns.length === 0 || columns.length > MAX_COLUMNS) invalid(field, `must have 1 to ${MAX_COLUMNS} columns`);
    for (const [name, word] of columns) {
      if (name.length > MAX_COLUMN_NAME) invalid(field, `has a name of more than ${MAX_COLUMN_NAME} characters`);
      oneOf(LAYOUT_WORDS)(`${field}.${shown(name)}`, word);
    }
  },
  header: (field, value) => texts(field, value, MAX_COLUMNS, MAX_COLUMN_NAME),
  width: (field, value) => integer(field, value, MAX_COLUMNS),
  headerRow: (field, value) => integer(field, value, MAX_HEADER_ROW),
  amounts: (field, value) => oneOf(AMOUNT_SIGNS)(field, value),
  direction: (field, value) => wordsOf(['out', 'in'])(field, value),
  currency: (field, value) => {
    if (typeof value !== 'string' || !isCurrency(value)) invalid(field, 'must be a currency such as EUR');
  },
  dates: (field, value) => oneOf(DATE_ORDERS)(field, value),
  decimalMark: (field, value) => oneOf(DECIMAL_MARKS)(field, value),
  statuses: (field, value) => wordsOf(['booked', 'notBooked'])(field, value),
  shortRows: (field, value) => {
    if (typeof value !== 'boolean') invalid(field, 'must be true or false');
  },
};

const wordsOf =
  (keys: readonly string[]) =>
  (field: string, value: unknown): void => {
    if (!isObject(value)) return invalid(field, `must be an object with the words for ${keys.join(' and ')}`);
    for (const key of Object.keys(value)) oneOf(keys)(`${field}.${shown(key)}`, key);
    for (const key of keys) texts(`${field}.${key}`, value[key], MAX_WORDS, MAX_COLUMN_NAME);
  };

/** Columns are named by a header or numbered without one. */
function checkHeader({ columns, header, width }: WrittenLayout): void {
  const names = Object.keys(columns);
  if (width !== undefined) {
    if (header) invalid('header', 'must be absent if there is a width, which is for files without a header');
    for (const name of names)
      if (!/^[1-9]\d*$/.test(name) || Number(name) > width)
        invalid(`columns.${shown(name)}`, `must be a number from 1 to ${width}, the width`);
    return;
  }
  const keys = new Set(names.map(keyOf));
  if (keys.has('')) invalid('columns', 'must be named with letters or digits');
  if (keys.size < names.length) invalid('columns', 'has two names that differ only in case, accents, blanks or signs');
  if (names.every((name) => /^\d+$/.test(name))) invalid('width', 'is required if columns are numbered');
}

function checkMeanings({ columns, amounts, direction, statuses }: WrittenLayout): void {
  const words = Object.values(columns);
  const has = (word: LayoutWord): boolean => words.includes(word);
  for (const word of SINGLE) if (words.filter((other) => other === word).length > 1) invalid('columns', `must have one ${word} at most`);
  if (!has('bookingDate') && !has('date') && !has('valueDate')) invalid('columns', 'must have a bookingDate, date or valueDate');
  if (!has('amount') && !has('debit') && !has('credit')) invalid('columns', 'must have an amount, a debit or a credit');
  if (direction && !has('direction')) invalid('direction', 'needs a column that is the direction');
  if (amounts && has('direction')) invalid('amounts', 'must be absent if a column is the direction');
  if (direction?.out.some((word) => direction.in.includes(word))) invalid('direction', 'must not have a word for both');
  if (statuses && !has('status')) invalid('statuses', 'needs a column that is the status');
  if (statuses?.booked.some((word) => statuses.notBooked.includes(word))) invalid('statuses', 'must not have a word for both');
}

function texts(field: string, value: unknown, most: number, longest: number): void {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= most;
  if (!isList || !value.every((text) => typeof text === 'string' && text.length <= longest))
    invalid(field, `must be a list of 1 to ${most} texts of at most ${longest} characters`);
}

function integer(field: string, value: unknown, most: number): void {
  if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > most)
    invalid(field, `must be a whole number from 1 to ${most}`);
}

const oneOf =
  (allowed: readonly string[]) =>
  (field: string, value: unknown): void => {
    if (!allowed.some((one) => one === value)) invalid(field, `must be one of ${list(allowed)}`);
  };

const list = (words: readonly string[]): string => words.join(', ');
const shown = (text: string): string => text.slice(0, MAX_COLUMN_NAME).replace(/[\p{Cc}\p{Cs}]/gu, '');

function invalid(field: string, message: string): never {
  throw Problem.invalidField(field, 'not_allowed', message);
}
