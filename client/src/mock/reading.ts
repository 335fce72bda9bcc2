import { faultsOf, faultsOfObject, readQuery } from './check.js';
import type { Schema } from './tables.js';
import { OPERATIONS, SCHEMAS } from './document.js';
import { Refusal, type FieldFault } from './refusal.js';
import type { MockOperation } from './tables.js';

type Values = Readonly<Record<string, unknown>>;

/** A request that has been read and is valid. */
export interface MockCall {
  readonly operation: MockOperation;
  readonly params: readonly string[];
  readonly query: Values;
  readonly body: Values;
  /** The body is a merge patch. */
  readonly isMerge: boolean;
}

const PATHS = OPERATIONS.map((operation) => ({ operation, form: new RegExp(`^${operation.path.replace(/\{\w+\}/g, '([^/]+)')}$`) }));

interface Found {
  readonly operation: MockOperation;
  readonly params: readonly string[];
}

/** All operations with this path, and the values in it. */
function operationsAt(path: string): Found[] {
  return PATHS.flatMap(({ operation, form }) => {
    const [matched, ...params] = form.exec(path) ?? [];
    return matched === undefined ? [] : [{ operation, params: params.map(decodeURIComponent) }];
  });
}

export const operationOf = (method: string, path: string): Found | undefined =>
  operationsAt(path).find(({ operation }) => operation.method === method);

export function requireOperation(method: string, path: string): Found {
  const found = operationOf(method, path);
  if (found) return found;
  throw new Refusal(operationsAt(path).length > 0 ? 'method_not_allowed' : 'route_not_found');
}

/** Lets in whoever sends this key. */
export function requireKey(headers: Headers, apiKey: string): void {
  const [key, bearer] = [headers.get('X-API-Key'), headers.get('Authorization')?.replace(/^Bearer +/i, '')];
  if (!key && !bearer) throw new Refusal('credential_missing');
  if (key && bearer) throw new Refusal('ambiguous_credentials');
  if ((key ?? bearer) !== apiKey) throw new Refusal('credential_invalid');
}

export function readCall(operation: MockOperation, params: readonly string[], url: URL, headers: Headers, text: string): MockCall {
  if (operation.key) requireIdempotencyKey(headers.get('Idempotency-Key'));
  const type = headers.get('Content-Type');
  const schema = (isForm(type) && operation.form) || operation.body;
  const isMerge = operation.merge === true && isMergePatch(type);
  const sent =
    schema !== undefined && schema === operation.form
      ? formIn(text, SCHEMAS[schema]!)
      : read(text, isMerge ? 'application/json' : type, schema);
  const inPath = Object.entries(operation.params ?? {}).flatMap(([name, schema], index) => faultsOf(schema, params[index], name));
  const { query, faults } = readQuery(operation.query ?? {}, url.searchParams);
  const inBody = schema === undefined ? [] : faultsOfObject(SCHEMAS[schema] as Schema, sent);
  const errors = [...at('path', inPath), ...at('query', faults), ...at('body', inBody)];
  if (errors.length > 0) throw Refusal.invalid(errors);
  return { operation, params, query, body: sent, isMerge };
}

/** The body of a request in JSON, by the name of its schema. */
function read(text: string, type: string | null, schema: string | undefined): Values {
  return schema === undefined || text === '' ? {} : parsed(text, type);
}

const isMergePatch = (type: string | null): boolean => /^application\/merge-patch\+json\b/i.test(type ?? '');
const isForm = (type: string | null): boolean => /^multipart\/form-data\b/i.test(type ?? '');

/** The fields of a form. Of its file the name is kept, unless another one is said. */
function formIn(text: string, { properties = {} }: Schema): Values {
  const [boundary = ''] = /^--[^\r\n]+/.exec(text) ?? [];
  const parts = boundary === '' ? [] : text.split(boundary).slice(1, -1);
  const fields = parts.map((part): [string, unknown] => {
    const [head = '', ...content] = part.split('\r\n\r\n');
    const value = content.join('\r\n\r\n').replace(/\r\n$/, '');
    const name = / name="([^"]*)"/.exec(head)?.[1] ?? '';
    return [name, [properties[name]?.type].flat().includes('boolean') && /^(true|false)$/.test(value) ? value === 'true' : value];
  });
  const fileName = / filename="([^"]*)"/.exec(text)?.[1];
  return { ...(fileName && { fileName }), ...Object.fromEntries(fields) };
}

const at = (location: FieldFault['location'], faults: readonly Omit<FieldFault, 'location'>[]): FieldFault[] =>
  faults.map((fault) => ({ location, ...fault }));

function requireIdempotencyKey(key: string | null): void {
  const field = { location: 'header', field: 'Idempotency-Key' } as const;
  if (!key) throw new Refusal('idempotency_key_missing', { errors: [{ ...field, code: 'required', message: 'is required' }] });
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return;
  const message = 'must be 1 to 255 printable ASCII characters';
  throw new Refusal('idempotency_key_invalid', { errors: [{ ...field, code: 'not_allowed', message }] });
}

function parsed(text: string, type: string | null): Values {
  if (!/^application\/json\b/i.test(type ?? '')) throw new Refusal('unsupported_media_type');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Values;
  } catch {
    // As any other text that is not an object.
  }
  throw new Refusal('malformed_json');
}
