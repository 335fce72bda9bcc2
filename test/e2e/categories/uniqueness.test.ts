import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { rowsOf } from '../../support/database.js';

const PATH = '/v1/expense-categories';
const category = { code: 'Office-1', name: 'Office supplies' };
const PROJECT = { name: 'Berlin office', periodStart: '2026-01-01', periodEnd: '2026-12-31' };

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** A tenant with two projects. */
async function open() {
  const { organization, key } = await aTenant(app);
  const api = new Client(app.url, key);
  const create = (changes: object = {}, headers: Record<string, string> = {}) => api.post(PATH, { ...category, ...changes }, headers);
  const make = async (changes: object = {}) => (await create(changes)).body as { id: string };
  const patch = (id: string, changes: object) => api.patch(`${PATH}/${id}`, changes);
  const aProject = async (name: string) => ((await api.post('/v1/claim-projects', { ...PROJECT, name })).body as { id: string }).id;
  return {
    organizationId: organization.id,
    api,
    create,
    make,
    patch,
    projects: [await aProject('Berlin'), await aProject('Hamburg')] as [string, string],
  };
}

const duplicate = {
  status: 409,
  body: {
    code: 'already_exists',
    retry: 'never',
    errors: [
      { location: 'body', field: 'code', code: 'already_exists' },
      { location: 'body', field: 'projectId', code: 'already_exists' },
    ],
  },
};

const SAME_CODES = [
  ['in another case', 'Office-1', 'OFFICE-1'],
  ['in full width', 'Office-1', '\uff2f\uff26\uff26\uff29\uff23\uff25-1'],
  ['with a ligature', 'Office-1', 'o\ufb03ce-1'],
  ['with an accent as a character of its own', 'Caf\u00e9', 'CAFE\u0301'],
  ['with a no-break space', 'Office 1', 'Office\u00a01'],
  ['with a circled digit', 'Office 1', 'Office \u2460'],
  ['with a capital sharp s', 'Stra\u00dfe', 'STRA\u1e9eE'],
  ['in Greek, where a final sigma is another letter', 'ΟΔΟΣ', 'οδος'],
] as const;

describe.each(['in one project', 'without a project'])('two categories %s', (where) => {
  /** The project of both categories. */
  const shared = (projects: readonly string[]): { projectId?: string | null } =>
    where === 'in one project' ? { projectId: projects[0] } : { projectId: null };

  it.each(SAME_CODES)('must not have the same code %s', async (_how, first, second) => {
    const { create, projects } = await open();
    expect((await create({ ...shared(projects), code: first })).status).toBe(201);
    expect(await create({ ...shared(projects), code: second, name: 'Another name' })).toMatchObject(duplicate);
  });

  it.each([
    ['Office-1', 'Office 1'],
    ['Office-1', ' Office-1'],
    ['Cafe', 'Caf\u00e9'],
    ['1', '01'],
    ['O', '0'],
  ])('may have the different codes %j and %j', async (first, second) => {
    const { create, projects } = await open();
    expect([
      (await create({ ...shared(projects), code: first })).status,
      (await create({ ...shared(projects), code: second })).status,
    ]).toEqual([201, 201]);
  });

  it('may have the same name', async () => {
    const { create, projects } = await open();
    for (const code of ['1', '2']) expect((await create({ ...shared(projects), code })).status).toBe(201);
  });

  it('are duplicates even if the first is archived', async () => {
    const { create, make, patch, projects } = await open();
    const { id } = await make(shared(projects));
    await patch(id, { status: 'archived' });
    for (const status of ['active', 'archived']) expect(await create({ ...shared(projects), status })).toMatchObject(duplicate);
  });

  it('free the code when the first gets another one', async () => {
    const { create, make, patch, projects } = await open();
    const { id } = await make(shared(projects));
    await patch(id, { code: 'Office-2' });
    expect((await create(shared(projects))).status).toBe(201);
    expect(await patch(id, { code: 'OFFICE-1' })).toMatchObject(duplicate);
  });
});

describe('categories with the same code', () => {
  it('may exist once in each project and once without a project', async () => {
    const { create, projects } = await open();
    for (const projectId of [null, ...projects]) expect((await create({ projectId })).status, String(projectId)).toBe(201);
    for (const projectId of [undefined, null, ...projects, projects[0].toUpperCase()])
      expect(await create({ projectId }), String(projectId)).toMatchObject(duplicate);
  });

  it('may exist in different environments and organizations', async () => {
    const { organizationId, create } = await open();
    const live = await aKey(app, organizationId, { environment: 'live' });
    const { key: stranger } = await aTenant(app);
    expect((await create()).status).toBe(201);
    for (const key of [live.key, stranger]) expect((await new Client(app.url, key).post(PATH, category)).status).toBe(201);
  });

  it('cannot be moved into the same project, or both out of their projects', async () => {
    const {
      make,
      patch,
      api,
      projects: [first, second],
    } = await open();
    const [ofFirst, ofSecond, ofNone] = [await make({ projectId: first }), await make({ projectId: second }), await make()];
    for (const [{ id }, projectId] of [
      [ofSecond, first],
      [ofSecond, null],
      [ofNone, second],
      [ofFirst, second.toUpperCase()],
    ] as const) {
      expect(await patch(id, { projectId, name: 'Moved' })).toMatchObject(duplicate);
    }
    for (const before of [ofFirst, ofSecond, ofNone]) expect((await api.get(`${PATH}/${before.id}`)).body).toEqual(before);
    expect((await patch(ofSecond.id, { projectId: first, code: 'Office-2' })).status, 'moved with another code').toBe(200);
  });
});

describe('a PATCH', () => {
  it('may change the spelling of its own code', async () => {
    const { make, patch } = await open();
    const { id } = await make();
    expect(await patch(id, { code: 'OFFICE-1' })).toMatchObject({ status: 200, body: { code: 'OFFICE-1' } });
  });

  it('with a missing project is refused for that, even if it would also be a duplicate', async () => {
    const { make, patch } = await open();
    await make({ code: 'Office-2' });
    const { id } = await make();
    expect(await patch(id, { code: 'Office-2', projectId: newId() })).toMatchObject({
      status: 400,
      body: { code: 'related_record_missing' },
    });
  });
});

describe('a refused duplicate', () => {
  it('writes nothing and frees its Idempotency-Key', async () => {
    const {
      organizationId,
      create,
      projects: [projectId],
    } = await open();
    await create({ projectId });
    const key = { 'Idempotency-Key': newId() };
    expect(await create({ projectId }, key)).toMatchObject(duplicate);
    const rows = await rowsOf(app.databaseUrl, 'SELECT 1 FROM expense_categories WHERE organization_id = $1', [organizationId]);
    expect(rows).toHaveLength(1);
    expect((await create({ projectId, code: 'Office-2' }, key)).status).toBe(201);
  });

  it.each(['in one project', 'without a project'])('%s: of twenty concurrent creates, one succeeds', async (where) => {
    const { create, api, projects } = await open();
    const projectId = where === 'in one project' ? projects[0] : null;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => create({ projectId, code: index % 2 ? 'Office-1' : 'OFFICE-1' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    for (const answer of answers.filter(({ status }) => status !== 201)) expect(answer).toMatchObject(duplicate);
    expect((await api.get(PATH)).body).toMatchObject({ pagination: { total: 1 } });
  });

  it('of many concurrent updates, one succeeds', async () => {
    const {
      make,
      patch,
      projects: [projectId],
    } = await open();
    const made = await Promise.all(Array.from({ length: 10 }, (_, index) => make({ code: `Office-${index}` })));
    const answers = await Promise.all(made.map(({ id }) => patch(id, { code: 'The office', projectId })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
  });
});

/** Few codes in few spellings, so that many of them collide. */
const spelling = fc.constantFrom('a', 'A', '\uff41', 'b', 'B', 'ss', '\u00df', '\u1e9e');
const fold = (text: string) => ({ a: 'a', A: 'a', '\uff41': 'a', b: 'b', B: 'b' })[text] ?? 'ss';

it('random creates and updates leave no code twice in a project, and only duplicates are refused', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ at: fc.nat({ max: 5 }), code: spelling, project: fc.nat({ max: 2 }) }), { minLength: 5, maxLength: 15 }),
      async (steps) => {
        const { create, patch, projects } = await open();
        const places = [null, ...projects];
        const made: { id: string; taken: string }[] = [];
        for (const { at, code, project } of steps) {
          const taken = `${project} ${fold(code)}`;
          const before = made[at];
          const wanted = { code, projectId: places[project]! };
          const answer = before ? await patch(before.id, wanted) : await create(wanted);
          const isDuplicate = made.some((other) => other !== before && other.taken === taken);
          expect(answer.status, `${taken} among ${JSON.stringify(made)}`).toBe(isDuplicate ? 409 : before ? 200 : 201);
          if (isDuplicate) continue;
          if (before) before.taken = taken;
          else made.push({ id: (answer.body as { id: string }).id, taken });
        }
      },
    ),
    { numRuns: 15 },
  );
});
