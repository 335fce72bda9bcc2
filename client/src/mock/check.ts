import type { Schema } from './tables.js';
import { SCHEMAS } from './document.js';

/** What is wrong with a value, as the API names it. */
export interface Fault {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}
type Values = Readonly<Record<string, unknown>>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TIME = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const NOT_TEXT = /\0|[\ud800-\udfff]/u;

/** An existing day. */
function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return time !== undefined && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

const FORMATS: Readonly<Record<string, readonly [code: string, expected: string, fits: (text: string) => boolean]>> = {
  uuid: ['invalid_uuid', 'a UUID', (text) => UUID.test(text)],
  date: ['invalid_date', 'an existing calendar date, like 2026-02-28', isDay],
  'date-time': ['invalid_time', 'a time with its offset, like 2026-03-01T09:30:00Z', (text) => TIME.test(text) && isDay(text.slice(0, 10))],
};

/** Everything that is wrong with a value. `field` is its place. */
export function faultsOf(schema: Schema, value: unknown, field: string): Fault[] {
  if (schema.$ref) return faultsOf(SCHEMAS[schema.$ref]!, value, field);
  const fault = (code: string, message: string): Fault[] => [{ field, code, message }];
  if (value === undefined) return fault('required', 'is required');
  const either = schema.oneOf ?? schema.anyOf;
  if (either) return nearest(either.map((one) => faultsOf(one, value, field)));
  const types = [schema.type ?? []].flat();
  if (types.length > 0 && !types.includes(typeOf(value)) && !(types.includes('number') && typeof value === 'number'))
    return fault('wrong_type', `must be ${types.join(' or ')}`);
  const within = (schema.allOf ?? []).flatMap((one) => faultsOf(one, value, field));
  if (within.length > 0 || value === null) return within;
  if (schema.enum && !schema.enum.includes(value)) return fault('not_allowed', `must be one of ${schema.enum.join(', ')}`);
  if (typeof value === 'string') return faultsOfText(schema, value, fault);
  if (typeof value === 'number') return faultsOfNumber(schema, value, fault);
  if (Array.isArray(value)) return faultsOfList(schema, value, field, fault);
  return typeof value === 'object' ? faultsOfObject(schema, value as Values, field) : [];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isSafeInteger(value) ? 'integer' : typeof value;
}

/** Of several forms, the one that a value comes nearest to: its first fault is that of the latest field. */
function nearest(forms: readonly Fault[][]): Fault[] {
  if (forms.some((faults) => faults.length === 0)) return [];
  const order = ['.field', '.op', '.value'];
  const rank = ([first]: Fault[]): number => order.findIndex((end) => first!.field.endsWith(end));
  return [...forms].sort((a, b) => rank(b) - rank(a))[0]!.slice(0, 1);
}

type Make = (code: string, message: string) => Fault[];

function faultsOfText(schema: Schema, text: string, fault: Make): Fault[] {
  const { minLength = 0, maxLength = Infinity, format = '', pattern } = schema;
  const [code, expected, fits] = FORMATS[format] ?? [];
  if (fits && !fits(text)) return fault(code!, `must be ${expected}`);
  if (NOT_TEXT.test(text)) return fault('invalid_text', 'must not contain NUL characters or lone surrogates');
  const length = [...text].length;
  if (length < minLength) return fault('too_short', `must have at least ${minLength} characters`);
  if (length > maxLength) return fault('too_long', `must have at most ${maxLength} characters`);
  return pattern && !new RegExp(pattern, 'u').test(text) ? fault('not_allowed', `must match ${pattern}`) : [];
}

function faultsOfNumber(schema: Schema, value: number, fault: Make): Fault[] {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = schema;
  if (value >= minimum && value <= maximum && value > exclusiveMinimum && value < exclusiveMaximum) return [];
  // A number that may also be a text is a decimal.
  const code = [schema.type].flat().includes('string') ? 'not_allowed' : 'out_of_range';
  return fault(code, `must be from ${minimum} to ${maximum}`);
}

function faultsOfList(
  { minItems = 0, maxItems = Infinity, uniqueItems, items }: Schema,
  list: unknown[],
  at: string,
  fault: Make,
): Fault[] {
  if (list.length < minItems) return fault('too_short', `must have at least ${minItems} entries`);
  if (list.length > maxItems) return fault('too_many', `must have at most ${maxItems} entries`);
  const within = list.flatMap((item, index) => (items ? faultsOf(items, item, `${at}[${index}]`) : []));
  if (within.length > 0 || !uniqueItems) return within;
  const again = list.findIndex((item, index) => list.indexOf(item) < index);
  return again < 0 ? [] : [{ field: `${at}[${again}]`, code: 'repeated', message: 'must not be repeated' }];
}

/** The faults of what stands in an object. `at` is empty for the body itself. */
export function faultsOfObject(schema: Schema, values: Values, at = ''): Fault[] {
  const { properties = {}, required = [], additionalProperties: other, maxProperties = Infinity } = schema;
  const place = (name: string): string => (at === '' ? name : `${at}.${name}`);
  if (Object.keys(values).length > maxProperties)
    return [{ field: at, code: 'too_many', message: `must have at most ${maxProperties} properties` }];
  const declared = Object.entries(properties).flatMap(([name, one]) =>
    Object.hasOwn(values, name) || required.includes(name) ? faultsOf(one, values[name], place(name)) : [],
  );
  const others = Object.entries(values).filter(([name]) => !Object.hasOwn(properties, name));
  const undeclared = others.flatMap(([name, value]) => {
    if (other === false) return [{ field: place(name), code: 'unknown_property', message: 'is not a known property' }];
    return typeof other === 'object' ? faultsOf(other, value, place(name)) : [];
  });
  return [...declared, ...undeclared];
}

/** The values of a query, with the types that they shall have and the defaults of those that are left out. */
export function readQuery(parameters: Readonly<Record<string, Schema>>, sent: URLSearchParams): { query: Values; faults: Fault[] } {
  const faults: Fault[] = [];
  const defaults = Object.entries(parameters).flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]]));
  const query = Object.fromEntries(defaults) as Record<string, unknown>;
  for (const name of new Set(sent.keys())) {
    const [values, schema] = [sent.getAll(name), parameters[name]];
    if (!schema || !Object.hasOwn(parameters, name))
      faults.push({ field: name, code: 'unknown_property', message: 'is not a known query parameter' });
    else if (values.length > 1) faults.push({ field: name, code: 'repeated', message: 'must be given once' });
    else {
      const [text] = values as [string];
      query[name] = schema.type === 'integer' && /^\d+$/.test(text) ? Number(text) : text;
      faults.push(...faultsOf(schema, query[name], name));
    }
  }
  return { query, faults };
}
