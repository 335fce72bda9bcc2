import type { Type } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { RegisteredOperation } from '../../api/operation/operation.js';
import type { HiddenSet } from '../../api/call/hidden-answers.js';
import { declaredFields, fieldsOf } from '../../api/validation/field.js';
import { eventOf, FILLED, type EventDeclaration } from '../../kernel/declare-event.js';
import { detailOf, PROBLEMS, type FieldError, type ProblemCode } from '../../kernel/problems.js';

/** The class `ClaimProjectDto` is the schema `ClaimProject`. */
export const schemaNameOf = ({ name }: { readonly name: string }): string => name.replace(/Dto$/, '');

/** The event `claim_project.created` is the schema `ClaimProjectCreatedEvent`. */
export const eventSchemaNameOf = ({ kind }: { readonly kind: string }): string =>
  `${kind.replace(/(?:^|[._])([a-z])/g, (_found, letter: string) => letter.toUpperCase())}Event`;

/** With the named schemas that fields refer to. @nestjs/swagger only adds those of classes. */
export function withComponents(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Record<string, unknown>;
  for (const fields of declaredFields.values()) for (const { components } of fields.values()) Object.assign(schemas, components);
  return document;
}

const LEFT_OUT = 'Left out for those from whom this installation hides it.';

/** Fields that extensions hide from somebody may be left out. */
export function loosenHidden(document: OpenAPIObject, hidden: HiddenSet): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  const loosen = (type: Type<unknown>, name: string): void => {
    const schema = schemas[type.name];
    const property = schema?.properties?.[name];
    if (!property) return;
    schema.required = schema.required?.filter((one) => one !== name);
    property.description = [property.description, LEFT_OUT].filter(Boolean).join(' ');
  };
  for (const prototype of declaredFields.keys()) {
    const type = prototype.constructor as Type<unknown>;
    for (const [name, inner] of hidden.namesIn(type).map((one) => one.split('.') as [string, string?])) {
      if (inner === undefined) loosen(type, name);
      else loosen(fieldsOf(prototype).get(name)!.of!, inner);
    }
  }
}

interface RequestBody {
  required: boolean;
  readonly content: Record<string, { schema: { readonly $ref?: string; readonly [keyword: string]: unknown } }>;
}

/** What is taken beside the body in JSON: a form with a file, the file itself, or a merge patch. */
export function addOtherBodies(document: OpenAPIObject, operations: readonly RegisteredOperation[]): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  for (const { method, path, takesFile, takesMerge } of operations) {
    const { requestBody } = (document.paths[path] as Record<string, { requestBody: RequestBody }>)[method.toLowerCase()]!;
    if (takesMerge) requestBody.content['application/merge-patch+json'] = requestBody.content['application/json']!;
    if (!takesFile) continue;
    const { fields, maxBytes: maxLength, example } = takesFile;
    const { name } = fields;
    const description = `The file, of at most ${maxLength / 1024 ** 2} MiB.`;
    const file = { type: 'string', format: 'binary', maxLength, description, example };
    requestBody.content['multipart/form-data'] = { schema: { $ref: `#/components/schemas/${name}` } };
    requestBody.content['application/octet-stream'] = { schema: file };
    const { properties = {}, required = [] } = schemas[name]!;
    // Several operations may take the same form.
    if ('file' in properties) continue;
    Object.assign(schemas[name]!, { properties: { file, ...properties }, required: ['file', ...required] });
  }
}

/** Unknown properties of a body are refused, and its schema says so. A new record that needs no property needs no body. */
export function withClosedBodies(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema & { additionalProperties?: boolean }>;
  const operations = Object.values(document.paths).flatMap((path) => Object.entries(path as Record<string, { requestBody?: RequestBody }>));
  for (const [method, { requestBody }] of operations) {
    for (const { schema } of Object.values(requestBody?.content ?? {})) {
      if (schema.$ref === undefined) continue;
      const body = schemas[schema.$ref.split('/').at(-1)!]!;
      body.additionalProperties = false;
      requestBody!.required = method !== 'post' || (body.required ?? []).length > 0;
    }
  }
  return document;
}

/** openapi-typescript takes a property with a `default` for one that is always there, but these are the properties of bodies. */
export function withDefaultsInWords(document: OpenAPIObject): OpenAPIObject {
  Object.values((document.components?.schemas ?? {}) as Record<string, Schema>).forEach(sayDefaults);
  return document;
}

function sayDefaults({ properties = {}, items }: Schema): void {
  if (items) sayDefaults(items);
  for (const property of Object.values(properties)) {
    sayDefaults(property);
    if (property.default === undefined) continue;
    const value = typeof property.default === 'string' ? property.default : JSON.stringify(property.default);
    property.description = `${property.description} Default: \`${value}\`.`;
    delete property.default;
  }
}

export function withoutSuffix(document: OpenAPIObject): OpenAPIObject {
  const schemas = Object.fromEntries(
    Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => [schemaNameOf({ name }), schema]),
  );
  const renamed = { ...document, components: { ...document.components, schemas } };
  return JSON.parse(JSON.stringify(renamed).replace(/("#\/components\/schemas\/\w+?)Dto"/g, '$1"')) as OpenAPIObject;
}

export type Schema = {
  $ref?: string;
  type?: unknown;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  example?: unknown;
  examples?: unknown[];
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  description?: string;
  minItems?: number;
};
type Content = Record<string, { schema?: Schema; example?: unknown }>;
export type Parameter = { name: string; in: string; required?: boolean; description?: string; schema?: Schema; example?: unknown };
type Response = { content?: Content; description?: string };
interface OperationObject {
  parameters?: readonly Parameter[];
  requestBody?: { content?: Content };
  responses?: Record<string, Response>;
}

type Paths = Record<string, Partial<Record<string, OperationObject>>>;

export const operationsIn = <Operation = OperationObject>(paths: object): Operation[] =>
  Object.values(paths).flatMap((path: object) => Object.values(path) as Operation[]);

export function addExamples(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  for (const operation of [...operationsIn(document.paths), ...operationsIn(document.webhooks ?? {})]) {
    operation.parameters?.forEach(offerValue);
    addTo(operation.requestBody?.content, schemas);
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      addTo(response.content, schemas);
      // Endpoints answer without a body.
      if (response.content && Number(status) >= 400)
        describeProblem(response, Number(status), MISSPELT[isOfBody(operation) ? 'body' : 'query']);
    }
  }
  for (const [kind, { post }] of Object.entries((document.webhooks ?? {}) as Record<string, { post: OperationObject }>))
    for (const media of Object.values(post.requestBody?.content ?? {}))
      media.example = exampleOfEvent(resolved(media.schema!, schemas), eventOf(kind)!, schemas);
  shortenChanges(document.paths as Paths, schemas);
  return document;
}

/** An action without a body refuses what is in one. */
const isOfBody = ({ requestBody, parameters = [] }: OperationObject): boolean =>
  requestBody !== undefined || parameters.some(({ name }) => name === 'Idempotency-Key');

/** Swagger UI sends an `example`. A filter or a condition is to be sent only by those who want it, so its value is only shown. */
function offerValue({ required = false, schema }: Parameter): void {
  if (required || schema?.example === undefined || schema.default !== undefined) return;
  schema.examples = [schema.example];
  delete schema.example;
}

/** Without what every record must have, such as its name: a record with the name in the example may exist already. */
function shortenChanges(paths: Paths, schemas: Record<string, Schema>): void {
  for (const [path, { patch }] of Object.entries(paths)) {
    const media = patch?.requestBody?.content?.['application/json'];
    const made = paths[path.replace(/\/\{\w+\}$/, '')]?.post?.requestBody?.content?.['application/json'];
    if (!media || !made?.schema) continue;
    const { required = [] } = resolved(made.schema, schemas);
    media.example = Object.fromEntries(Object.entries(media.example as object).filter(([name]) => !required.includes(name)));
  }
}

function addTo(content: Content | undefined, schemas: Record<string, Schema>): void {
  for (const media of Object.values(content ?? {})) {
    // The content of a file is no example that a document can show.
    if (media.schema && media.schema.format !== 'binary') media.example = exampleOf(media.schema, schemas);
  }
}

/** Makes the example of a problem one that this status can have: the first code in its description. */
function describeProblem({ content, description = '' }: Response, status: number, error: FieldError): void {
  const code = /`(\w+)`: /.exec(description)![1] as ProblemCode;
  const { title, retry } = PROBLEMS[code];
  for (const media of Object.values(content ?? {})) {
    const example = media.example as Record<string, unknown>;
    const type = String(example.type).replace(/[^/]+$/, code);
    const errors = code === 'validation_failed' ? [error] : [];
    const detail = code === 'validation_failed' ? `${error.field} ${error.message}.` : detailOf(PROBLEMS[code]);
    media.example = { ...example, type, title, status, detail, code, retry, errors };
  }
}

/** Errors that a call of any operation can have: a misspelt property of the body, or parameter. */
const MISSPELT = {
  body: { location: 'body', field: 'periodend', code: 'unknown_property', message: 'is not a known property' },
  query: { location: 'query', field: 'pagesize', code: 'unknown_property', message: 'is not a known query parameter' },
} as const;

function resolved(schema: Schema, schemas: Record<string, Schema>): Schema {
  const inner = schema.$ref ? schemas[schema.$ref.split('/').at(-1)!] : schema.allOf?.[0];
  return inner ? resolved(inner, schemas) : schema;
}

const AN_ID = '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21';

export function exampleOf(schema: Schema, schemas: Record<string, Schema>): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref) return exampleOf(schemas[schema.$ref.split('/').at(-1)!]!, schemas);
  if (schema.items) return [exampleOf(schema.items, schemas)];
  const [part] = schema.allOf ?? schema.oneOf ?? [];
  if (part) return exampleOf(part, schemas);
  if (!schema.properties) return schema.default ?? schema.enum?.[0] ?? (schema.format === 'uuid' ? AN_ID : null);
  const shown = Object.entries(schema.properties).filter(([name, property]) => schema.required?.includes(name) || hasExample(property));
  return Object.fromEntries(shown.map(([name, property]) => [name, exampleOf(property, schemas)]));
}

/** The example of what is sent for an event: the record is as it is when that happens. */
export function exampleOfEvent(
  payload: Schema,
  { example: changes = {} }: Pick<EventDeclaration, 'example'>,
  schemas: Record<string, Schema>,
) {
  const message = exampleOf(payload, schemas) as Record<string, unknown>;
  const { data } = payload.properties ?? {};
  if (!data || Object.keys(changes).length === 0) return message;
  const { properties = {} } = resolved(data, schemas);
  const fields = Object.entries(changes).map(([name, value]) => [name, value === FILLED ? filled(properties[name]!, schemas) : value]);
  return { ...message, data: { ...(message.data as object), ...(Object.fromEntries(fields) as object) } };
}

const filled = ({ anyOf }: Schema, schemas: Record<string, Schema>): unknown => exampleOf(anyOf![0]!, schemas);

/** An optional text or object without an example is left out: it is seldom sent. */
const hasExample = ({ example, default: fallback, type }: Schema): boolean =>
  example !== undefined || fallback !== undefined || (type !== 'string' && type !== 'object');

/** Ids of records that exist, by the parameter of the path that takes them: `project_id`. */
export type RecordIds = Readonly<Record<string, string>>;

/** Puts ids of records that exist into the examples of what is sent, so that the calls can be tried as they are. */
export function withRecordIds(document: OpenAPIObject, ids: RecordIds): OpenAPIObject {
  const operations = operationsIn(document.paths);
  const shared = Object.values(document.components?.parameters ?? {}) as Parameter[];
  for (const parameter of [...shared, ...operations.flatMap(({ parameters = [] }) => parameters)])
    if (parameter.in === 'path' && Object.hasOwn(ids, parameter.name)) parameter.example = ids[parameter.name];
  for (const media of operations.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {})))
    media.example = withIds(media.example, ids);
  return document;
}

function withIds(example: unknown, ids: RecordIds): unknown {
  if (Array.isArray(example)) return example.map((item) => withIds(item, ids));
  if (typeof example !== 'object' || example === null) return example;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]: [string, unknown]) => {
      // `lineIds` is a list of what `line_id` takes.
      // An example that says none means it: of several ids, a call may take one.
      const id = idFor(Array.isArray(value) ? name.replace(/s$/, '') : name, ids);
      return [name, id === undefined || value === null ? withIds(value, ids) : Array.isArray(value) ? [id] : id];
    }),
  );
}

/** `reportConfigurationId` takes the same records as `configuration_id`. */
function idFor(property: string, ids: RecordIds): string | undefined {
  const name = property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.entries(ids).find(([parameter]) => name === parameter || name.endsWith(`_${parameter}`))?.[1];
}
