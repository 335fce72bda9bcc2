import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { memoryLog, type LogLine } from '../../support/memory-log.js';
import { hangUpAfter, requestText, sendRaw } from '../../support/raw.js';

const PROJECTS = '/v1/claim-projects';
const { log, requests, text } = memoryLog();
let app: TestApp;
beforeAll(async () => {
  app = await startApp({}, log);
});
afterAll(() => app.close());

const project = (name: string) => ({ name, periodStart: '2026-01-01', periodEnd: '2026-12-31' });

/** The log lines of one call. Waits, because an answer may arrive before its line is written. */
const linesOf = (requestId: unknown, count = 1): Promise<LogLine[]> =>
  eventually(() => {
    const lines = requests().filter((line) => line.requestId === requestId);
    expect(lines.length).toBeGreaterThanOrEqual(count);
    return lines;
  });

it('writes one line per call with operation, tenant and outcome', async () => {
  const { key, keyId, organization } = await aTenant(app);
  const api = new Client(app.url, key);
  const who = { organizationId: organization.id, environment: 'test', credentialId: keyId, address: '127.0.0.1' };
  const made = await api.post(PROJECTS, project('Berlin'));
  const place = `${PROJECTS}/${(made.body as { id: string }).id}`;
  const calls = [
    { answer: made, line: { method: 'POST', path: PROJECTS, operation: 'claim_projects.create', status: 201, ...who } },
    {
      answer: await api.get(`${PROJECTS}?search=x&page=2`),
      line: { method: 'GET', path: PROJECTS, operation: 'claim_projects.list', status: 200, ...who },
    },
    {
      answer: await api.patch(place, { name: '' }),
      line: { method: 'PATCH', path: place, operation: 'claim_projects.update', status: 400, ...who },
    },
    { answer: await api.get(`${PROJECTS}/${newId()}`), line: { method: 'GET', operation: 'claim_projects.get', status: 404, ...who } },
    { answer: await api.get('/nowhere?x=1'), line: { method: 'GET', path: '/nowhere', status: 404 } },
    { answer: await new Client(app.url).get(PROJECTS), line: { method: 'GET', path: PROJECTS, status: 401 } },
    { answer: await api.get('/health/live'), line: { method: 'GET', path: '/health/live', status: 200 } },
  ];
  for (const { answer, line } of calls) {
    const [written, ...others] = await linesOf(answer.headers['x-request-id']);
    expect(others).toEqual([]);
    expect(written).toMatchObject({ level: 30, ...line });
    expect(written!.ms).toBeGreaterThan(0);
    if (!('organizationId' in line)) expect(written).not.toHaveProperty('organizationId');
  }
  expect(text()).not.toMatch(/Berlin|pk_test_/);
});

it('marks a replay', async () => {
  const { key } = await aTenant(app);
  const api = new Client(app.url, key);
  const again = { 'Idempotency-Key': newId() };
  const first = await api.post(PROJECTS, project('Berlin'), again);
  const second = await api.post(PROJECTS, project('Berlin'), again);
  expect((await linesOf(first.headers['x-request-id']))[0]).not.toHaveProperty('replayed');
  expect((await linesOf(second.headers['x-request-id']))[0]).toMatchObject({ replayed: true, status: 201 });
});

it('writes a line for a disconnected client and for an invalid path', async () => {
  const { key } = await aTenant(app);
  const [cutOff, unreadable] = [newId(), newId()];
  const headers = { 'X-API-Key': key, 'Idempotency-Key': newId(), 'Content-Type': 'application/json' };
  await hangUpAfter(
    app.url,
    requestText('POST', PROJECTS, { ...headers, 'X-Request-Id': cutOff }, JSON.stringify(project('Berlin'))).slice(0, -10),
  );
  await sendRaw(app.url, requestText('GET', `${PROJECTS}/%ff?search=Umbrella`, { 'X-Request-Id': unreadable }));
  expect(await linesOf(cutOff)).toMatchObject([{ status: 400 }]);
  expect(await linesOf(unreadable)).toMatchObject([{ status: 400, path: `${PROJECTS}/%ff` }]);
});

it('has no credentials, keys or request content, whatever the outcome of a call', async () => {
  const database = await createDatabase();
  const memory = memoryLog();
  const own = await startApp({ DATABASE_URL: database.url }, memory.log);
  const { key } = await aTenant(own);
  const api = new Client(own.url, key);
  const hidden = {
    name: 'Umbrella Corporation',
    clientReference: 'REF-77',
    idempotencyKey: 'a key of mine',
    search: 'quietly',
    metadata: 'Racoon City',
    wrongKey: `${key.slice(0, -1)}_`,
    token: 'some-access-token',
  };
  const body = {
    ...project(hidden.name),
    clientReference: hidden.clientReference,
    metadata: { city: hidden.metadata, password: hidden.metadata },
  };
  const again = { 'Idempotency-Key': hidden.idempotencyKey };
  const statuses: number[] = [];
  const call = async (method: string, path: string, sent?: object | string, headers = {}) =>
    statuses.push((await api.send(method, path, sent, headers)).status);
  for (const sent of [body, body, { ...body, name: 'x' }]) await call('POST', PROJECTS, sent, again);
  await call('POST', PROJECTS, body);
  for (const bad of [{ ...body, status: hidden.metadata }, { [hidden.metadata]: 1 }, `{"name":"${hidden.name}`])
    await call('POST', PROJECTS, bad);
  for (const path of [`?search=${hidden.search}`, `?status=${hidden.search}`, `?${hidden.search}=1`]) await call('GET', PROJECTS + path);
  await call('GET', PROJECTS, undefined, { 'X-API-Key': hidden.wrongKey });
  await call('GET', PROJECTS, undefined, { 'X-API-Key': '', Authorization: `Bearer ${hidden.token}` });
  await call('GET', PROJECTS, undefined, { 'X-API-Key': '', Authorization: `Bearer ${key}` });
  await rowsOf(database.url, "ALTER TABLE claim_projects ADD CONSTRAINT surprising CHECK (client_reference <> 'another')");
  await call('POST', PROJECTS, { ...body, clientReference: 'another' }, again);
  await call('POST', PROJECTS, { ...body, clientReference: 'another' });
  await rowsOf(database.url, 'ALTER TABLE claim_projects DROP COLUMN search_key');
  await call('GET', `${PROJECTS}?search=${hidden.search}`);
  expect(statuses).toEqual([201, 201, 409, 409, 400, 400, 400, 200, 400, 400, 401, 401, 200, 409, 500, 500]);
  await own.close();
  await database.drop();
  expect(memory.requests()).toHaveLength(statuses.length);
  for (const secret of [key, key.slice(8), ...Object.values(hidden), 'search=']) expect(memory.text()).not.toContain(secret);
});
