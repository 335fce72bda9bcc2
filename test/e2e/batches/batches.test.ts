import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, aTenant } from '../../support/builders.js';
import { Client, type Answer } from '../../support/client.js';
import { rowsOf } from '../../support/database.js';

const BATCHES = '/v1/batches';
const CATEGORIES = '/v1/expense-categories';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ RATE_LIMITS: JSON.stringify({ starter: { perMinute: 60, burst: 40 } }) });
});
afterAll(() => app.close());

interface Item {
  readonly index: number;
  readonly status: number;
  readonly record: { readonly id: string; readonly code: string } | null;
  readonly problem: { readonly code: string; readonly errors: readonly { readonly field: string; readonly code: string }[] } | null;
}
const itemsOf = ({ body }: Answer): Item[] => (body as { items: Item[] }).items;
const categories = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ code: `C-${index}`, name: `Category ${index}`, sourceMapping: {} }));

async function open(plan: 'starter' | 'enterprise' = 'enterprise') {
  const { organization, key } = await aTenant(app, { plan });
  const api = new Client(app.url, key);
  const batch = (items: unknown, once: string = newId(), operation = 'expense_categories.create') =>
    api.post(BATCHES, { operation, items }, { 'Idempotency-Key': once });
  const count = async () => (await api.get(CATEGORIES)).body.pagination.total as number;
  return { organization, key, api, batch, count };
}

describe('a batch', () => {
  it('makes the records of all items but those that are refused, and says why in the words of the operation', async () => {
    const { api, batch, count } = await open();
    const items = categories(100).map((item, index) =>
      index === 7 ? { ...item, code: 12 } : index === 50 ? { ...item, code: 'C-49' } : item,
    );
    const wrong = [...items.slice(0, 99), { name: 'No code', colour: 'red' }];
    const answer = await batch(wrong);
    expect([answer.status, answer.body.succeeded, answer.body.failed]).toEqual([200, 97, 3]);
    expect(itemsOf(answer).map(({ index }) => index)).toEqual(wrong.map((_, index) => index));
    const refused = itemsOf(answer).filter(({ problem }) => problem !== null);
    expect(refused.map(({ index, status, record, problem }) => [index, status, record, problem!.code])).toEqual([
      [7, 400, null, 'validation_failed'],
      [50, 409, null, 'already_exists'],
      [99, 400, null, 'validation_failed'],
    ]);
    const { index: _index, ...alone } = refused[2]!;
    const { status, body } = await api.post(CATEGORIES, wrong[99]);
    expect({ ...alone.problem, requestId: '' }).toEqual({ ...body, requestId: '' });
    expect(alone.status).toBe(status);
    const first = itemsOf(answer)[0]!;
    expect((await api.get(`${CATEGORIES}/${first.record!.id}`)).body).toEqual(first.record);
    expect(await count()).toBe(97);
  });

  it('that is repeated with its key answers the same records, makes none twice, and tries again what was refused', async () => {
    const { api, batch, count } = await open();
    const taken = (await api.post(CATEGORIES, categories(1)[0])).body as { id: string };
    const once = newId();
    const first = await batch(categories(100), once);
    expect(first.body.succeeded).toBe(99);
    expect((await api.patch(`${CATEGORIES}/${taken.id}`, { code: 'OTHER' })).status).toBe(200);
    const again = await batch(categories(100), once);
    expect([again.status, again.body.succeeded, again.headers['idempotent-replayed']]).toEqual([200, 100, 'true']);
    expect(itemsOf(again).slice(1)).toEqual(itemsOf(first).slice(1));
    expect(await count()).toBe(101);
    expect((await batch(categories(99), once)).body).toMatchObject({ code: 'idempotency_conflict', retry: 'never' });
  });

  it('may come many times at once: each item is done once', async () => {
    const { batch, count } = await open();
    const once = newId();
    const answers = await Promise.all(Array.from({ length: 6 }, () => batch(categories(20), once)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await count()).toBe(20);
  });

  it('may have a key as long as any, and its items share none with other calls', async () => {
    const { api, batch } = await open();
    const once = 'k'.repeat(255);
    expect((await batch(categories(2), once)).body.succeeded).toBe(2);
    expect((await api.post(CATEGORIES, { ...categories(3)[2], code: 'X' }, { 'Idempotency-Key': once })).body.code).toBe(
      'idempotency_conflict',
    );
    expect(
      (await api.post(CATEGORIES, { ...categories(3)[2], code: 'X' }, { 'Idempotency-Key': `batch 0 ${once}`.slice(0, 255) })).status,
    ).toBe(201);
  });

  it('makes each record with its own event and entry in the audit log, as a call would', async () => {
    const { organization, api, batch } = await open();
    const answer = await batch(categories(3));
    const ids = itemsOf(answer).map(({ record }) => record!.id);
    const events = await rowsOf<{ id: string }>(
      app.databaseUrl,
      'SELECT resource_id AS id FROM events WHERE organization_id = $1 ORDER BY id',
      [organization.id],
    );
    expect(events.map(({ id }) => id)).toEqual(ids);
    const audit = (await api.get('/v1/audit/events?action_prefix=expense_category')).body as { data: { resource: { id: string } }[] };
    expect(audit.data.map(({ resource }) => resource.id).sort()).toEqual([...ids].sort());
  });

  it('is refused as its operation would be: by scope, by what it is, and before its key is used', async () => {
    const { organization, batch, count } = await open();
    const { key: reader } = await aKey(app, organization.id, { scopes: ['expense_categories:read'] });
    const once = { 'Idempotency-Key': newId() };
    const refused = await new Client(app.url, reader).post(BATCHES, { operation: 'expense_categories.create', items: categories(1) }, once);
    expect([refused.status, refused.body.code, refused.headers['www-authenticate']]).toEqual([
      403,
      'scope_missing',
      expect.stringContaining('expense_categories:write'),
    ]);
    for (const operation of [
      'webhooks.create',
      'bank_statements.create',
      'claim_reports.create',
      'expense_categories.update',
      'batches.create',
    ])
      expect((await batch(categories(1), newId(), operation)).body.errors).toMatchObject([{ field: 'operation', code: 'not_allowed' }]);
    expect((await batch([])).body.errors).toMatchObject([{ field: 'items', code: 'too_short' }]);
    expect((await batch(categories(101))).body.errors).toMatchObject([{ field: 'items', code: 'too_many' }]);
    expect((await batch([{}, 'x'])).body.errors).toMatchObject([{ field: 'items[1]', code: 'wrong_type' }]);
    expect(await count()).toBe(0);
    expect((await batch(categories(1), once['Idempotency-Key'])).body.succeeded).toBe(1);
  });

  it('counts each item against the rate limit, and says what is left', async () => {
    const { batch, count } = await open('starter');
    const leftOf = ({ headers }: Answer) => Number(/r=(\d+)/.exec(headers.ratelimit as string)![1]);
    const tooMany = await batch(categories(40));
    expect(tooMany.body.errors).toMatchObject([
      { field: 'items', code: 'too_many', message: expect.stringContaining('at most 39') as string },
    ]);
    const first = await batch(categories(25));
    expect(first.body.succeeded).toBe(25);
    expect(leftOf(first)).toBeLessThan(18);
    const once = newId();
    const limited = await batch(categories(30), once);
    expect([limited.status, limited.body.code, limited.body.retry]).toEqual([429, 'rate_limited', 'later']);
    expect(await count()).toBe(25);
  });
});
