import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { rowsOf } from '../../support/database.js';
import { expectProblem } from '../../support/problem.js';

const PROJECTS = '/v1/claim-projects';
const project = (name: string) => ({ name, periodStart: '2026-01-01', periodEnd: '2026-12-31' });

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ IDEMPOTENCY_RETENTION: '24h' });
});
afterAll(() => app.close());

/** As if the key had been used so long ago. The job that removes old keys does not run here. */
const age = (organizationId: string, hours: number) =>
  rowsOf(
    app.databaseUrl,
    `UPDATE idempotency_keys SET created_at = created_at - make_interval(hours => $2) WHERE organization_id = $1 RETURNING key`,
    [organizationId, hours],
  );

it('a key whose time is over is free for another request, although nothing has removed it yet, and remembers that one', async () => {
  const { organization, key } = await aTenant(app);
  const api = new Client(app.url, key);
  const once = { 'Idempotency-Key': newId() };
  const first = await api.post(PROJECTS, project('First'), once);
  expect(await age(organization.id, 25)).toHaveLength(1);
  const second = await api.post(PROJECTS, project('Second'), once);
  expect([first.status, second.status, second.headers['idempotent-replayed']]).toEqual([201, 201, undefined]);
  expect(second.body.id).not.toBe(first.body.id);
  const again = await api.post(PROJECTS, project('Second'), once);
  expect([again.headers['idempotent-replayed'], again.text]).toEqual(['true', second.text]);
  expectProblem(await api.post(PROJECTS, project('First'), once), 'idempotency_conflict');
  expect((await api.get(PROJECTS)).body.pagination).toMatchObject({ total: 2 });
});

it('a key within its time is not', async () => {
  const { organization, key } = await aTenant(app);
  const api = new Client(app.url, key);
  const once = { 'Idempotency-Key': newId() };
  const first = await api.post(PROJECTS, project('First'), once);
  await age(organization.id, 23);
  expect((await api.post(PROJECTS, project('First'), once)).text).toBe(first.text);
  expectProblem(await api.post(PROJECTS, project('Second'), once), 'idempotency_conflict');
});

it('calls with one key whose time is over end none of each other: those that wait for each other are done again', async () => {
  const { organization, key } = await aTenant(app);
  const api = new Client(app.url, key);
  for (let turn = 0; turn < 6; turn += 1) {
    const once = { 'Idempotency-Key': newId() };
    await api.post(PROJECTS, project(`First ${turn}`), once);
    await age(organization.id, 25);
    const answers = await Promise.all(Array.from({ length: 6 }, () => api.post(PROJECTS, project(`Second ${turn}`), once)));
    expect(answers.filter(({ status }) => status !== 201 && status !== 409).map(({ text }) => text)).toEqual([]);
  }
});

it('of calls with one key whose time is over, one makes a record, and the others are told its answer', async () => {
  const { organization, key } = await aTenant(app);
  const api = new Client(app.url, key);
  const once = { 'Idempotency-Key': newId() };
  await api.post(PROJECTS, project('First'), once);
  await age(organization.id, 25);
  const answers = await Promise.all([1, 2, 3].map(() => api.post(PROJECTS, project('Second'), once)));
  const made = answers.filter(({ status }) => status === 201);
  expect(made.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
  expect(new Set(made.map(({ text }) => text)).size).toBe(1);
  for (const answer of answers.filter(({ status }) => status !== 201)) expectProblem(answer, 'idempotency_conflict');
  expect((await api.get(PROJECTS)).body.pagination).toMatchObject({ total: 2 });
});
