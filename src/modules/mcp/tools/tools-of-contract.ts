import type { ToolDeclaration } from '../../../api/operation/operation.js';
import { KEY_MAX_LENGTH } from '../../../kernel/product.js';
import type { UserRole } from '../../../kernel/roles.js';
import { snakeCase } from '../../../kernel/text.js';
import type { ObjectSchema, Schema, Tool } from './tool.js';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly summary: string;
  /** Those that several operations take are referred to. */
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>>;
  readonly 'x-scope'?: string;
  readonly 'x-role'?: UserRole;
  readonly 'x-plan'?: string;
  readonly 'x-concerns'?: 'organization';
  readonly 'x-tool'?: ToolDeclaration;
  readonly 'x-media-types'?: Tool['mediaTypes'];
}

export interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: { readonly schemas?: unknown; readonly parameters?: unknown };
}

type Schemas = Readonly<Record<string, Schema>>;
type Components = { readonly schemas: Schemas; readonly parameters: Readonly<Record<string, Parameter>> };

/** All tools, in the order of the document. Made from it alone, so they always match the API. */
export function toolsOf({ paths, components }: Contract): Tool[] {
  const known = { schemas: {}, parameters: {}, ...components } as Components;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods) as DocumentedOperation[]);
  const mediaTypes = operations.find(({ operationId }) => operationId === 'claim_reports.download')?.['x-media-types'] ?? {};
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const documented = operation as DocumentedOperation;
      return documented['x-tool']
        ? [toolOf(documented, documented['x-tool'], { method: method.toUpperCase(), path, mediaTypes }, known)]
        : [];
    }),
  );
}

/** Parameters of lists that models do without: pages by their numbers are enough for them. */
const FOR_PROGRAMS = ['before', 'changed_since'];

function toolOf(
  operation: DocumentedOperation,
  declared: ToolDeclaration,
  route: Pick<Tool, 'method' | 'path' | 'mediaTypes'>,
  { schemas, parameters: shared }: Components,
): Tool {
  const { name, set, risk, says, without = [], leavesOut = [], sets = {}, isLarge = false } = declared;
  const { operationId, summary, requestBody, parameters = [] } = operation;
  const taken = parameters
    .map((parameter) => ('$ref' in parameter ? shared[parameter.$ref.split('/').at(-1)!]! : parameter))
    .filter((parameter) => parameter.in !== 'header' && ![...without, ...FOR_PROGRAMS].includes(parameter.name));
  const takenIn = (part: 'path' | 'query'): string[] => taken.filter((one) => one.in === part).map((one) => one.name);
  const body = bodyOf(requestBody, schemas);
  const sent = Object.keys(body.properties).filter((property) => !without.includes(property));
  const confirmedBy = CONFIRMED_BY[risk];
  const inputSchema = objectOf([
    ...taken.map(
      (one) =>
        [one.name, inputOf({ description: one.description, ...one.schema, ...ROWS[one.name] }, schemas), one.required ?? false] as const,
    ),
    ...sent.map((property) => bodyInput(property, body, declared, schemas)),
    ...(leavesOut.length > 0 ? [[DETAIL, detailInput(leavesOut), false] as const] : []),
    ...(isLarge ? [[FIELDS, FIELDS_INPUT, false] as const] : []),
    ...(confirmedBy ? [[confirmedBy, CONFIRM, true] as const] : []),
    ...(confirmedBy === 'confirm' ? [['idempotency_key', IDEMPOTENCY_KEY, true] as const] : []),
  ]);
  return {
    name,
    set,
    risk,
    summary,
    scope: operation['x-scope'],
    role: operation['x-role'],
    plan: operation['x-plan'],
    concerns: operation['x-concerns'],
    sets,
    capability: operationId.split('.')[0]!,
    description: `${summary}. ${says}`,
    inputSchema,
    listedInputs: { ...inputSchema, properties: mapped(inputSchema.properties, listedInput) },
    outputSchema: outputSchemaOf(operation, body, schemas),
    operation: operationId,
    ...route,
    pathInputs: takenIn('path'),
    queryInputs: takenIn('query'),
    bodyInputs: Object.fromEntries(sent.map((property) => [snakeCase(property), property])),
    leftOut: leavesOut,
    confirmedBy,
  };
}

const CONFIRMED_BY = { read_only: undefined, write: 'confirm', destructive: 'confirm_delete' } as const;
const CONFIRM: Schema = { type: 'boolean', description: 'true, or it only shows what it would do.' };
const IDEMPOTENCY_KEY: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: KEY_MAX_LENGTH,
  description: 'New for each call; the same to repeat it.',
};

/** The input that asks for what a lean list leaves out. It is for the tool: the API always answers with every field. */
export const DETAIL = 'detail';

function detailInput(leftOut: readonly string[]): Schema {
  return { type: 'string', enum: ['lean', 'full'], default: 'lean', description: `full: also ${leftOut.join(', ')}.` };
}

/** The input for some fields of a record, however large. It is for the tool, too. */
export const FIELDS = 'fields';
const FIELDS_INPUT: Schema = { type: 'array', items: { type: 'string' }, description: 'Only these, whole.' };

/** A model reads every row, so it gets fewer than a program unless it asks for more. */
const FEW_ROWS = { default: 25, description: 'Rows at most.' };
export const ROWS: Readonly<Record<string, Schema>> = { page_size: FEW_ROWS, limit: FEW_ROWS };

type Input = readonly [name: string, schema: Schema, isRequired: boolean];

const objectOf = (inputs: readonly Input[]): ObjectSchema => ({
  type: 'object',
  properties: Object.fromEntries(inputs.map(([name, schema]) => [name, schema])),
  required: inputs.filter(([, , isRequired]) => isRequired).map(([name]) => name),
  additionalProperties: false,
});

interface Body {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

function bodyOf(requestBody: DocumentedOperation['requestBody'], schemas: Schemas): Body {
  const schema = requestBody?.content['application/json']?.schema;
  const { properties = {}, required = [] } = schema ? resolved(schema, schemas) : {};
  return { properties, required };
}

function bodyInput(property: string, { properties, required }: Body, { shows = [] }: ToolDeclaration, schemas: Schemas): Input {
  const schema = properties[property]!;
  const input = inputOf(schema, schemas);
  return [snakeCase(property), shows.includes(property) ? { ...input, examples: [schema.example] } : input, required.includes(property)];
}

const DELETED: Tool['outputSchema'] = { type: 'object', properties: { deleted: { const: true } } };

/** The record that a call has written has the fields of its body, too: they are not described twice. */
function outputSchemaOf({ responses }: DocumentedOperation, sent: Body, schemas: Schemas): Tool['outputSchema'] {
  const success = Object.keys(responses).find((status) => status.startsWith('2'));
  const schema = responses[success!]?.content?.['application/json']?.schema;
  if (!schema) return DELETED;
  const { properties = {}, ...described } = outputOf(schema, schemas);
  const further = Object.entries(properties).filter(([property]) => !(property in sent.properties));
  return { ...described, type: 'object', properties: Object.fromEntries(further) };
}

function resolved(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref !== undefined) return resolved(schemas[schema.$ref.split('/').at(-1)!]!, schemas);
  if (schema.allOf?.length === 1) return resolved(schema.allOf[0]!, schemas);
  return schema;
}

/** Bounds that the API checks, with messages that say them. Each client pays for every word of a list of tools. */
const NOT_LISTED = ['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems', 'uniqueItems'];
/** An input keeps the limits of its value and its description. */
const INPUT_KEYWORDS = ['type', 'description', 'enum', 'format', 'minimum', 'maximum', 'default', ...NOT_LISTED];

/** Of an object that may have other properties only the type is kept: its description says what it may contain. */
function inputOf(schema: Schema, schemas: Schemas): Schema {
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

const mapped = (properties: Schemas, change: (schema: Schema) => Schema): Schemas =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, change(schema)]));

/** How many levels of an output are described: the fields of a record, but not what is inside them. */
const OUTPUT_LEVELS = 1;

/** Only names and types of fields: a model reads the schemas of all tools first, so every word costs tokens in each conversation. */
function outputOf(schema: Schema, schemas: Schemas, depth = 0): Schema {
  const { type, properties, items, anyOf } = resolved(schema, schemas);
  if (anyOf) return typeOf(anyOf.flatMap((one) => resolved(one, schemas).type ?? []));
  if (items) {
    const list = { type: 'array', items: outputOf(items, schemas, depth) };
    return Array.isArray(type) ? { anyOf: [list, { type: 'null' }] } : list;
  }
  if (!properties || depth >= OUTPUT_LEVELS) return typeOf(type);
  const fields = Object.entries(properties).map(([name, inner]) => [name, outputOf(inner, schemas, depth + 1)]);
  return { type, properties: Object.fromEntries(fields) as Record<string, Schema> };
}
