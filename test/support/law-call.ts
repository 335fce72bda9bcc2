import { isUuid as isId, newId } from '../../src/kernel/ids.js';
import type { RegisteredOperation } from '../../src/api/operation/operation.js';
import { anAddress } from './addresses.js';
import { Client, type Answer } from './client.js';
import { allowsType, bodySchema, exampleBody, isFreeText, type Body } from './law-document.js';
import { expectDeclared } from './law-answers.js';
import { otherText, uniqueText } from './law-values.js';
import { BUILDERS, collectionOf, STATES } from './law-records.js';
import { factsOfExtensions } from './extension-facts.js';
import { CUSTOM_FIELDS } from '../../src/store/database/columns.js';
import type { DocumentedApp } from './documented-app.js';

export interface Call {
  readonly operation: RegisteredOperation;
  readonly path: string;
  readonly body?: object | string;
}
export interface AnyRecord extends Body {
  readonly id: string;
}

/** The ids of the records created for one call, by collection, so that related ids in a body belong together. */
export type RecordIds = Map<string, string>;

const OURS_OR_FACTS = 'test/support/law-records.ts, or to the facts of an extension';

/** Sends a call, and checks the answer against the OpenAPI document. */
export async function sendCall(
  app: DocumentedApp,
  call: Call,
  key: string | undefined,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await new Client(app.url, key).send(call.operation.method, call.path, call.body, headers);
  expectDeclared(app.document, call.operation, answer);
  return answer;
}

/** A call that succeeds: with the document's example as body, and ids of new records in the path. */
export async function validCall(
  app: DocumentedApp,
  operation: RegisteredOperation,
  key: string,
  made: RecordIds = new Map(),
): Promise<Call> {
  const path = await pathToRecords(app, operation.path, key, made);
  await STATES[operation.id]?.(app.databaseUrl, path.split('/').at(-2)!);
  return { operation, path, ...(operation.body && { body: await validBody(app, operation, key, { made }) }) };
}

/** A valid call, but with ids of records that do not exist. */
export function callForMissing({ document }: DocumentedApp, operation: RegisteredOperation): Call {
  return { operation, path: pathToMissing(operation), ...(operation.body && { body: exampleBody(document, operation) }) };
}

export const pathToMissing = ({ path, pathIds, returnsFile }: RegisteredOperation): string =>
  path.replace(/\{(\w+)\}/g, (_parameter, name: string) => (pathIds.includes(name) ? newId() : Object.keys(returnsFile!)[0]!));

/** What would otherwise decide about the calls after it. */
const HARMLESS: Readonly<Record<string, Body>> = { 'test.set_answers': { calls: 0 } };

/** The document's example body with ids of real records. `mark` makes its texts unique, as far as their length and form allow. */
export async function validBody(
  app: DocumentedApp,
  operation: RegisteredOperation,
  key: string,
  { mark, made = new Map() }: { mark?: string; made?: RecordIds } = {},
): Promise<Body> {
  const body = { ...exampleBody(app.document, operation), ...HARMLESS[operation.id] };
  for (const [name, schema] of Object.entries(bodySchema(app.document, operation).properties ?? {})) {
    const [isRelated, idFor] = [
      (field: string) => collectionOf(app.operations, field) !== undefined,
      (field: string) => relatedId(app, operation, field, key, made),
    ];
    if (Array.isArray(body[name])) await relate(body[name], name, isRelated, idFor);
    if (name === CUSTOM_FIELDS && body[name]) await relate([(body[name] = { ...(body[name] as Body) })], name, isRelated, idFor);
    if (typeof body[name] !== 'string') continue;
    if (schema.format === 'uuid') body[name] = await relatedId(app, operation, name, key, made);
    else if (mark !== undefined) body[name] = uniqueText(schema, body[name], mark);
  }
  return body;
}

/** Ids in a list, or in the objects of one, are those of real records. Others are examples of ids that need no record of ours. */
async function relate(
  list: unknown[],
  name: string,
  isRelated: (field: string) => boolean,
  idFor: (field: string) => Promise<string>,
): Promise<void> {
  for (const [index, item] of list.entries()) {
    if (isUuid(item)) list[index] = await idFor(name);
    for (const [field, value] of Object.entries(typeof item === 'object' ? (item as Body) : {}))
      if (isUuid(value) && isRelated(field)) (item as Body)[field] = await idFor(field);
  }
}

const isUuid = (value: unknown): boolean => typeof value === 'string' && isId(value);

/** A valid body that differs from the given one. */
export function otherBody({ document }: DocumentedApp, { operation, body }: Call): Body {
  const schema = bodySchema(document, operation);
  const other = { ...(body as Body) };
  const given = factsOfExtensions('otherValues')[operation.id];
  if (given) return { ...other, ...given() };
  const text = Object.entries(schema.properties ?? {}).find(([name, property]) => isFreeText(property) && typeof other[name] === 'string');
  const nullable = Object.entries(schema.properties ?? {}).find(
    ([name, property]) => allowsType(property, 'null') && typeof other[name] === 'string',
  );
  const ids = Object.keys(other).filter((name) => isUuid(other[name]));
  const chosen = Object.entries(schema.properties ?? {}).find(([name, property]) => property.enum && typeof other[name] === 'string');
  const optional = Object.keys(other).find((name) => !schema.required?.includes(name));
  if (text) other[text[0]] = otherText(text[1], String(other[text[0]]));
  else if (nullable) other[nullable[0]] = null;
  else if (optional !== undefined) delete other[optional];
  else if (Array.isArray(other.items)) other.items = other.items.map((item) => ({ ...(item as Body), name: newId() }));
  else if (ids.length > 0) other[ids[0]!] = newId();
  else if (chosen) other[chosen[0]] = chosen[1].enum!.find((value) => value !== other[chosen[0]]);
  else if (!operation.body) return { other: true };
  else throw new Error(`The body of ${operation.id} cannot be varied: an extension says how, as otherValues of its facts.`);
  return other;
}

/** Creates a record by the POST of its collection, or by its builder if there is no POST. */
export async function createRecord(app: DocumentedApp, collection: string, key: string, made: RecordIds = new Map()): Promise<AnyRecord> {
  const build = BUILDERS[collection];
  if (build) return { ...(await build(app, key, await pathToRecords(app, collection, key, made))) };
  const create = app.operations.find(({ method, path }) => method === 'POST' && path === collection);
  if (!create) throw new Error(`${collection} has no POST: add a builder for it to ${OURS_OR_FACTS}.`);
  const path = await pathToRecords(app, create.path, key, made);
  const answer = await sendCall(app, { operation: create, path, body: await validBody(app, create, key, { mark: newId(), made }) }, key);
  if (answer.status !== create.status) throw new Error(`The example of ${create.id} is refused: ${answer.text}`);
  return answer.body as AnyRecord;
}

async function pathToRecords(app: DocumentedApp, template: string, key: string, made: RecordIds): Promise<string> {
  let path = template;
  for (const [parameter] of template.matchAll(/\{\w+\}/g)) {
    const id = await idOf(app, template.slice(0, template.indexOf(`/${parameter}`)), key, made);
    path = path.replace(parameter, id);
  }
  return path;
}

function relatedId(app: DocumentedApp, operation: RegisteredOperation, name: string, key: string, made: RecordIds): Promise<string> {
  const collection = collectionOf(app.operations, name);
  if (collection === undefined)
    throw new Error(`${operation.id} has ${name}, the id of a record: add its collection, as related, to ${OURS_OR_FACTS}.`);
  return idOf(app, collection, key, made);
}

async function idOf(app: DocumentedApp, collection: string, key: string, made: RecordIds): Promise<string> {
  const id = made.get(collection) ?? (await createRecord(app, collection, key, made)).id;
  made.set(collection, id);
  return id;
}

/** A header that gives a call an IP address that no other call has used. */
export const fromNewAddress = (): { 'X-Forwarded-For': string } => ({ 'X-Forwarded-For': anAddress() });

/** Status and body of an answer without its request id, for comparing answers. */
export function withoutRequestId({ status, body }: Answer): { status: number; body: Body } {
  return { status, body: { ...(body as Body), requestId: '(any)' } };
}
