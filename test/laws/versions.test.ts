import { afterAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import { isAction, type RegisteredOperation } from '../../src/api/operation/operation.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { named, startDocumentedApp } from '../support/documented-app.js';
import { documented, resolveRef } from '../support/law-document.js';
import { otherBody, sendCall, validCall, type Call } from '../support/law-call.js';
import { expectProblem } from '../support/problem.js';

const app = await startDocumentedApp();
afterAll(() => app.close());

const { operations } = app;
const isOfOneRecord = ({ path }: RegisteredOperation): boolean => path.endsWith('_id}');
const gets = operations.filter((operation) => operation.method === 'GET' && isOfOneRecord(operation));
const creates = operations.filter(({ status }) => status === 201);
const isChange = (operation: RegisteredOperation): boolean =>
  (['PATCH', 'DELETE'].includes(operation.method) && isOfOneRecord(operation)) || (isAction(operation) && returnsRecord(operation));
const changes = operations.filter(isChange);
/** A POST that changes a record, such as an approval, answers with it as the one that makes it does. */
function returnsRecord(operation: RegisteredOperation): boolean {
  const schema = documented(app.document, operation).responses[operation.status]?.content?.['application/json']?.schema ?? {};
  return ['id', 'updatedAt'].every((name) => name in (resolveRef(app.document, schema).properties ?? {}));
}
const posts = operations.filter((operation) => operation.method === 'POST' && returnsRecord(operation));
const getOf = ({ path }: RegisteredOperation): RegisteredOperation => gets.find((get) => get.path === path.replace(/\/[a-z_]+$/, ''))!;

/** A call that changes a new record, the record's address, and the tag that it has before. */
async function aChange(operation: RegisteredOperation, key: string) {
  const call = await validCall(app, operation, key);
  const change: Call = operation.body ? { ...call, body: otherBody(app, call) } : call;
  const read = async () => sendCall(app, { operation: getOf(operation), path: call.path.replace(/\/[a-z_]+$/, '') }, key);
  const { headers, text } = await read();
  return { change, read, tag: headers.etag as string, text };
}

it('every GET and PATCH of one record, and every POST that returns one, has an ETag; every PATCH, DELETE and action takes If-Match', () => {
  const tagged = [...gets, ...posts, ...changes.filter(({ method }) => method === 'PATCH')].map(({ id }) => id);
  expect(operations.filter(({ isTagged }) => isTagged).map(({ id }) => id)).toEqual(
    operations.map(({ id }) => id).filter((id) => tagged.includes(id)),
  );
  expect(operations.filter(({ takesIfMatch }) => takesIfMatch)).toEqual(changes);
  expect(gets.length * creates.length * changes.length).toBeGreaterThan(0);
});

describe.each(named(gets))('%s', (_id, operation) => {
  it('has an ETag, and answers 304 without a body to a caller that has it already', async () => {
    const { key } = await aTenant(app);
    const call = await validCall(app, operation, key);
    const first = await sendCall(app, call, key);
    const tag = first.headers.etag as string;
    expect(tag).toMatch(/^"[!#-~]+"$/);
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const answer = await sendCall(app, call, key, { 'If-None-Match': known });
      expect([answer.status, answer.text, answer.headers.etag], known).toEqual([304, '', tag]);
      expect(answer.headers['content-length']).toBeUndefined();
      expect(answer.headers.ratelimit).toBeDefined();
    }
    for (const known of ['"other"', tag.slice(1, -1), 'W/"x"', ',', '"'])
      expect((await sendCall(app, call, key, { 'If-None-Match': known })).text, known).toBe(first.text);
  });

  it('tells a caller that may not read the record nothing, whatever the tag', async () => {
    const [{ key }, other] = [await aTenant(app), await aTenant(app)];
    const call = await validCall(app, operation, key);
    expectProblem(await sendCall(app, call, other.key, { 'If-None-Match': '*' }), 'not_found');
  });
});

describe.each(named(creates))('%s', (_id, operation) => {
  it('answers with the address of the new record and the ETag that it has there, also when the call is repeated', async () => {
    const { key } = await aTenant(app);
    const call = await validCall(app, operation, key);
    const headers = { 'Idempotency-Key': newId() };
    const made = await sendCall(app, call, key, headers);
    const again = await sendCall(app, call, key, headers);
    const { location, etag } = made.headers as Record<string, string>;
    expect(location!.startsWith(`${app.url}${operation.path}/`)).toBe(true);
    const read = await new Client(app.url, key).get(location!.slice(app.url.length));
    expect([read.status, read.headers.etag]).toEqual([200, etag]);
    expect((read.body as { id: string }).id).toBe((made.body as { id: string }).id);
    expect([again.headers.location, again.headers.etag, again.headers['idempotent-replayed']]).toEqual([location, etag, 'true']);
  });
});

describe.each(named(changes))('%s', (_id, operation) => {
  it('changes the record that If-Match names', async () => {
    const { key } = await aTenant(app);
    const { change, read, tag } = await aChange(operation, key);
    const answer = await sendCall(app, change, key, { 'If-Match': `"other", ${tag}` });
    expect(answer.status).toBe(operation.status);
    const after = await read();
    expect(after.headers.etag).not.toBe(tag);
    expect(answer.headers.etag).toBe(after.headers.etag);
  });

  it('accepts any record with If-Match: *', async () => {
    const { key } = await aTenant(app);
    const { change } = await aChange(operation, key);
    expect((await sendCall(app, change, key, { 'If-Match': '*' })).status).toBe(operation.status);
  });

  it.each([
    ['another tag', () => '"0"'],
    ['a weak tag', (tag: string) => `W/${tag}`],
  ])('answers 412 to %s and changes nothing; the same key then works', async (_what, stale) => {
    const { key } = await aTenant(app);
    const { change, read, tag, text } = await aChange(operation, key);
    const headers = { 'Idempotency-Key': newId() };
    expectProblem(await sendCall(app, change, key, { ...headers, 'If-Match': stale(tag) }), 'changed_meanwhile');
    expect((await read()).text).toBe(text);
    expect((await sendCall(app, change, key, { ...headers, 'If-Match': tag })).status).toBe(operation.status);
  });

  it.each(['', 'x', '"', '"a" "b"', '"a", x', '*, "a"'])('names a header If-Match that cannot be read: %j', async (value) => {
    const { key } = await aTenant(app);
    const { change } = await aChange(operation, key);
    const request = new Client(app.url, key);
    // The client leaves out headers without a value.
    const answer = await request.send(change.operation.method, change.path, change.body, { 'If-Match': value === '' ? ' ' : value });
    const { errors } = expectProblem(answer, 'validation_failed');
    expect(errors).toMatchObject([{ location: 'header', field: 'If-Match', code: 'invalid_tag' }]);
  });

  it('lets only one of many win who have read the same version', async () => {
    const { key } = await aTenant(app);
    const { change, tag } = await aChange(operation, key);
    const calls = Array.from({ length: 6 }, (_, index) => {
      const named = change.body && 'name' in (change.body as object) && { name: `${index} ${newId()}` };
      const body = change.body && { ...(change.body as object), ...named };
      return sendCall(app, { ...change, ...(body && { body }) }, key, { 'If-Match': tag });
    });
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    const lost = operation.method === 'DELETE' ? 404 : 412;
    expect(statuses.sort()).toEqual([operation.status, ...Array<number>(5).fill(lost)]);
  });

  it('answers 404 for a record of another organization, whatever the tag', async () => {
    const [{ key }, other] = [await aTenant(app), await aTenant(app)];
    const { change, tag } = await aChange(operation, key);
    for (const value of [tag, '"0"', '*']) expectProblem(await sendCall(app, change, other.key, { 'If-Match': value }), 'not_found');
  });
});
