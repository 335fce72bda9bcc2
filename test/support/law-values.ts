import { exampleOf, type Schema as ExampleSchema } from '../../src/modules/contracts/openapi-schemas.js';
import { allowsType, isFreeText, resolveRef, type Body, type OpenApi, type Parameter, type Schema } from './law-document.js';

/** A text with a mark that makes it unique, as far as its length allows. Texts of a certain form stay as they are. */
export function uniqueText(schema: Schema, example: string, mark: string): string {
  if (schema.format === 'email') return `${mark}@example.com`;
  if (!isFreeText(schema)) return example;
  const { maxLength = Infinity } = schema;
  const marked = `${example} ${mark}`;
  // The end of an id is random; its start is the time.
  return marked.length <= maxLength ? marked : mark.slice(-maxLength);
}

/** Another free text that is also valid. */
export function otherText({ maxLength = Infinity }: Schema, text: string): string {
  const longer = `${text} too`;
  if (longer.length <= maxLength) return longer;
  return (text.startsWith('x') ? 'y' : 'x') + text.slice(1);
}

/** Invalid values for a body property with this schema, each with a description. */
export function invalidValues(schema: Schema, document: OpenApi): [what: string, value: unknown][] {
  const values: [string, unknown][] = [];
  // Of an object in a list of objects, each field that it lacks is named.
  const item = schema.items && resolveRef(document, schema.items);
  if (!item?.properties && item?.additionalProperties !== true) values.push(['an object in a list', [{}]]);
  if (!allowsType(schema, 'null')) values.push(['null', null]);
  if (!allowsType(schema, 'boolean')) values.push(['true', true]);
  if (!allowsType(schema, 'integer')) values.push(['a number', 42]);
  if (!allowsType(schema, 'object')) values.push(['an object', {}]);
  if (!allowsType(schema, 'string')) values.push(['a text', 'text']);
  if (schema.enum)
    values.push(
      ['a text that is not listed', 'no_such_value'],
      ['a listed text in capitals', String(schema.enum[0]).toUpperCase()],
      ['an empty text', ''],
    );
  if (schema.format === 'uuid') values.push(['a text that is not a UUID', 'x']);
  if (schema.format === 'date')
    values.push(
      ['a day that does not exist', '2026-02-30'],
      ['a timestamp', '2026-02-28T00:00:00Z'],
      ['a day in another format', '28.02.2026'],
    );
  if (schema.format === 'email') values.push(['a text that is not an address', 'x'], ['two addresses', 'a@example.com,b@example.com']);
  if (schema.pattern !== undefined) values.push(['a text of another form', notMatching(schema.pattern)]);
  if (schema.maxLength !== undefined) values.push(['a text that is too long', 'x'.repeat(schema.maxLength + 1)]);
  if (schema.minLength !== undefined) values.push(['a text that is too short', 'x'.repeat(schema.minLength - 1)]);
  if (allowsType(schema, 'array')) values.push(...invalidLists(schema, document));
  // Documents of rules have a grammar and tests of their own.
  if (schema.properties && !('additionalProperties' in schema)) values.push(...invalidObjects(schema, document));
  if (isFreeText(schema)) values.push(['a NUL', 'a\u0000b'], ['half of a surrogate pair', 'a\ud800b']);
  return values;
}

/** Each printable character of ASCII, a control character, one outside of ASCII, and a long text. */
const UNUSUAL = [...Array.from({ length: 95 }, (_none, at) => String.fromCharCode(32 + at)), '\u0007', '\u20ac', 'x0'.repeat(2000)];

function notMatching(pattern: string): string {
  const form = new RegExp(pattern, 'u');
  const found = ['~', 'x', '0', 'no such text', '', ...UNUSUAL].find((text) => !form.test(text));
  if (found === undefined) throw new Error(`Every text that was tried matches ${pattern}.`);
  return found;
}

/** Objects of which one value is invalid. */
function invalidObjects(schema: Schema, document: OpenApi): [what: string, value: unknown][] {
  const good = exampleIn(document, schema) as Body;
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    invalidValues(resolveRef(document, property), document).map(
      ([what, value]) => [`${name}: ${what}`, { ...good, [name]: value }] as const,
    ),
  );
  const missing = (schema.required ?? []).map((name) => [`${name}: nothing`, { ...good, [name]: undefined }] as const);
  const unknown = ['no_such_property', 'constructor', ''].map((name) => [`unknown ${name}`, { ...good, [name]: 'x' }] as const);
  return [...inner, ...missing, ...unknown].map(([what, value]) => [what, value]);
}

const exampleIn = (document: OpenApi, schema: Schema): unknown =>
  exampleOf(schema as ExampleSchema, document.components.schemas as Record<string, ExampleSchema>);

function invalidLists({ items = {}, minItems, maxItems, uniqueItems }: Schema, document: OpenApi): [what: string, value: unknown][] {
  const item = resolveRef(document, items);
  const good = exampleIn(document, item);
  const lists: [string, unknown][] = [
    ['null in a list', [good, null]],
    ['a list in a list', [[good]]],
    ['a number in a list', [good, 42]],
  ];
  if (item.enum) lists.push(['a text in a list that is not listed', [good, 'no_such_value']]);
  if (minItems !== undefined) lists.push(['a list that is too short', new Array(minItems - 1).fill(good)]);
  if (maxItems !== undefined) lists.push(['a list that is too long', new Array(maxItems + 1).fill(good)]);
  if (item.properties && !('additionalProperties' in item))
    lists.push(...invalidObjects(item, document).map(([what, value]): [string, unknown] => [what, [good, value]]));
  if (uniqueItems) lists.push(['the same twice', [good, good]]);
  return lists;
}

/** Invalid texts for a query parameter with this schema. */
export function invalidTexts({ schema }: Parameter): string[] {
  const texts: string[] = [];
  if (allowsType(schema, 'integer'))
    texts.push('', 'x', '1.5', '-1', '+1', ' 1', '0x10', '1e1', '9007199254740992', '99999999999999999999999', 'NaN', 'true');
  if (schema.minimum !== undefined) texts.push(String(schema.minimum - 1));
  if (schema.maximum !== undefined) texts.push(String(schema.maximum + 1));
  if (schema.enum) texts.push('', 'no_such_value', String(schema.enum[0]).toUpperCase());
  if (schema.maxLength !== undefined) texts.push('x'.repeat(schema.maxLength + 1));
  if (schema.pattern !== undefined) texts.push(notMatching(schema.pattern));
  if (schema.format === 'email') texts.push('', 'x');
  if (schema.format === 'uuid') texts.push('', 'x');
  if (allowsType(schema, 'boolean')) texts.push('', 'x', '1', 'TRUE', 'null');
  if (schema.format === 'date') texts.push('', 'x', '2026-02-30', '2026-3-1', '28.02.2026', '2026-02-28T00:00:00Z', '0000-01-01');
  if (schema.format === 'date-time')
    texts.push(
      '',
      'x',
      '2026-03-01',
      '2026-02-30T00:00:00Z',
      '2026-03-01T09:30:00',
      '0000-01-01T00:00:00Z',
      '2026-03-01T09:30:00 02:00',
      '999999-01-01T00:00:00Z',
    );
  // Of a form that is not known here, too: no field takes a NUL.
  if (isFreeText(schema) || texts.length === 0) texts.push('a\u0000b');
  return texts;
}

/** Texts that are not a UUID in the canonical form. */
export const INVALID_UUIDS = [
  'x',
  '0',
  '0199e9a47c1e7b6a9f0e3d1c5a7b9d21',
  '{0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21}',
  '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d2g',
  '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21 ',
  'null',
];
