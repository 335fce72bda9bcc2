import { formattedText } from './formatted-text.js';
import { comment, members, nameOf, typeOf, type Schema } from './types-of-schemas.js';

export { generatedMock, type MockSource } from './mock-tables.js';

interface Parameter extends Schema {
  name: string;
  in: string;
  schema: Schema;
}

interface Content {
  content?: Record<string, { schema: Schema }>;
}

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  parameters: Array<Parameter | { $ref: string }>;
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content>;
}

/** What is read of the OpenAPI document. */
export interface Document {
  servers: Array<{ url: string }>;
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: { requestBody: Content } }>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

/** An operation as a method of its resource. */
interface Method {
  readonly id: string;
  readonly resource: string;
  readonly verb: string;
  readonly path: string;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
  readonly body?: string;
  /** The schema of the form that it takes as well. */
  readonly form?: string;
  /** The schema of the answer; undefined when there is none, or a file. */
  readonly answer?: string;
  readonly isFile: boolean;
}

const camel = (text: string): string => text.replace(/_(.)/g, (_all, letter: string) => letter.toUpperCase());
const pascal = (text: string): string => camel(`_${text.replaceAll('.', '_')}`);
const className = (resource: string): string => `${pascal(resource)}Resource`;
/** `claim_projects` is `projects`: what its records are called without saying whose. */
const propertyOf = (resource: string): string => resource.slice(resource.lastIndexOf('_') + 1);
const errorName = (code: string): string => `${pascal(code).replace(/Error$/, '')}Error`;

function methodOf(document: Document, path: string, verb: string, operation: Operation): Method {
  const [, success] = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))!;
  const answer = success.content?.['application/json']?.schema.$ref;
  const body = operation.requestBody?.content?.['application/json']?.schema.$ref;
  const form = operation.requestBody?.content?.['multipart/form-data']?.schema.$ref;
  return {
    id: operation.operationId,
    resource: operation.operationId.split('.')[0]!,
    verb: verb.toUpperCase(),
    path,
    operation,
    parameters: operation.parameters.map((one) => ('name' in one ? one : document.components.parameters[nameOf(one.$ref)]!)),
    isFile: Boolean(success.content) && !answer,
    ...(body && { body: nameOf(body) }),
    ...(form && { form: nameOf(form) }),
    ...(answer && { answer: nameOf(answer) }),
  };
}

const queryOf = ({ parameters }: Method): Parameter[] => parameters.filter((one) => one.in === 'query');
const takes = ({ parameters }: Method, header: string): boolean => parameters.some((one) => one.in === 'header' && one.name === header);
const isList = (method: Method): boolean => method.answer !== undefined && /\.list/.test(method.id);

/** The options of a call, by the headers that it takes. */
function optionsOf(method: Method): string {
  if (takes(method, 'If-Match')) return takes(method, 'Idempotency-Key') ? 'UpdateOptions' : 'DeleteOptions';
  return takes(method, 'Idempotency-Key') ? 'WriteOptions' : 'CallOptions';
}

function methodText(document: Document, method: Method): string {
  const ids = method.parameters.filter((one) => one.in === 'path');
  const query = queryOf(method).length > 0 ? `${pascal(method.id)}Query` : undefined;
  const isOptional = method.operation.requestBody?.required === false;
  const parameters = [
    // A listed value may come from an answer, where the list is open: the format of a file.
    ...ids.map(({ name, schema }) => `${camel(name)}: ${typeOf(schema.enum ? { 'x-extensible-enum': schema.enum } : schema)}`),
    ...(method.body ? [`body: ${method.body}${isOptional ? ' = {}' : ''}`] : []),
    ...(query ? [`query: ${query} = {}`] : []),
    `options: ${optionsOf(method)} = {}`,
  ];
  const sent = [
    ...(ids.length > 0 ? [`path: [${ids.map((one) => camel(one.name)).join(', ')}]`] : []),
    ...(method.body ? ['body'] : []),
    ...(isList(method) ? [query ? 'query: { ...query, ...cursor }' : 'query: cursor'] : query ? ['query'] : []),
  ].join(', ');
  const call = (type: string) => `this.caller.call<${type}>(OPERATIONS['${method.id}'], { ${sent} }, options)`;
  const about = comment(`${method.operation.summary}. ${method.operation.description ?? ''}`.trim());
  const start = `${about}${camel(method.id.split('.')[1]!)}(${parameters.join(', ')})`;
  if (method.isFile) return `${start}: Promise<Response> { return this.caller.file(OPERATIONS['${method.id}'], { ${sent} }, options); }\n`;
  if (!isList(method))
    return `${start}: Promise<${method.answer ?? 'void'}> { return ${call(method.answer ?? 'void')}; }\n${withForm(method)}`;
  const record = typeOf(document.components.schemas[method.answer!]!.properties!.data!.items!);
  const list = `List<${record}, ${method.answer}>`;
  const pages = `(cursor) => ${call(method.answer!)}`;
  return `${start}: ${list} { return new List(${pages}); }\n`;
}

/** The same with a file instead of a body in JSON. */
function withForm({ id, form, answer, operation }: Method): string {
  if (!form) return '';
  const about = comment(`${operation.summary}: a file. The fields say what it does not say itself.`);
  return `\n${about}${camel(id.split('.')[1]!)}FromFile(form: ${form}, options: WriteOptions = {}): Promise<${answer}> {
    return this.caller.call<${answer}>(OPERATIONS['${id}'], { form }, options);
  }\n`;
}

function resourceText(document: Document, resource: string, methods: readonly Method[]): string {
  const own = methods.filter((one) => one.resource === resource);
  return `export class ${className(resource)} extends Resource {\n${own.map((one) => methodText(document, one)).join('\n')}}\n`;
}

function resourcesText(resources: readonly string[]): string {
  const fields = resources.map((name) => `readonly ${propertyOf(name)}: ${className(name)};`);
  const made = resources.map((name) => `this.${propertyOf(name)} = new ${className(name)}(caller);`);
  return `/** All resources of the API. */
export class Resources {
${fields.join('\n')}

constructor(caller: Caller) {
${made.join('\n')}
}
}\n`;
}

function tableText(methods: readonly Method[]): string {
  const rows = methods.map((one) => {
    const key = takes(one, 'Idempotency-Key') ? ', key: true' : '';
    return `'${one.id}': { method: '${one.verb}', path: '${one.path}'${key} },`;
  });
  return `/** Every operation: how it is called, and whether it takes an Idempotency-Key. */
export const OPERATIONS = {
${rows.join('\n')}
} as const;\n`;
}

function errorsText(titles: Readonly<Record<string, string>>): string {
  const classes = Object.entries(titles).map(
    ([code, title]) => `/** ${title} (\`${code}\`). */\nexport class ${errorName(code)} extends ClaimsError<'${code}'> {}\n`,
  );
  const rows = Object.keys(titles).map((code) => `${code}: ${errorName(code)},`);
  return `${classes.join('\n')}\n/** The class of each code. */\nexport const ERRORS = {\n${rows.join('\n')}\n};\n`;
}

function eventsText({ webhooks }: Document): string {
  const types = Object.values(webhooks).map(({ post }) => nameOf(post.requestBody.content!['application/json']!.schema.$ref!));
  return `/** An event that we deliver. \`type\` tells which; later versions may send others, so a \`switch\` needs a default. */
export type ClaimsEvent = ${types.join(' | ')};
export type EventType = ClaimsEvent['type'];\n`;
}

/** An event of `listEvents`. The document describes it loosely; it is what a delivery of it has. */
const LISTED_EVENT = 'WebhookEvent';

function typeText([name, schema]: [string, Schema]): string {
  const about = comment(schema.description);
  if (name === LISTED_EVENT) return `${about}export type ${name} = ClaimsEvent;\n`;
  if (schema.oneOf || !schema.properties) return `${about}export type ${name} = ${typeOf(schema)};\n`;
  return `${about}export interface ${name} {\n${members(schema, '')}}\n`;
}

const HEAD = '// Generated from the OpenAPI document and the table of errors by `npm run contracts`.\n';

function queryText(method: Method): string {
  const parameters = queryOf(method).map(({ name, schema, description }) => [name, { ...schema, ...(description && { description }) }]);
  const properties = Object.fromEntries(parameters) as Record<string, Schema>;
  return `export interface ${pascal(method.id)}Query {\n${members({ properties }, '')}}\n`;
}

const methodsOf = (document: Document): Method[] =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([verb, operation]) => methodOf(document, path, verb, operation)),
  );
const withQuery = (document: Document): Method[] => methodsOf(document).filter((one) => queryOf(one).length > 0);

/** The text of client/src/generated-types.ts: records, queries and events. */
export function generatedTypes(document: Document): Promise<string> {
  const schemas = Object.entries(document.components.schemas);
  return formatted([HEAD, ...schemas.map(typeText), ...withQuery(document).map(queryText), eventsText(document)]);
}

/** The text of client/src/generated.ts: operations and errors. `titles`: each code of a problem with its title. */
export function generatedClient(document: Document, titles: Readonly<Record<string, string>>): Promise<string> {
  const methods = methodsOf(document);
  const resources = [...new Set(methods.map(({ resource }) => resource))];
  const classes = resources.map((one) => resourceText(document, one, methods)).join('\n');
  const types = [...Object.keys(document.components.schemas), ...withQuery(document).map(({ id }) => `${pascal(id)}Query`)];
  return formatted([
    HEAD,
    "import { Resource, type Caller } from './caller.js';",
    "import { ClaimsError } from './errors.js';",
    `import type { ${types.filter((name) => new RegExp(`\\b${name}\\b`).test(classes)).join(', ')} } from './generated-types.js';`,
    "import { List } from './list.js';",
    "import type { CallOptions, DeleteOptions, UpdateOptions, WriteOptions } from './options.js';",
    '',
    `export const BASE_URL = '${document.servers[0]!.url}';\n`,
    tableText(methods),
    classes,
    resourcesText(resources),
    errorsText(titles),
  ]);
}

const formatted = (parts: readonly string[]): Promise<string> => formattedText(parts.join('\n'));

/** What is read of the AsyncAPI document. */
export interface Events {
  components: { messages: Record<string, { examples: Array<{ payload: object }> }> };
}

/** The text of client/src/event-examples.ts: the example of each kind of event. */
export function generatedExamples({ components: { messages } }: Events): Promise<string> {
  const rows = Object.entries(messages).map(([kind, { examples }]) => `'${kind}': ${JSON.stringify(examples[0]!.payload)},`);
  return formatted([
    '// Generated from the AsyncAPI document by `npm run contracts`.',
    "import type { ClaimsEvent, EventType } from './generated-types.js';",
    '',
    'type Examples = { readonly [Type in EventType]: Extract<ClaimsEvent, { type: Type }> };',
    '',
    '/** An event of each kind, as the documents show it. */',
    `export const EXAMPLES: Examples = {\n${rows.join('\n')}\n};\n`,
  ]);
}
