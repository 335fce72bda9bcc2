import { newId } from '../../src/kernel/ids.js';
import type { RegisteredOperation } from '../../src/api/operation/operation.js';
import { Client, type Answer } from './client.js';
import { bodySchema, exampleBody, isFreeText, type Body } from './law-document.js';
import { expectDeclared } from './law-answers.js';
import { BUILDERS, RELATED } from './law-records.js';
import type { World } from './law-world.js';

export interface Call {
  readonly operation: RegisteredOperation;
  readonly path: string;
  readonly body?: object | string;
}
export interface RecordOfAnyKind extends Body {
  readonly id: string;
}

/** Records made for one call, by collection: two ids that a body holds then belong together. */
export type Made = Map<string, string>;

/** Sends a call, and holds the answer against all that the OpenAPI document says of it. */
export async function answerTo(world: World, call: Call, key: string | undefined, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await new Client(world.url, key).send(call.operation.method, call.path, call.body, headers);
  expectDeclared(world.document, call.operation, answer);
  return answer;
}

/** A call that succeeds: the body is the document's example, the ids in the path are those of new records. */
export async function validCall(world: World, operation: RegisteredOperation, key: string, made: Made = new Map()): Promise<Call> {
  const path = await pathToRecords(world, operation.path, key, made);
  return { operation, path, ...(operation.body && { body: await validBody(world, operation, key, { made }) }) };
}

/** A call that is as it should be, but names records that do not exist. */
export function callToNothing({ document }: World, operation: RegisteredOperation): Call {
  return { operation, path: pathToNothing(operation), ...(operation.body && { body: exampleBody(document, operation) }) };
}

export const pathToNothing = ({ path }: RegisteredOperation): string => path.replace(/\{\w+\}/g, () => newId());

/** The document's example of a body, with ids of real records; `mark` makes its free texts unlike those of another. */
export async function validBody(
  world: World,
  operation: RegisteredOperation,
  key: string,
  { mark, made = new Map() }: { mark?: string; made?: Made } = {},
): Promise<Body> {
  const body = exampleBody(world.document, operation);
  for (const [name, schema] of Object.entries(bodySchema(world.document, operation).properties ?? {})) {
    if (typeof body[name] !== 'string') continue;
    if (schema.format === 'uuid') body[name] = await relatedId(world, operation, name, key, made);
    else if (mark !== undefined && isFreeText(schema)) body[name] = `${body[name]} ${mark}`;
  }
  return body;
}

/** Another valid body than the given one. */
export function otherBody({ document }: World, { operation, body }: Call): Body {
  const schema = bodySchema(document, operation);
  const other = { ...(body as Body) };
  const text = Object.entries(schema.properties ?? {}).find(([name, property]) => isFreeText(property) && typeof other[name] === 'string');
  const optional = Object.keys(other).find((name) => !schema.required?.includes(name));
  if (text) other[text[0]] = `${String(other[text[0]])} too`;
  else if (optional !== undefined) delete other[optional];
  else throw new Error(`The body of ${operation.id} cannot be varied.`);
  return other;
}

/** Makes a record as an integrator would: by the POST of its collection. */
export async function makeRecord(world: World, collection: string, key: string, made: Made = new Map()): Promise<RecordOfAnyKind> {
  const build = BUILDERS[collection];
  if (build) return { ...(await build(world, key, await pathToRecords(world, collection, key, made))) };
  const create = world.operations.find(({ method, path }) => method === 'POST' && path === collection);
  if (!create) throw new Error(`Nothing makes a record of ${collection}: test/support/law-records.ts needs a builder for it.`);
  const path = await pathToRecords(world, create.path, key, made);
  const answer = await answerTo(
    world,
    { operation: create, path, body: await validBody(world, create, key, { mark: newId(), made }) },
    key,
  );
  if (answer.status !== create.status) throw new Error(`The example of ${create.id} is refused: ${answer.text}`);
  return answer.body as RecordOfAnyKind;
}

async function pathToRecords(world: World, template: string, key: string, made: Made): Promise<string> {
  let path = template;
  for (const [parameter] of template.matchAll(/\{\w+\}/g)) {
    const id = await idOf(world, template.slice(0, template.indexOf(`/${parameter}`)), key, made);
    path = path.replace(parameter, id);
  }
  return path;
}

function relatedId(world: World, operation: RegisteredOperation, name: string, key: string, made: Made): Promise<string> {
  const collection = RELATED[name];
  if (collection === undefined)
    throw new Error(`${operation.id} takes ${name}, the id of a record: test/support/law-records.ts must say of which collection.`);
  return idOf(world, collection, key, made);
}

async function idOf(world: World, collection: string, key: string, made: Made): Promise<string> {
  const id = made.get(collection) ?? (await makeRecord(world, collection, key, made)).id;
  made.set(collection, id);
  return id;
}

let addresses = 0;

/** A header that makes a call come from an address no other call came from. */
export function fromNewAddress(): { 'X-Forwarded-For': string } {
  addresses += 1;
  return { 'X-Forwarded-For': `2001:db8::${addresses.toString(16)}` };
}

/** What an answer says, apart from the id of the call. */
export function saying({ status, body }: Answer): unknown {
  return { status, body: { ...(body as Body), requestId: '(any)' } };
}
