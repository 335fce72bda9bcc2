import type { Schema } from './tool.js';

type Schemas = Readonly<Record<string, Schema>>;

/** Inlines what a schema refers to. */
export function resolved(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref !== undefined) return resolved(schemas[schema.$ref.split('/').at(-1)!]!, schemas);
  if (schema.allOf?.length === 1) return resolved(schema.allOf[0]!, schemas);
  return schema;
}

/** For inputs nothing is of use but what a value must be, and what it means. */
const KEPT_OF_INPUTS = [
  'type',
  'description',
  'enum',
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'uniqueItems',
  'default',
];

/** A property of a request, as an input: the same limits, without examples. */
export function inputOf(schema: Schema): Schema {
  const kept: Record<string, unknown> = Object.fromEntries(Object.entries(schema).filter(([keyword]) => KEPT_OF_INPUTS.includes(keyword)));
  if (schema.items) kept.items = inputOf(schema.items);
  return kept;
}

/** How deep an output is described: a record's own fields, and of a list that it holds records. What is within is for whoever looks at it. */
const DEPTH = 1;

/**
 * What comes back, in as few words as say which fields there are and of what type. A model reads this of every tool before it
 * calls one, so each word is paid for many times.
 */
export function outputOf(schema: Schema, schemas: Schemas, depth = 0): Schema {
  const { type, properties, items } = resolved(schema, schemas);
  if (items) return { type: 'array', items: outputOf(items, schemas, depth) };
  if (!properties || depth >= DEPTH) return type === undefined ? {} : { type };
  const fields = Object.entries(properties).map(([name, inner]) => [name, outputOf(inner, schemas, depth + 1)]);
  return { type, properties: Object.fromEntries(fields) as Record<string, Schema> };
}
