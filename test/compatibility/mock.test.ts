import { serve, type ServerType } from '@hono/node-server';
import { afterAll, describe, expect, it } from 'vitest';
import { Claims, ConnectionError, InternalError, RateLimitedError, ReportFailedError, Webhooks } from '../../client/src/index.js';
import { MockClaims } from '../../client/src/mock/index.js';
import { newId } from '../../src/kernel/ids.js';
import { named, startDocumentedApp, type DocumentedApp } from '../support/documented-app.js';
import { expectValid } from '../support/law-answers.js';
import { bodySchema, exampleBody, type Body } from '../support/law-document.js';
import { collectionOf } from '../support/law-records.js';
import type { RegisteredOperation } from '../../src/api/operation/operation.js';

const PERIOD = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };
const BASE = 'https://api.claims.example';

function aClient(mock = new MockClaims()) {
  return { mock, claims: new Claims({ apiKey: mock.apiKey, fetch: mock.fetch }) };
}

const app = await startDocumentedApp();
let server: ServerType | undefined;
afterAll(async () => {
  server?.close();
  await app.close();
});

/** What the mock says that it does not play. */
const REFUSED = [
  ...['claim_closings.list', 'claim_closings.create', 'claim_closings.get'],
  'claim_reports.download',
  'claim_report_shares.create',
  ...['bank_statements.check', 'bank_statements.retry'],
  'batches.create',
  'claim_lines.list',
  'claim_lines.get',
  'claim_lines.decide',
  'organization.get',
  'usage.get',
  ...['audit.list', 'audit.get_checkpoint', 'audit.get_proof', 'audit.get_consistency'],
  ...['requests.list', 'requests.get'],
  'webhooks.list_deliveries',
  ...['webhooks.get_delivery', 'webhooks.redeliver'],
  ...['webhooks.get_missed', 'webhooks.replay', 'webhooks.stop_replays', 'webhooks.ping'],
  'api.catalog',
  'api.auth_context',
];

/** The state that an action asks for. */
const STATES: Readonly<Record<string, Body>> = { 'claim_reports.cancel': { status: 'queued' } };

/** A valid call on records that the mock has. */
function callOn(mock: MockClaims, { document, operations }: DocumentedApp, operation: RegisteredOperation) {
  const ids = new Map<string, string>();
  const idIn = (collection: string): string => {
    const create = operations.find(({ method, path }) => method === 'POST' && path === collection);
    const fields = create ? { ...exampleBody(document, create), name: newId(), code: newId(), ...STATES[operation.id] } : {};
    const id = ids.get(collection) ?? mock.add(collection as `/v1/${string}`, fields).id;
    ids.set(collection, id);
    return id;
  };
  const path = operation.path.replace(/\{(\w+)\}/g, (_parameter, name: string, at: number) => {
    const collection = operation.path.slice(0, at - 1);
    if (!operation.pathIds.includes(name)) return 'json';
    return collection.includes('{') || REFUSED.includes(operation.id) ? newId() : idIn(collection);
  });
  if (!operation.body) return { path, body: undefined };
  const body: Body = exampleBody(document, operation);
  for (const [name, schema] of Object.entries(bodySchema(document, operation).properties ?? {}))
    if (schema.format === 'uuid' && typeof body[name] === 'string')
      body[name] = REFUSED.includes(operation.id) ? newId() : idIn(collectionOf(operations, name)!);
  return { path, body };
}

describe.each(named(app.operations))('%s', (_id, operation) => {
  it('is played as the document says, or is refused', async () => {
    const mock = new MockClaims();
    const { path, body } = callOn(mock, app, operation);
    const response = await mock.fetch(BASE + path, {
      method: operation.method,
      headers: { 'X-API-Key': mock.apiKey, 'Idempotency-Key': newId(), 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status === 501) {
      const problem = JSON.parse(text) as { code: string; detail: string };
      expectValid(app.document, ['components', 'schemas', 'Problem'], problem);
      expect(problem).toMatchObject({ code: 'not_in_mock', detail: expect.stringContaining(operation.id) });
      expect(REFUSED).toContain(operation.id);
      return;
    }
    expect(REFUSED).not.toContain(operation.id);
    expect(response.status, text).toBe(operation.status);
    if (operation.status === 204) return expect(text).toBe('');
    const place = ['paths', operation.path, operation.method.toLowerCase(), 'responses', String(operation.status)];
    expectValid(app.document, [...place, 'content', 'application/json', 'schema'], JSON.parse(text));
  });
});

describe('a program under test', () => {
  it('gets the failures that the test orders, and repeats the call', async () => {
    const { mock, claims } = aClient();
    mock.failNext('internal_error');
    mock.failNext({ code: 'rate_limited', retryAfter: 0 });
    expect(await claims.projects.create({ name: 'Berlin', ...PERIOD })).toMatchObject({ name: 'Berlin', status: 'draft' });
    expect(mock.requests.map(({ operation }) => operation)).toEqual(new Array(3).fill('claim_projects.create'));
    expect(new Set(mock.requests.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
  });

  it('gets a failure as often as the test says', async () => {
    const mock = new MockClaims();
    const claims = new Claims({ apiKey: mock.apiKey, fetch: mock.fetch, maxRetries: 0 });
    mock.failNext('internal_error', 2);
    mock.failNext({ code: 'rate_limited', retryAfter: 7, detail: 'Slowly.' });
    for (const [Class, retryAfter] of [[InternalError], [InternalError], [RateLimitedError, 7]] as const) {
      const error = await claims.projects
        .list()
        .page()
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Class);
      expect(error).toMatchObject({ retryAfter });
    }
    expect((await claims.projects.list().page()).data).toEqual([]);
  });

  it('creates one record although the answer is lost', async () => {
    const { mock, claims } = aClient();
    mock.loseNext();
    const { id } = await claims.projects.create({ name: 'Berlin', ...PERIOD });
    expect((await claims.projects.list().page()).data.map((one) => one.id)).toEqual([id]);
    expect(mock.requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET']);
  });

  it('reaches nobody while the mock is offline', async () => {
    const { mock } = aClient();
    const claims = new Claims({ apiKey: mock.apiKey, fetch: mock.fetch, maxRetries: 0 });
    mock.offline();
    await expect(claims.organization.get()).rejects.toBeInstanceOf(ConnectionError);
    mock.online();
    await expect(claims.projects.list().page()).resolves.toMatchObject({ data: [] });
    expect(mock.requests).toHaveLength(1);
  });

  it('waits for runs, which end when they are asked for, or as the test says', async () => {
    const { mock, claims } = aClient();
    const report = await claims.reports.createAndWait();
    expect(report).toMatchObject({ status: 'succeeded', result: { totals: { claimable: '0.00' } } });
    expectValid(app.document, ['components', 'schemas', 'ClaimReport'], report);
    const slow = new MockClaims({ asksPerReport: 3 });
    const { id } = await aClient(slow).claims.reports.create();
    const statuses = [];
    for (let ask = 0; ask < 3; ask += 1) statuses.push((await aClient(slow).claims.reports.get(id)).status);
    expect(statuses).toEqual(['running', 'running', 'succeeded']);
    const failing = await claims.reports.create();
    mock.finishReports({ status: 'failed', failure: { code: 'internal_error', message: 'Out of order.' } });
    const error = await claims.reports.wait(failing.id).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ReportFailedError);
    expectValid(app.document, ['components', 'schemas', 'ClaimReport'], (error as ReportFailedError).report);
  });

  it('provokes things as in the test environment of the service: answers, the end of a run, events and a reset', async () => {
    const { mock, claims } = aClient();
    await claims.test.setAnswers({ problem: 'rate_limited', calls: 2 });
    await claims.test.setAnswers({ problem: 'internal_error', delaySeconds: 1 });
    const startedAt = performance.now();
    const failure = await new Claims({ apiKey: mock.apiKey, fetch: mock.fetch, maxRetries: 0 }).projects
      .create({ name: 'Berlin', ...PERIOD })
      .catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(InternalError);
    expect(performance.now() - startedAt).toBeGreaterThan(990);
    const { id: projectId } = await claims.projects.create({ name: 'Berlin', ...PERIOD });
    const { id: reportConfigurationId } = await claims.configurations.create({ name: 'Annual', ...PERIOD });
    const missing = claims.test.setOutcome({ reportConfigurationId: newId(), outcome: 'failed' });
    await expect(missing).rejects.toMatchObject({ code: 'related_record_missing' });
    const wrong = claims.test.setOutcome({ reportConfigurationId, outcome: 'cancelled', failureCode: 'took_too_long' });
    await expect(wrong).rejects.toMatchObject({ code: 'validation_failed', errors: [{ field: 'failureCode' }] });
    await claims.test.setOutcome({ reportConfigurationId, outcome: 'failed', failureCode: 'took_too_long' });
    const failing = await claims.reports.create({ projectId, reportConfigurationId });
    const error = await claims.reports.wait(failing.id).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ReportFailedError);
    expectValid(app.document, ['components', 'schemas', 'ClaimReport'], (error as ReportFailedError).report);
    expect((error as ReportFailedError).report.failure).toMatchObject({ code: 'took_too_long' });
    expect(await claims.reports.createAndWait({ projectId, reportConfigurationId })).toMatchObject({ status: 'succeeded' });
    const { nextCursor } = await claims.webhooks.listEvents().page();
    const sent = [];
    for (const kind of ['claim_report.failed', 'user.invited'] as const) sent.push((await claims.test.sendEvent({ kind })).eventId);
    const page = await claims.webhooks.listEvents({ ...nextCursor, limit: 1 }).page();
    expectValid(app.document, ['components', 'schemas', 'WebhookEventPage'], page);
    expect(page).toMatchObject({ data: [{ id: sent[0], type: 'claim_report.failed' }], hasMore: true });
    const others = await claims.webhooks.listEvents({ after: page.nextCursor.after, kind: 'user.invited' }).page();
    expect(others).toMatchObject({ data: [{ id: sent[1] }], hasMore: false });
    const endpoint = await claims.webhooks.create({ name: 'x', targetUrl: 'https://example.com', subscribedEvents: ['user.invited'] });
    const requests = mock.requests.length;
    const options = { idempotencyKey: 'once' };
    expect(await claims.test.reset({}, options)).toEqual({ deleted: 4 });
    const { id } = await claims.projects.create({ name: 'Berlin', ...PERIOD });
    expect(await claims.test.reset({}, options)).toEqual({ deleted: 4 });
    expect((await claims.projects.list().page()).data).toMatchObject([{ id }]);
    expect((await claims.webhooks.listEvents({ after: '00000000-0000-0000-0000-000000000000' }).page()).data).toEqual([]);
    expect(await claims.webhooks.get(endpoint.id)).toMatchObject({ name: 'x' });
    expect(mock.requests.length).toBeGreaterThan(requests);
  });

  it('gets the answers that the test states for what the mock does not play', async () => {
    const { mock, claims } = aClient();
    await expect(claims.organization.get()).rejects.toMatchObject({ code: 'not_in_mock', status: 501, retry: 'never' });
    mock.answer('organization.get', { name: 'Example Accountants' });
    mock.answer('claim_reports.download', () => new Response('%PDF'));
    expect(await claims.organization.get()).toMatchObject({ name: 'Example Accountants' });
    expect(await (await claims.reports.download(newId(), 'pdf')).text()).toBe('%PDF');
    mock.reset();
    await expect(claims.organization.get()).rejects.toMatchObject({ code: 'not_in_mock' });
    expect(mock.requests).toHaveLength(1);
  });

  it('reads statements that the test adds, page by page', async () => {
    const { mock, claims } = aClient();
    const added = ['a', 'b', 'c'].map((name) => mock.add('/v1/bank-statements', { fileName: `${name}.csv` }).id);
    const read = [];
    for await (const { id } of claims.statements.list({ page_size: 2 })) read.push(id);
    expect(read).toEqual(added.reverse());
    expect(() => mock.add('/v1/nothing', {})).toThrow(TypeError);
  });

  it('verifies deliveries with the secret of an endpoint of the mock', async () => {
    const { claims } = aClient();
    const { secret } = await claims.webhooks.create({ name: 'x', targetUrl: 'https://example.com', subscribedEvents: ['user.invited'] });
    const body = JSON.stringify({ id: newId(), type: 'user.invited' });
    expect(await Webhooks.verify(body, new Headers(await Webhooks.sign(body, secret!)), secret!)).toMatchObject({ type: 'user.invited' });
  });

  it('reaches the mock over HTTP, for programs in other languages', async () => {
    const mock = new MockClaims();
    const url = await new Promise<string>((resolve) => {
      server = serve({ fetch: (request) => mock.fetch(request), port: 0, hostname: '127.0.0.1' }, ({ port }) =>
        resolve(`http://127.0.0.1:${port}`),
      );
    });
    const claims = new Claims({ apiKey: mock.apiKey, baseUrl: url });
    const { id } = await claims.projects.create({ name: 'Berlin', ...PERIOD });
    expect((await claims.projects.list({ search: 'ber' }).page()).data).toMatchObject([{ id }]);
    await expect(claims.projects.get(newId())).rejects.toMatchObject({ code: 'not_found' });
  });

  it('stops when the test aborts it', async () => {
    const { mock, claims } = aClient();
    await expect(claims.projects.list({}, { signal: AbortSignal.abort(new Error('Enough')) }).page()).rejects.toThrow('Enough');
    expect(mock.requests).toEqual([]);
  });
});
