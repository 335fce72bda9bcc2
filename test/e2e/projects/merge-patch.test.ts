import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Claims } from '../../../client/src/index.js';
import { MockClaims } from '../../../client/src/mock/index.js';
import { newId } from '../../../src/kernel/ids.js';
import { mergePatch } from '../../../src/kernel/json.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const PERIOD = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };
const MERGE = { 'Content-Type': 'application/merge-patch+json' };
const BEFORE = { office: 'BER', floors: [1, 2], contact: { name: 'A', phone: '1' } };

async function aProject() {
  const { key } = await aTenant(app);
  const api = new Client(app.url, key);
  const { id } = (await api.post('/v1/claim-projects', { name: 'Berlin', ...PERIOD, metadata: BEFORE })).body as { id: string };
  const patch = (body: object, headers: Record<string, string> = MERGE) => api.patch(`/v1/claim-projects/${id}`, body, headers);
  return { key, id, patch };
}

// https://www.rfc-editor.org/rfc/rfc7396#appendix-A, those whose target and patch are objects.
it.each([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('%j with the patch %j is %j', (target, patch, result) => {
  expect(mergePatch(target, patch)).toEqual(result);
});

it('a patch is done the same twice, and touches no other key, whatever its keys are', () => {
  const objects = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(objects, objects, (target, patch) => {
      const once = mergePatch(target, patch);
      expect(mergePatch(once, patch)).toEqual(once);
      for (const key of Object.keys(target)) if (!Object.hasOwn(patch, key)) expect(Object.hasOwn(once, key)).toBe(true);
    }),
  );
});

describe('the metadata of a project', () => {
  it('is changed key by key by a merge patch, and replaced as a whole by any other', async () => {
    const { patch } = await aProject();
    expect(await patch({ metadata: { contact: { phone: null, mail: 'x' }, floors: [3] } })).toMatchObject({
      status: 200,
      body: { name: 'Berlin', metadata: { office: 'BER', floors: [3], contact: { name: 'A', mail: 'x' } } },
    });
    expect((await patch({ metadata: { office: 'HAM' } }, {})).body).toMatchObject({ metadata: { office: 'HAM' } });
  });

  it('stays as it is where the patch changes nothing', async () => {
    const { patch } = await aProject();
    const [first, again] = [await patch({ metadata: { office: 'BER' } }), await patch({ metadata: { gone: null } })];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect((again.body as { updatedAt: string }).updatedAt).toBe((first.body as { updatedAt: string }).updatedAt);
  });

  it('is never larger than it may be, and the refusal says so', async () => {
    const { patch } = await aProject();
    expect((await patch({ metadata: { a: 'x'.repeat(20_000) } })).status).toBe(200);
    expect(await patch({ metadata: { b: 'x'.repeat(20_000) } })).toMatchObject({
      status: 400,
      body: { errors: [{ location: 'body', field: 'metadata', code: 'too_large' }] },
    });
  });

  it('of a merge and of a replacement are two calls: one key is not good for both', async () => {
    const { patch } = await aProject();
    const again = { 'Idempotency-Key': newId() };
    await patch({ metadata: { office: 'HAM' } }, { ...MERGE, ...again });
    expect((await patch({ metadata: { office: 'HAM' } }, again)).body).toMatchObject({ code: 'idempotency_conflict' });
  });

  it('is changed the same by the client library, of the service and of the mock', async () => {
    const { key, id } = await aProject();
    const mock = new MockClaims();
    const ofMock = mock.add('/v1/claim-projects', { name: 'Berlin', metadata: BEFORE });
    const sides = [
      [new Claims({ apiKey: key, baseUrl: app.url }), id],
      [new Claims({ apiKey: mock.apiKey, fetch: mock.fetch }), ofMock.id],
    ] as const;
    const changed = await Promise.all(
      sides.map(([claims, project]) =>
        claims.projects.update(project, { metadata: { office: null, contact: { phone: '2' } } }, { merge: true }),
      ),
    );
    for (const { metadata } of changed) expect(metadata).toEqual({ floors: [1, 2], contact: { name: 'A', phone: '2' } });
  });
});
