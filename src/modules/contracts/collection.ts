import type { OpenAPIObject } from '@nestjs/swagger';
import { API_NAME } from '../../kernel/product.js';
import type { Parameter } from './openapi-schemas.js';

/** What Postman and Bruno fill in anew with every request. */
const NEW_KEY = '{{$guid}}';
const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
}
interface Call {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}
interface Pair {
  readonly key: string;
  readonly value: string;
  readonly description?: string;
  readonly disabled?: true;
}

/** A collection of all operations in the form of Postman 2.1, which Bruno reads, too: one folder for each resource. */
export function collectionOf(document: OpenAPIObject) {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as unknown as Record<string, OperationObject>).map(([method, operation]) => ({ method, path, operation })),
  );
  const folders = (document.tags ?? []).map(({ name, description }) => ({
    name,
    description,
    item: calls.filter(({ operation }) => operation.tags[0] === name).map((call) => requestOf(call, document)),
  }));
  const { title, version, description } = document.info;
  return {
    info: { name: `${title} ${version}`, description, schema: SCHEMA },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'X-API-Key', type: 'string' },
        { key: 'value', value: '{{apiKey}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: variablesOf(calls, document),
    item: folders.filter(({ item }) => item.length > 0),
  };
}

/** Where the service is, and a place for the key. The key itself is never in a file of ours. */
export const collectionEnvironment = (baseUrl: string) => ({
  name: API_NAME,
  values: [
    { key: 'baseUrl', value: baseUrl, type: 'default', enabled: true },
    { key: 'apiKey', value: '', type: 'secret', enabled: true },
  ],
  _postman_variable_scope: 'environment',
});

function variablesOf(calls: readonly Call[], document: OpenAPIObject): Pair[] {
  const inPaths = calls.flatMap(({ operation }) => parametersOf(operation, document)).filter((parameter) => parameter.in === 'path');
  const named = new Map(inPaths.map((parameter) => [parameter.name, { key: parameter.name, value: valueOf(parameter) }]));
  return [...named.values()];
}

function requestOf(call: Call, document: OpenAPIObject) {
  const { method, path, operation } = call;
  const parameters = parametersOf(operation, document);
  const example = operation.requestBody?.content['application/json']?.example;
  const script = scriptOf(call, document);
  return {
    name: operation.summary,
    ...(script && { event: [{ listen: 'test', script: { type: 'text/javascript', exec: [script] } }] }),
    request: {
      method: method.toUpperCase(),
      description: [operation.operationId, operation.description].filter(Boolean).join('\n\n'),
      header: [...headersOf(parameters), ...(example === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }])],
      url: urlOf(path, parameters),
      ...(example !== undefined && {
        body: { mode: 'raw', raw: JSON.stringify(example, null, 2), options: { raw: { language: 'json' } } },
      }),
    },
  };
}

function urlOf(path: string, parameters: readonly Parameter[]) {
  const query = parameters.filter((parameter) => parameter.in === 'query').map(optional);
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${encodeURIComponent(value)}`);
  const withVariables = path.replace(/\{(\w+)\}/g, '{{$1}}');
  return {
    raw: `{{baseUrl}}${withVariables}${sent.length > 0 ? `?${sent.join('&')}` : ''}`,
    host: ['{{baseUrl}}'],
    path: withVariables.slice(1).split('/'),
    query,
  };
}

/** A condition or a filter is there to be switched on. */
const headersOf = (parameters: readonly Parameter[]): Pair[] =>
  parameters
    .filter((parameter) => parameter.in === 'header')
    .map((parameter) => (parameter.name === 'Idempotency-Key' ? { key: parameter.name, value: NEW_KEY } : optional(parameter)));

const optional = (parameter: Parameter): Pair => ({
  key: parameter.name,
  value: valueOf(parameter),
  ...(parameter.description !== undefined && { description: parameter.description }),
  ...(!parameter.required && { disabled: true as const }),
});

function valueOf({ example, schema }: Parameter): string {
  const value = example ?? schema?.example ?? schema?.examples?.[0] ?? schema?.default ?? schema?.enum?.[0] ?? '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function parametersOf({ parameters = [] }: OperationObject, { components }: OpenAPIObject): Parameter[] {
  const shared = components?.parameters as Readonly<Record<string, Parameter>> | undefined;
  return parameters.map((parameter) => ('$ref' in parameter ? shared![parameter.$ref.split('/').at(-1)!]! : parameter));
}

/** The parameter of the path below a list: `project_id` for /v1/claim-projects. */
function idParameterBelow(path: string, { paths }: OpenAPIObject): string | undefined {
  const below = Object.keys(paths).find((other) => other.startsWith(`${path}/{`) && other.endsWith('}'));
  return below?.slice(path.length + 2, -1);
}

/** What runs after the answer: a new record is the one that the next requests are about, and so is the first of those we cannot create. */
function scriptOf({ method, path }: Call, document: OpenAPIObject): string | undefined {
  const variable = idParameterBelow(path, document);
  if (variable === undefined) return undefined;
  if (method === 'post' && document.paths[path]!.post!.responses['201'])
    return `if (pm.response.code === 201) pm.collectionVariables.set('${variable}', pm.response.json().id);`;
  if (method !== 'get' || document.paths[path]?.post?.responses['201']) return undefined;
  return `for (const { id } of (pm.response.json().data ?? []).slice(0, 1)) pm.collectionVariables.set('${variable}', id);`;
}
