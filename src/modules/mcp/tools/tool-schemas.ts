import type { ObjectSchema, Schema } from './tool.js';

type Schemas = Readonly<Record<string, Schema>>;

export function resolved(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref !== undefined) return resolved(schemas[schema.$ref.split('/').at(-1)!]!, schemas);
  if (schema.allOf?.length === 1) return resolved(schema.allOf[0]!, schemas);
  return schema;
}

/** Bounds that the API checks, with messages that say them. Each client pays for every word of a list of tools. */
const NOT_LISTED = ['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems', 'uniqueItems'];

/** An input keeps the limits of its value and its description. */
const INPUT_KEYWORDS = ['type', 'description', 'enum', 'format', 'minimum', 'maximum', 'default', ...NOT_LISTED];

/**
 * A property of a request, as an input: the same limits, without examples. An object has its properties, unless it may have others: of
 * a free-form object only the type is kept, since its description says what it may contain. The API names each place that is wrong.
 */
export function inputOf(schema: Schema, schemas: Schemas): Schema {
  if (schema.anyOf?.[1]?.type === 'null') {
    const { anyOf, ...described } = schema;
    const { type: objectType, ...object } = inputOf({ ...anyOf[0]!, ...described }, schemas);
    return { ...object, type: [objectType as string, 'null'] };
  }
  const { type, properties, required } = resolved(schema, schemas);
  const limits = Object.entries(schema).filter(([keyword]) => INPUT_KEYWORDS.includes(keyword));
  const kept: Record<string, unknown> = { ...(type !== undefined && { type }), ...Object.fromEntries(limits) };
  if (schema.items) kept.items = inputOf(schema.items, schemas);
  if (properties && schema.additionalProperties !== true) {
    kept.properties = mapped(properties, (property) => inputOf(property, schemas));
    if (required) kept.required = required;
  }
  return kept;
}

/** A model knows what an id and a number look like. */
const KNOWN_FORMATS: readonly unknown[] = ['uuid', 'int32', 'int64'];

/** An input as clients are shown it: it accepts whatever the input itself accepts. */
function listedInput({ type, items, properties, ...schema }: Schema): Schema {
  const shown = Object.entries(schema).filter(([keyword, value]) => !NOT_LISTED.includes(keyword) && !KNOWN_FORMATS.includes(value));
  return {
    ...typeOf(type),
    ...Object.fromEntries(shown),
    ...(items && { items: listedInput(items) }),
    ...(properties && { properties: mapped(properties, listedInput) }),
  };
}

/** Some clients, such as those with strict schemas, know no list of types. */
function typeOf(type: Schema['type']): Schema {
  if (type === undefined) return {};
  return typeof type === 'string' ? { type } : { anyOf: type.map((one) => ({ type: one })) };
}

export function listedInputs({ properties, ...schema }: ObjectSchema): ObjectSchema {
  return { ...schema, properties: mapped(properties, listedInput) };
}

const mapped = (properties: Schemas, change: (schema: Schema) => Schema): Schemas =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, change(schema)]));

/** How many levels of an output are described: the fields of a record, but not what is inside them. */
const OUTPUT_LEVELS = 1;

/**
 * An output schema with only names and types of fields. A model reads the schemas of all tools before it calls one, so every word
 * costs tokens in each conversation.
 */
export function outputOf(schema: Schema, schemas: Schemas, depth = 0): Schema {
  const { type, properties, items, anyOf } = resolved(schema, schemas);
  if (anyOf) return typeOf(anyOf.flatMap((one) => resolved(one, schemas).type ?? []));
  if (items) return { type: 'array', items: outputOf(items, schemas, depth) };
  if (!properties || depth >= OUTPUT_LEVELS) return typeOf(type);
  const fields = Object.entries(properties).map(([name, inner]) => [name, outputOf(inner, schemas, depth + 1)]);
  return { type, properties: Object.fromEntries(fields) as Record<string, Schema> };
}
