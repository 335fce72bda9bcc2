import type { RegisteredOperation } from '../../src/api/operation/operation.js';
import { newId } from '../../src/kernel/ids.js';
import { PageQuery } from '../../src/api/dto/page.js';
import { sendCall, type AnyRecord } from './law-call.js';
import {
  documented,
  resolveRef,
  isFreeText,
  queryParameters,
  type Body,
  type OpenApi,
  type Parameter,
  type Schema,
} from './law-document.js';
import type { DocumentedApp } from './documented-app.js';

/** Values of query parameters by name. */
export type Query = Readonly<Record<string, string>>;

export interface PageFound {
  readonly data: Body[];
  readonly pagination: { readonly total: number; readonly hasMore: boolean };
}

/** The query parameters of a list that filter records, without those for pages. */
export function filtersOf(document: OpenApi, operation: RegisteredOperation): readonly Parameter[] {
  const ofPages = Object.keys(new PageQuery());
  return queryParameters(document, operation).filter(({ name }) => !ofPages.includes(name));
}

/** Queries that find a record in its list: one for each filter, with the record's value, and one with all filters. */
export async function queriesFor(
  app: DocumentedApp,
  operation: RegisteredOperation,
  list: { path: string; key: string; record: AnyRecord },
): Promise<Query[]> {
  const single: Query[] = [];
  for (const filter of filtersOf(app.document, operation)) single.push(await queryBy(app, operation, filter, list));
  const all = Object.assign({}, ...single) as Query;
  return single.length > 1 ? [...single, all] : single;
}

async function queryBy(
  app: DocumentedApp,
  operation: RegisteredOperation,
  filter: Parameter,
  { path, key, record }: { path: string; key: string; record: AnyRecord },
): Promise<Query> {
  for (const value of valuesOf(app.document, operation, filter, record)) {
    const query = { [filter.name]: value };
    const { data } = await pageOf(app, operation, path, key, query);
    if (data.some(({ id }) => id === record.id)) return query;
  }
  throw new Error(
    `${operation.id}: no value of the record finds it by ${filter.name}. ` +
      'Give it a value for that filter in test/support/law-records.ts or in the example of its body.',
  );
}

const camelCase = (name: string): string => name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** The values to try with a filter: the record's field of the same name, or else all its texts (for a search). */
function valuesOf(document: OpenApi, operation: RegisteredOperation, { name, schema, example }: Parameter, record: Body): string[] {
  // Every record is before one that is still to be made.
  if (name === 'before') return [newId()];
  const isKnown = camelCase(name) in record;
  const [outer, inner] = (isKnown ? name : name.replace(/_(?:from|to)$/, '')).split('.').map(camelCase) as [string, string?];
  // Bounds of time have examples between which all records are.
  if ((schema.format === 'date-time' || schema.format === 'date') && !(outer in record))
    return [String(example ?? schema.example ?? schema.examples?.[0])];
  if (schema.type === 'boolean' && !(outer in record)) return ['true', 'false'];
  if (inner !== undefined) return [String((record[outer] as Body)[inner])];
  const fields = outer in record ? [outer] : textsOf(document, operation);
  return fields
    .map((known) => record[known])
    .filter((value) => value !== null && value !== undefined && value !== '')
    .map(String);
}

/** The fields of a list's records that hold free text. */
function textsOf(document: OpenApi, operation: RegisteredOperation): string[] {
  const page = resolveRef(document, documented(document, operation).responses[200]?.content?.['application/json']?.schema ?? {});
  const record: Schema = resolveRef(document, page.properties?.data?.items ?? {});
  return Object.entries(record.properties ?? {}).flatMap(([name, schema]) => (isFreeText(schema) ? [name] : []));
}

/** The first page of a list for a key. */
export async function pageOf(
  app: DocumentedApp,
  operation: RegisteredOperation,
  path: string,
  key: string,
  query: Query = {},
): Promise<PageFound> {
  const { status, body, text } = await sendCall(app, { operation, path: `${path}?${new URLSearchParams(query).toString()}` }, key);
  if (status !== 200) throw new Error(`${operation.id} answered ${status} to ${JSON.stringify(query)}: ${text}`);
  return body as PageFound;
}
