import type { RegisteredOperation } from '../../src/api/operation/operation.js';

/** The parts of OpenAPI 3.1 that the laws read. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly description?: string;
  readonly default?: unknown;
  readonly anyOf?: readonly Schema[];
}
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: Schema;
}
export type Content = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;
export interface DocumentedResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Content;
}
export interface DocumentedOperation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}
/** What stands under `components`, and the references to it. */
type Referring<T> = T | { readonly $ref: string };
type ReferringOperation = Omit<DocumentedOperation, 'parameters' | 'responses'> & {
  readonly parameters?: readonly Referring<Parameter>[];
  readonly responses: Readonly<Record<string, Referring<DocumentedResponse>>>;
};
export interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description: string; readonly externalDocs?: { readonly url: string } }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ReferringOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: ReferringOperation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, DocumentedResponse>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
}

export type Body = Record<string, unknown>;

export function documented(document: OpenApi, { id, path, method }: RegisteredOperation): DocumentedOperation {
  const found = document.paths[path]?.[method.toLowerCase()];
  if (!found) throw new Error(`The OpenAPI document does not have ${id} (${method} ${path}).`);
  return withoutReferences(document, found);
}

/** The operation with the parameters and answers that it refers to. */
export function withoutReferences(document: OpenApi, operation: ReferringOperation): DocumentedOperation {
  const responses = Object.entries(operation.responses).map(([status, response]) => [status, referred(document, response)] as const);
  const { parameters, ...rest } = operation;
  return {
    ...rest,
    ...(parameters && { parameters: parameters.map((parameter) => referred(document, parameter)) }),
    responses: Object.fromEntries(responses),
  };
}

function referred<T extends object>(document: OpenApi, part: Referring<T>): T {
  return '$ref' in part ? (placeOf(document, part.$ref.slice('#/'.length).split('/')).node as T) : part;
}

/** What a path leads to, with the path that has no references on its way. */
export function placeOf(document: unknown, path: readonly string[]): { readonly node: unknown; readonly path: readonly string[] } {
  let [node, place] = [document, [] as readonly string[]];
  for (const [index, name] of path.entries()) {
    const { $ref } = node as { $ref?: string };
    if ($ref !== undefined) return placeOf(document, [...$ref.slice('#/'.length).split('/'), ...path.slice(index)]);
    node = (node as Record<string, unknown>)[name];
    if (node === undefined) throw new Error(`The OpenAPI document has nothing at ${path.join(' ')}.`);
    place = [...place, name];
  }
  return { node, path: place };
}

export function queryParameters(document: OpenApi, operation: RegisteredOperation): readonly Parameter[] {
  return (documented(document, operation).parameters ?? []).filter((parameter) => parameter.in === 'query');
}

/** The schema of an operation's body, with its reference resolved. */
export function bodySchema(document: OpenApi, operation: RegisteredOperation): Schema {
  if (!operation.body) return { properties: {}, additionalProperties: false };
  const schema = documented(document, operation).requestBody?.content['application/json']?.schema;
  if (!schema) throw new Error(`The OpenAPI document has no schema for the body of ${operation.id}.`);
  return resolveRef(document, schema);
}

/** The schema that a reference points to, with the keywords beside the reference. */
export function resolveRef(document: OpenApi, schema: Schema): Schema {
  const { $ref, allOf, anyOf, ...beside } = schema;
  if (allOf?.length === 1) return { ...resolveRef(document, allOf[0]!), ...beside };
  if (anyOf?.[1]?.type === 'null') {
    const { type, ...object } = resolveRef(document, anyOf[0]!);
    return { ...object, ...beside, type: [type as string, 'null'] };
  }
  if ($ref === undefined) return schema;
  const target = document.components.schemas[$ref.replace('#/components/schemas/', '')];
  if (!target) throw new Error(`The OpenAPI document refers to ${$ref}, which is missing.`);
  return target;
}

/** The example of the body. That of a change is short, so the example of the record's POST is added: it changes every property. */
export function exampleBody(document: OpenApi, operation: RegisteredOperation): Body {
  const exampleOf = (described?: Pick<DocumentedOperation, 'requestBody'>) => described?.requestBody?.content['application/json']?.example;
  const example = operation.body ? exampleOf(documented(document, operation)) : {};
  if (typeof example !== 'object' || example === null)
    throw new Error(`The OpenAPI document has no example for the body of ${operation.id}.`);
  const whole = operation.method === 'PATCH' ? exampleOf(document.paths[operation.path.replace(/\/\{\w+\}$/, '')]?.post) : {};
  const known = bodySchema(document, operation).properties ?? {};
  const both = Object.entries({ ...(whole as Body | undefined), ...example }).filter(([name]) => name in known);
  return structuredClone(Object.fromEntries(both));
}

export const allowsType = ({ type }: Schema, name: string): boolean => (Array.isArray(type) ? type.includes(name) : type === name);

/** Text without a list of values, a format or a pattern, that may have at least this length. */
export const isFreeText = (schema: Schema, length = 0): boolean =>
  allowsType(schema, 'string') &&
  schema.enum === undefined &&
  schema.format === undefined &&
  schema.pattern === undefined &&
  (schema.maxLength ?? Infinity) >= length;
