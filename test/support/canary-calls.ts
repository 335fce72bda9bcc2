import type { RegisteredOperation } from '../../src/api/operation/operation.js';
import type { World } from '../fuzz/world.js';
import { aTenant } from './builders.js';
import type { Canaries } from './canaries.js';
import { CANARY_CHARACTERS } from './canaries.js';
import { Client, type Answer } from './client.js';
import { callForMissing, otherBody, validCall, type Call } from './law-call.js';
import { bodySchema, isFreeText, queryParameters, type Body } from './law-document.js';

type Headers = Record<string, string>;

/** Headers that a client sends of itself, each with a canary. */
export function headersWith(canaries: Canaries, where: string): Headers {
  const content = (name: string): string => canaries.content(`${name}, ${where}`);
  return {
    'User-Agent': content('User-Agent'),
    'X-Request-Id': `${content('X-Request-Id')} with spaces`,
    'X-Forwarded-For': content('X-Forwarded-For'),
    'Accept-Language': content('Accept-Language'),
    Referer: `https://${content('Referer')}.example/`,
    Origin: `https://${content('Origin')}.example`,
    tracestate: `vendor=${content('tracestate')}`,
    baggage: `name=${content('baggage')}`,
    Cookie: `session=${canaries.secret(`Cookie, ${where}`)}`,
    'X-Of-Ones-Own': canaries.secret(`a header of one's own, ${where}`),
  };
}

/** A valid body with a canary in every text that takes one, and in every map from names to texts. */
function plantInBody(world: World, canaries: Canaries, operation: RegisteredOperation, body: Body): Body {
  const planted = { ...body };
  for (const [name, schema] of Object.entries(bodySchema(world.app.document, operation).properties ?? {})) {
    const as = `${name} of ${operation.id}`;
    const { maxLength = Infinity } = schema;
    if (isFreeText(schema) && maxLength >= CANARY_CHARACTERS) planted[name] = canaries.content(as);
    else if (name === 'headers') planted[name] = { 'X-Own': canaries.secret(as) };
    else if (name === 'metadata') planted[name] = { city: canaries.content(as) };
  }
  return planted;
}

/** Calls an operation rightly and in every way that is refused, with canaries in all that is sent. Returns the statuses. */
export async function callWithCanaries(world: World, canaries: Canaries, operation: RegisteredOperation): Promise<number[]> {
  const { app, url, keys } = world;
  const where = operation.id;
  const statuses: number[] = [];
  const send = async ({ path, body }: Pick<Call, 'path' | 'body'>, key: string, headers: Headers = {}): Promise<Answer> => {
    const sent = { ...headersWith(canaries, where), 'Idempotency-Key': canaries.content(`Idempotency-Key, ${where}`), ...headers };
    const answer = await new Client(url, key).send(operation.method, path, body, sent);
    statuses.push(answer.status);
    return answer;
  };
  const valid = await validCall(app, operation, keys.key);
  const call = { path: valid.path, ...(operation.body && { body: plantInBody(world, canaries, operation, valid.body as Body) }) };
  const query = (name: string): string => `${valid.path}?${name}=${canaries.content(`query, ${where}`)}`;
  const again = { 'Idempotency-Key': canaries.content(`Idempotency-Key, ${where}`) };
  await send(call, keys.revokedKey);
  await send(call, keys.narrowKey);
  await send(call, keys.starterKey);
  await send(call, canaries.secret(`an unknown API key, ${where}`));
  await send(call, '', { Authorization: `Bearer ${canaries.secret(`an unknown token, ${where}`)}` });
  await send(call, '', { Authorization: `Basic ${canaries.secret(`Basic, ${where}`)}` });
  await send(callForMissing(app, operation), keys.key);
  await send({ ...call, path: query('no_such_parameter') }, keys.key);
  await send({ ...call, path: query(canaries.content(`name of a parameter, ${where}`)) }, keys.key);
  for (const { name } of queryParameters(app.document, operation)) await send({ ...call, path: query(name) }, keys.key);
  await send(call, keys.key, { 'If-Match': `"${canaries.content(`If-Match, ${where}`)}"` });
  // An action without a body refuses what is in one.
  if (operation.body || operation.needsKey) {
    const body = call.body ?? { name: canaries.content(`a body that is not taken, ${where}`) };
    const text = JSON.stringify(body);
    await send({ ...call, body: { ...body, [canaries.content(`name of a property, ${where}`)]: 1 } }, keys.key);
    for (const name of Object.keys(body))
      await send({ ...call, body: { ...body, [name]: [{ a: canaries.content(`a list for ${name}, ${where}`) }] } }, keys.key);
    await send({ ...call, body: text.slice(0, -1) }, keys.key);
    await send({ ...call, body: text }, keys.key, { 'Content-Type': `text/${canaries.content(`Content-Type, ${where}`)}` });
    await send({ ...call, body: JSON.stringify({ name: canaries.content(`a large body, ${where}`).padEnd(1_200_000) }) }, keys.key);
  }
  await send(call, keys.key, again);
  await send(await otherCall(app, { operation, ...call }, keys.key), keys.key, again);
  await send(call, '', { Authorization: `Bearer ${world.accessToken}` });
  return statuses;
}

/** Another request of the same operation: with another body, or of another record. */
const otherCall = (app: World['app'], call: Call, key: string): Promise<Call> =>
  call.operation.body ? Promise.resolve({ ...call, body: otherBody(app, call) }) : validCall(app, call.operation, key);

const inSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Calls the tool of an operation, rightly and with an input that it does not have. */
export async function callToolWithCanaries(world: World, canaries: Canaries, operation: RegisteredOperation): Promise<void> {
  const tool = world.tools.get(operation.id);
  if (tool === undefined) return;
  const target = world.operations.find((one) => one.operation === operation)!;
  const body = target.body && plantInBody(world, canaries, operation, target.body);
  const ids = [...world.ids.values()].flat();
  const args = {
    ...Object.fromEntries(Object.entries(body ?? {}).map(([name, value]) => [inSnakeCase(name), value])),
    ...Object.fromEntries(operation.pathIds.map((name) => [name, ids[0]])),
    ...(operation.needsKey && { confirm: true, idempotency_key: canaries.content(`idempotency_key, tool ${tool}`) }),
  };
  const wrong = { ...args, [canaries.content(`name of an input, tool ${tool}`)]: canaries.content(`an unknown input, tool ${tool}`) };
  for (const given of [args, wrong]) {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: given } };
    const headers = { ...headersWith(canaries, `tool ${tool}`), Accept: 'application/json, text/event-stream' };
    await new Client(world.url, world.key).send('POST', '/mcp?tools=claims', message, headers);
  }
}

/** What another organization is answered by every operation, for the records of the first and for none. */
export async function answersToAnother(world: World): Promise<string> {
  const { app } = world;
  let answers = '';
  const { key } = await aTenant(app);
  const other = new Client(world.url, key);
  for (const operation of app.operations) {
    const own = await validCall(app, operation, world.key);
    for (const { path, body } of [own, callForMissing(app, operation)]) answers += (await other.send(operation.method, path, body)).text;
  }
  return answers;
}
