import type { FieldGrammar } from '../../api/validation/field.js';
import { wholeNumber } from '../../api/validation/whole-number.js';
import type { FieldCode } from '../../kernel/field-codes.js';
import { getOrCreate } from '../../kernel/get-or-create.js';
import { isObject } from '../../kernel/json.js';
import { meantBy } from '../../kernel/spelling.js';
import { codePoints } from '../../kernel/text.js';
import { isCalendarDate } from '../../kernel/time.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The one declaration of what a value may be: how it is documented, checked and read. */
export interface Shape<T> {
  /** As JSON Schema. May accept more than `read`, never less. */
  readonly schema: JsonSchema;
  /** The named schemas that `schema` refers to. */
  readonly components?: Readonly<Record<string, JsonSchema>>;
  /** The value in the form that the engine uses; undefined if something is wrong with it, which the place has then noted. */
  readonly read: (value: unknown, at: Place) => T | undefined;
}

export type ReadBy<S> = S extends Shape<infer T> ? T : never;

/** What is wrong with a value, and where: at `.rules[0].all[1].op`. The message completes the sentence "… must …". */
interface Finding {
  readonly path: string;
  readonly code: FieldCode;
  readonly message: string;
}

export class Reading {
  readonly findings: Finding[] = [];
  /** What checking the patterns of the document has cost so far. */
  patternCost = 0;
}

const MAX_KEY_SHOWN = 100;

/** A place within a document. */
export class Place {
  constructor(
    readonly reading: Reading,
    private readonly path = '',
  ) {}

  key(name: string): Place {
    const step = /^\w{1,100}$/.test(name) ? `.${name}` : `[${JSON.stringify(name.slice(0, MAX_KEY_SHOWN).toWellFormed())}]`;
    return new Place(this.reading, this.path + step);
  }

  item(index: number): Place {
    return new Place(this.reading, `${this.path}[${index}]`);
  }

  /** Notes what is wrong with the value here. Returns undefined, which stands for a value that could not be read. */
  wrong(value: unknown, code: FieldCode, message: string): undefined {
    this.reading.findings.push({ path: this.path, code: value === undefined ? 'required' : code, message });
    return undefined;
  }
}

/** A text that is not blank. */
export function text(max: number): Shape<string> {
  const expected = `must be a text of 1 to ${max} characters`;
  return {
    schema: { type: 'string', minLength: 1, maxLength: max, pattern: '\\S' },
    read: (value, at) => {
      if (typeof value !== 'string') return at.wrong(value, 'wrong_type', expected);
      if (value.trim() === '') return at.wrong(value, 'too_short', expected);
      return codePoints(value) > max ? at.wrong(value, 'too_long', expected) : value;
    },
  };
}

/** A value that a function converts. The function returns undefined for what is not allowed. */
export function converted<T>(schema: JsonSchema, expected: string, convert: (value: unknown) => T | undefined): Shape<T> {
  return {
    schema,
    read: (value, at) => {
      const found = convert(value);
      return found === undefined ? at.wrong(value, 'not_allowed', `must be ${expected}`) : found;
    },
  };
}

export function oneOf<T extends string>(allowed: readonly T[]): Shape<T> {
  const read: Shape<T>['read'] = (value, at) =>
    // Extensions may add to a list until the start.
    allowed.find((name) => name === value) ?? at.wrong(value, 'not_allowed', `must be one of ${allowed.join(', ')}`);
  return { schema: { type: 'string', enum: allowed }, read };
}

export const FLAG: Shape<boolean> = converted({ type: 'boolean' }, 'true or false', (value) =>
  typeof value === 'boolean' ? value : undefined,
);

export const WHOLE_NUMBER: Shape<number> = converted(wholeNumber(Number.MIN_SAFE_INTEGER), 'a whole number', (value) =>
  Number.isSafeInteger(value) ? (value as number) : undefined,
);

export const wholeNumberFrom = (min: number, max: number): Shape<number> =>
  converted(wholeNumber(min, max), `a whole number from ${min} to ${max}`, (value) =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max ? (value as number) : undefined,
  );

export const DATE = converted({ type: 'string', format: 'date' }, 'an existing date, such as 2026-03-31', (value) =>
  typeof value === 'string' && isCalendarDate(value) ? value : undefined,
);

/** In capitals, however it is written. */
export const currencyCode = (example: string): Shape<string> =>
  converted({ type: 'string', pattern: '^[A-Za-z]{3}$' }, `a three-letter currency code, such as ${example}`, (value) =>
    typeof value === 'string' && /^[a-z]{3}$/i.test(value) ? value.toUpperCase() : undefined,
  );

export const optional = <T>({ schema, read, components }: Shape<T>): Shape<T | null> => ({
  schema: schema.type === undefined ? { anyOf: [schema, { type: 'null' }] } : { ...schema, type: [schema.type, 'null'].flat() },
  components,
  read: (value, at) => (value === null ? null : read(value, at)),
});

/** An object whose keys are not ours. */
export function recordOf<T>(item: Shape<T>, { key, max }: { key: string; max: number }): Shape<Readonly<Record<string, T>>> {
  return {
    schema: { type: 'object', additionalProperties: item.schema, maxProperties: max },
    read: (value, at) => {
      const given = objectOf(value, at);
      if (!given) return undefined;
      if (Object.keys(given).length > max) return at.wrong(value, 'too_many', `must have at most ${max} entries`);
      const read = Object.entries(given).map(([name, inner]) => {
        const place = at.key(name);
        return [
          name,
          new RegExp(key, 'su').test(name) ? item.read(inner, place) : place.wrong(inner, 'unknown_property', 'must be left out'),
        ] as const;
      });
      return read.every(([, inner]) => inner !== undefined) ? (Object.fromEntries(read) as Record<string, T>) : undefined;
    },
  };
}

export function list<T>(item: Shape<T>, { min = 0, max }: { min?: number; max?: number } = {}): Shape<readonly T[]> {
  return {
    schema: { type: 'array', items: item.schema, ...(min > 0 && { minItems: min }), ...(max !== undefined && { maxItems: max }) },
    components: item.components,
    read: (value, at) => {
      if (!Array.isArray(value)) return at.wrong(value, 'wrong_type', 'must be a list');
      if (value.length < min) return at.wrong(value, 'too_short', `must have at least ${min} ${min === 1 ? 'entry' : 'entries'}`);
      if (max !== undefined && value.length > max) return at.wrong(value, 'too_many', `must have at most ${max} entries`);
      const items = value.map((entry, index) => item.read(entry, at.item(index)));
      return items.includes(undefined) ? undefined : (items as T[]);
    },
  };
}

/** A list in which repetitions do not count. */
export function set<T>(item: Shape<T>): Shape<readonly T[]> {
  const all = list(item);
  return { ...all, read: (value, at) => withoutRepetitions(all.read(value, at)) };
}

const withoutRepetitions = <T>(items: readonly T[] | undefined): T[] | undefined => items && [...new Set(items)];

interface Key<T> {
  readonly about: string;
  readonly shape: Shape<T>;
  /** What is read if the key is omitted; undefined if it must not be. */
  readonly otherwise?: T;
  /** Set for a key that looks like a common word: integrators may have keys of their own that look like it. */
  readonly looksLikeOthers?: boolean;
}

interface ObjectOptions<T> {
  readonly keys: { readonly [K in keyof T]: Key<T[K]> };
  /** Set for an object without keys of the integrator's own: what it is, as in "a rule". */
  readonly closed?: string;
  /** What else must hold for an object whose keys are all valid. */
  readonly also?: (value: T, at: Place) => T | undefined;
}

export function object<T extends object>({ keys, closed, also = (value) => value }: ObjectOptions<T>): Shape<T> {
  const entries = Object.entries<Key<unknown>>(keys);
  const distinct = entries.filter(([, { looksLikeOthers }]) => !looksLikeOthers).map(([name]) => name);
  return {
    schema: objectSchema(
      Object.fromEntries(entries.map(([name, { about, shape, otherwise }]) => [name, described(shape.schema, about, otherwise)])),
      { required: entries.filter(([, { otherwise }]) => otherwise === undefined).map(([name]) => name), isOpen: closed === undefined },
    ),
    components: Object.fromEntries(entries.flatMap(([, { shape }]) => Object.entries(shape.components ?? {}))),
    read: (value, at) => {
      const given = objectOf(value, at);
      if (!given) return undefined;
      const areKnown = checkKeys(given, { names: Object.keys(keys), distinct }, at, closed);
      const read = entries.map(([name, { shape, otherwise }]) => {
        const inner = Object.hasOwn(given, name) ? given[name] : undefined;
        return [name, inner === undefined && otherwise !== undefined ? otherwise : shape.read(inner, at.key(name))] as const;
      });
      return areKnown && read.every(([, inner]) => inner !== undefined) ? also(Object.fromEntries(read) as T, at) : undefined;
    },
  };
}

/** Amounts and percentages are read as `bigint`, which is no JSON: their schemas state the default themselves. */
const described = (schema: JsonSchema, description: string, otherwise: unknown): JsonSchema => ({
  ...schema,
  description,
  ...(otherwise !== undefined && otherwise !== null && typeof otherwise !== 'bigint' && { default: otherwise }),
});

export function objectSchema(properties: Record<string, JsonSchema>, { required = [] as string[], isOpen = false }): JsonSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: isOpen };
}

export const objectOf = (value: unknown, at: Place): Record<string, unknown> | undefined =>
  isObject(value) ? value : at.wrong(value, 'wrong_type', 'must be an object');

interface Names {
  readonly names: readonly string[];
  /** Those that other keys may not look like. */
  readonly distinct?: readonly string[];
}

/** Refuses keys that look like one of ours, and in a closed object all others, too. */
export function checkKeys(given: object, { names, distinct = names }: Names, at: Place, closed?: string): boolean {
  const before = at.reading.findings.length;
  for (const key of Object.keys(given).filter((candidate) => !names.includes(candidate))) {
    const meant = meantBy(key, distinct);
    const allowed = closed && `the keys of ${closed} are ${names.join(', ')}`;
    if (meant !== undefined)
      at.key(key).wrong(key, 'unknown_property', `must be spelled ${meant}${allowed ? `, or be left out: ${allowed}` : ''}`);
    else if (allowed) at.key(key).wrong(key, 'unknown_property', `must be left out: ${allowed}`);
  }
  return at.reading.findings.length === before;
}

const refTo = (name: string): string => `#/components/schemas/${name}`;

/** A shape whose schema has a name of its own in the documents. */
export function named<T>(name: string, { schema, components, read }: Shape<T>): Shape<T> {
  return { schema: { $ref: refTo(name) }, components: { ...components, [name]: schema }, read };
}

const OWN_KEYS = 'Keys of your own are kept and ignored, unless they look like one of ours.';

/**
 * The grammar of a free-form object. Requests are checked by it, the engine reads by it, and the documents are made from it, so
 * what is accepted can be computed.
 */
export class Grammar<T> implements FieldGrammar {
  readonly components: Readonly<Record<string, JsonSchema>>;
  /** A field with an error is checked twice: once for whether it is valid, and once for what is wrong. */
  private readonly known = new WeakMap<object, readonly Finding[]>();
  /** `#/components/schemas/SourceMapping` */
  readonly ref: string;

  constructor(
    name: string,
    about: string,
    private readonly shape: Shape<T>,
  ) {
    this.ref = refTo(name);
    this.components = { ...shape.components, [name]: { description: `${about} ${OWN_KEYS}`, ...shape.schema } };
  }

  problemsOf(value: object): readonly Finding[] {
    return getOrCreate(this.known, value, () => this.read(value).findings);
  }

  /** The parsed form, or everything that is wrong. */
  read(value: unknown): { readonly parsed?: T; readonly findings: readonly Finding[] } {
    const reading = new Reading();
    const parsed = this.shape.read(value, new Place(reading));
    return reading.findings.length === 0 ? { parsed: parsed!, findings: [] } : { findings: reading.findings };
  }
}
