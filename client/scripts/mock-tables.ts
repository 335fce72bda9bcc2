import { formattedText } from './formatted-text.js';
import { nameOf, type Schema } from './types-of-schemas.js';

/** What is read of the OpenAPI document for the mock. */
interface Parameter {
  name: string;
  in: string;
  description?: string;
  schema: Schema & { default?: unknown };
}
type Content = Record<string, { schema: Schema }>;
interface Operation {
  operationId: string;
  parameters: Array<Parameter | { $ref: string }>;
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}
export interface MockSource {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}
export interface ProblemText {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly retry: string;
}

/** What people read, and hints for other programs. */
const NOT_CHECKED = new Set(['description', 'title', 'example', 'examples', 'x-extensible-enum', 'deprecated']);
const IN_NAMES = 'properties';

/** A schema without what no check needs. */
function bare(node: unknown, isNames = false): unknown {
  if (Array.isArray(node)) return node.map((one) => bare(one));
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(([name]) => isNames || !NOT_CHECKED.has(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, name === '$ref' ? nameOf(value as string) : bare(value, !isNames && name === IN_NAMES)]),
  );
}

interface Described extends Schema {
  format?: string;
  minimum?: number;
  example?: unknown;
}

const typesOf = ({ type }: Schema): string[] => [type ?? []].flat();
const canBeNull = (schema: Schema): boolean => typesOf(schema).includes('null') || (schema.anyOf ?? []).some(canBeNull);

type Schemas = Record<string, Schema>;

function resolved(schemas: Schemas, schema: Schema): Schema {
  const ref = schema.$ref ?? (schema.allOf?.length === 1 ? schema.allOf[0]!.$ref : undefined);
  return ref ? schemas[nameOf(ref)]! : schema;
}

/** The smallest value of a schema: no records, zeros and empty texts. */
function least(schemas: Schemas, schema: Schema): unknown {
  if (canBeNull(schema)) return null;
  const {
    type,
    enum: values,
    'x-extensible-enum': growing,
    properties = {},
    required = [],
    minimum = 0,
    example,
  } = resolved(schemas, schema) as Described;
  const listed = values ?? growing;
  if (listed) return listed[0];
  if (type === 'object') return Object.fromEntries(required.map((name) => [name, least(schemas, properties[name]!)]));
  if (type === 'array') return [];
  if (type === 'integer') return minimum;
  if (type === 'boolean') return false;
  // Amounts are texts.
  return /^-?\d+\.\d+$/.test(String(example)) ? '0.00' : '';
}

/** The document states the defaults of a body in words, at the end of a description. */
function defaultOf({ description = '' }: Schema): unknown {
  const [, text] = /Default: `(.*)`\.$/.exec(description) ?? [];
  if (text === undefined) return undefined;
  return /^[a-z_]+$/.test(text) && !['null', 'true', 'false'].includes(text) ? text : (JSON.parse(text) as unknown);
}

const parametersOf = ({ components }: MockSource, { parameters }: Operation): Parameter[] =>
  parameters.map((one) => ('name' in one ? one : components.parameters[nameOf(one.$ref)]!));

function bodyOf({ requestBody }: Operation): string | undefined {
  const ref = requestBody?.content['application/json']?.schema.$ref;
  return ref && nameOf(ref);
}

const formOf = ({ requestBody }: Operation): string | undefined => {
  const ref = requestBody?.content['multipart/form-data']?.schema.$ref;
  return ref && nameOf(ref);
};

const successOf = ({ responses }: Operation): [string, { content?: Content }] =>
  Object.entries(responses).find(([status]) => status.startsWith('2'))!;

function operationRow(document: MockSource, path: string, verb: string, operation: Operation): { body?: string; form?: string } {
  const parameters = parametersOf(document, operation);
  const schemasIn = (place: string) =>
    Object.fromEntries(parameters.filter((one) => one.in === place).map(({ name, schema }) => [name, bare(schema)]));
  const [params, query, headers] = [schemasIn('path'), schemasIn('query'), schemasIn('header')];
  const body = bodyOf(operation);
  const form = formOf(operation);
  return {
    ...{ id: operation.operationId, method: verb.toUpperCase(), path, status: Number(successOf(operation)[0]) },
    ...(Object.keys(params).length > 0 && { params }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(body && { body }),
    ...(form && { form }),
    ...(operation.requestBody?.content['application/merge-patch+json'] && { merge: true }),
    ...('Idempotency-Key' in headers && { key: true }),
    ...('If-Match' in headers && { ifMatch: true }),
  };
}

/** The fields that a search looks in: their names begin with words of its description. */
function searchedFields(document: MockSource, list: Operation, fields: readonly [string, Described][]): string[] {
  const { description = '' } = parametersOf(document, list).find(({ name }) => name === 'search') ?? {};
  const texts = fields.filter(([, schema]) => typesOf(schema).includes('string') && !schema.enum && !schema.format);
  return texts.map(([name]) => name).filter((name) => description.includes(name.replace(/[A-Z].*/, '')));
}

/** A list of records by pages, each of which can be asked for by its id. */
function collectionRow(document: MockSource, path: string): object | undefined {
  const { schemas } = document.components;
  const { get: list, post: create } = document.paths[path]!;
  const page = list && successOf(list)[1].content?.['application/json']?.schema;
  const { data, pagination } = (page && resolved(schemas, page).properties) ?? {};
  if (!list || !pagination || path.includes('{')) return undefined;
  const fields = Object.entries(resolved(schemas, data!.items!).properties!) as [string, Described][];
  const given = create && bodyOf(create) ? schemas[bodyOf(create)!]!.properties! : {};
  const initial = fields.map(([name, schema]) => [name, (given[name] && defaultOf(given[name])) ?? least(schemas, schema)]);
  const ofOne = Object.keys(document.paths).find((one) => one.startsWith(`${path}/{`))!;
  return {
    record: nameOf(data!.items!.$ref!)
      .replace(/\B[A-Z]/g, ' $&')
      .toLowerCase(),
    parameter: ofOne.slice(path.length + 2, -1),
    initial: Object.fromEntries(initial) as object,
    times: fields.filter(([, { type, format }]) => type === 'string' && format === 'date-time').map(([name]) => name),
    searched: searchedFields(document, list, fields),
  };
}

/** The schemas of bodies, and those that they refer to. */
function bodySchemas(schemas: Schemas, bodies: readonly string[]): object {
  const needed = new Set(bodies);
  for (const name of needed)
    for (const [, ref] of JSON.stringify(schemas[name]).matchAll(/#\/components\/schemas\/(\w+)/g)) needed.add(ref!);
  return Object.fromEntries([...needed].map((name) => [name, bare(schemas[name])]));
}

/** The text of client/src/mock/document.ts. `problems`: the table of errors. */
export function generatedMock(document: MockSource, problems: Readonly<Record<string, ProblemText>>): Promise<string> {
  const { schemas } = document.components;
  const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => operationRow(document, path, verb, operation)),
  );
  const collections = Object.keys(document.paths).flatMap((path) => {
    const row = collectionRow(document, path);
    return row ? [[path, row]] : [];
  });
  const bodies = bodySchemas(
    schemas,
    operations.flatMap(({ body, form }) => [body ?? [], form ?? []].flat()),
  );
  const result = least(schemas, schemas.ClaimReportResult!);
  const text = [
    '// Generated from the OpenAPI document and the table of errors by `npm run contracts`.\n',
    "import type { MockCollection, MockOperation, ProblemText, Schema } from './tables.js';\n",
    `export const OPERATIONS: readonly MockOperation[] = ${JSON.stringify(operations)};\n`,
    `export const COLLECTIONS: Readonly<Record<string, MockCollection>> = ${JSON.stringify(Object.fromEntries(collections))};\n`,
    `/** The result of a run that found no lines. */\nexport const EMPTY_RESULT = ${JSON.stringify(result)};\n`,
    `export const SCHEMAS: Readonly<Record<string, Schema>> = ${JSON.stringify(bodies)};\n`,
    `export const PROBLEMS: Readonly<Record<string, ProblemText>> = ${JSON.stringify(problems)};\n`,
  ].join('\n');
  return formattedText(text);
}
