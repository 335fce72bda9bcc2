import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MockClaims } from '../../client/src/mock/index.js';
import { newId } from '../../src/kernel/ids.js';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';

type Send = (url: string, init: RequestInit) => Promise<Response>;
interface Side {
  readonly send: Send;
  readonly url: string;
  readonly key: string;
}
/** A call. `{name}` in its path and body stands for the id that the call `name` was answered with. */
type Step = readonly [name: string, method: string, path: string, body?: unknown, headers?: Record<string, string>];

const PERIOD = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };
const PROJECTS = '/v1/claim-projects';
const CATEGORIES = '/v1/expense-categories';
const CONFIGURATIONS = '/v1/report-configurations';
const REPORTS = '/v1/claim-reports';
const WEBHOOKS = '/v1/webhooks';
const OUTCOMES = '/v1/test/claim-reports/outcomes';
const MISSING = newId();
const rules = (...conditions: object[]) => ({ sourceMapping: { rules: [{ all: conditions }] } });
const endpoint = { name: 'Sync', targetUrl: 'https://example.com/hooks', subscribedEvents: ['claim_project.created'] };

const SCENARIOS: Record<string, readonly Step[]> = {
  'records are created, read, changed and listed': [
    ['berlin', 'POST', PROJECTS, { name: 'Berlin', clientReference: 'C-1', ...PERIOD, metadata: { a: 1 } }],
    ['hamburg', 'POST', PROJECTS, { name: 'Hamburg', ...PERIOD, status: 'active' }],
    ['again', 'POST', PROJECTS, { name: 'BERLIN', clientReference: 'C-1', ...PERIOD }],
    ['get', 'GET', `${PROJECTS}/{berlin}`],
    ['not changed', 'GET', `${PROJECTS}/{berlin}`, undefined, { 'If-None-Match': '*' }],
    ['list', 'GET', PROJECTS],
    ['first page', 'GET', `${PROJECTS}?page_size=1`],
    ['second page', 'GET', `${PROJECTS}?page=2&page_size=1`],
    ['page past the end', 'GET', `${PROJECTS}?page=9`],
    ['search', 'GET', `${PROJECTS}?search=c-`],
    ['filter', 'GET', `${PROJECTS}?status=active`],
    ['change', 'PATCH', `${PROJECTS}/{berlin}`, { status: 'archived' }],
    ['no change', 'PATCH', `${PROJECTS}/{berlin}`, { status: 'archived' }],
    ['taken', 'PATCH', `${PROJECTS}/{hamburg}`, { name: 'berlin', clientReference: 'C-1' }],
    ['any version', 'PATCH', `${PROJECTS}/{berlin}`, { name: 'Berlin 2' }, { 'If-Match': '*' }],
    ['old version', 'PATCH', `${PROJECTS}/{berlin}`, { name: 'Berlin 3' }, { 'If-Match': '"old"' }],
    ['missing', 'GET', `${PROJECTS}/${MISSING}`],
    ['change of what is missing', 'PATCH', `${PROJECTS}/${MISSING}`, { name: 'x' }],
  ],
  'invalid bodies are refused': [
    ['nothing', 'POST', PROJECTS, {}],
    ['unknown field', 'POST', PROJECTS, { name: 'x', ...PERIOD, colour: 'red' }],
    ['wrong types', 'POST', PROJECTS, { name: 1, periodStart: null, periodEnd: true, status: 2, metadata: [] }],
    ['wrong values', 'POST', PROJECTS, { name: '', periodStart: '2026-02-30', periodEnd: '31.12.2026', status: 'gone' }],
    ['too long', 'POST', PROJECTS, { name: 'x'.repeat(201), clientReference: 'y'.repeat(201), ...PERIOD }],
    ['NUL', 'POST', PROJECTS, { name: 'a\u0000b', ...PERIOD }],
    ['end before start', 'POST', PROJECTS, { name: 'x', periodStart: '2026-12-31', periodEnd: '2026-01-01' }],
    ['no such project', 'POST', CATEGORIES, { code: 'A', name: 'x', projectId: MISSING }],
    ['no UUID', 'POST', CATEGORIES, { code: 'A', name: 'x', projectId: 'no-id' }],
    ['a list', 'POST', PROJECTS, []],
    ['no JSON', 'POST', PROJECTS, '{"name":'],
    ['form', 'POST', PROJECTS, 'name=x', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['form with a file', 'POST', PROJECTS, '--x--', { 'Content-Type': 'multipart/form-data; boundary=x' }],
    ['events', 'POST', WEBHOOKS, { ...endpoint, subscribedEvents: [] }],
    ['unknown event', 'POST', WEBHOOKS, { ...endpoint, subscribedEvents: ['claim_project.created', 'no_such.event'] }],
    ['the same event twice', 'POST', WEBHOOKS, { ...endpoint, subscribedEvents: ['user.invited', 'user.invited'] }],
    ['rate', 'POST', WEBHOOKS, { ...endpoint, rateLimit: 0, ordered: 'yes' }],
    ['live endpoint', 'POST', WEBHOOKS, { ...endpoint, environment: 'live' }],
  ],
  'rules, filters and options are checked': [
    ['category', 'POST', CATEGORIES, { code: 'A', name: 'x', ...rules({ field: 'amount', op: 'between', value: ['1', '2.50'] }) }],
    ['own keys', 'POST', CATEGORIES, { code: 'B', name: 'x', sourceMapping: { account: '4660', owner: 'me' } }],
    ['same code', 'POST', CATEGORIES, { code: 'a', name: 'y' }],
    ['unknown field of a line', 'POST', CATEGORIES, { code: 'C', name: 'x', ...rules({ field: 'payee', op: 'is', value: 'x' }) }],
    ['unknown op', 'POST', CATEGORIES, { code: 'C', name: 'x', ...rules({ field: 'amount', op: 'contains', value: '1' }) }],
    ['no list', 'POST', CATEGORIES, { code: 'C', name: 'x', ...rules({ field: 'currency', op: 'oneOf', value: 'EUR' }) }],
    ['share', 'POST', CATEGORIES, { code: 'C', name: 'x', sourceMapping: { rules: [{ claimablePercent: 101, all: [] }] } }],
    ['no rules', 'POST', CATEGORIES, { code: 'C', name: 'x', sourceMapping: { rules: 'all' } }],
    ['configuration', 'POST', CONFIGURATIONS, { name: 'x', ...PERIOD, outputOptions: { formats: ['json'] } }],
    ['format', 'POST', CONFIGURATIONS, { name: 'x', ...PERIOD, outputOptions: { formats: ['docx'] } }],
    ['empty filter', 'POST', CONFIGURATIONS, { name: 'x', ...PERIOD, categoryFilter: { include: [] } }],
  ],
  'queries and paths are checked': [
    ['page', 'GET', `${PROJECTS}?page=0&page_size=201`],
    ['no number', 'GET', `${PROJECTS}?page=x`],
    ['unknown parameter', 'GET', `${PROJECTS}?pagesize=2`],
    ['repeated', 'GET', `${PROJECTS}?status=draft&status=active`],
    ['status', 'GET', `${PROJECTS}?status=gone`],
    ['no UUID', 'GET', `${PROJECTS}/no-id`],
    ['no UUID to filter by', 'GET', `${CATEGORIES}?project_id=x`],
    ['no path', 'GET', '/v1/nothing'],
    ['no method', 'DELETE', PROJECTS],
  ],
  'a key is carried out once': [
    ['first', 'POST', PROJECTS, { name: 'Once', ...PERIOD }, { 'Idempotency-Key': 'a' }],
    ['replayed', 'POST', PROJECTS, { ...PERIOD, name: 'Once' }, { 'Idempotency-Key': 'a' }],
    ['another body', 'POST', PROJECTS, { name: 'Twice', ...PERIOD }, { 'Idempotency-Key': 'a' }],
    ['another operation', 'POST', CATEGORIES, { code: 'A', name: 'x' }, { 'Idempotency-Key': 'a' }],
    ['refused', 'POST', PROJECTS, { name: 'ONCE', ...PERIOD }, { 'Idempotency-Key': 'b' }],
    ['a refusal is not remembered', 'POST', PROJECTS, { name: 'Other', ...PERIOD }, { 'Idempotency-Key': 'b' }],
    ['no key', 'POST', PROJECTS, { name: 'x', ...PERIOD }, { 'Idempotency-Key': '' }],
    ['invalid key', 'POST', PROJECTS, { name: 'x', ...PERIOD }, { 'Idempotency-Key': 'x'.repeat(256) }],
    ['change', 'PATCH', `${PROJECTS}/{first}`, { status: 'active' }, { 'Idempotency-Key': 'c' }],
    ['change replayed', 'PATCH', `${PROJECTS}/{first}`, { status: 'active' }, { 'Idempotency-Key': 'c' }],
    ['list', 'GET', PROJECTS],
  ],
  'credentials are asked for': [
    ['none', 'GET', PROJECTS, undefined, { 'X-API-Key': '' }],
    ['wrong', 'GET', PROJECTS, undefined, { 'X-API-Key': 'pk_test_wrong' }],
    ['none, with an invalid body', 'POST', PROJECTS, {}, { 'X-API-Key': '' }],
  ],
  'runs are queued': [
    ['project', 'POST', PROJECTS, { name: 'P', ...PERIOD }],
    ['run', 'POST', REPORTS, { projectId: '{project}' }],
    ['no such configuration', 'POST', REPORTS, { reportConfigurationId: MISSING }],
    ['of the project', 'GET', `${REPORTS}?project_id={project}`],
    ['of another', 'GET', `${REPORTS}?project_id=${MISSING}`],
    ['no file', 'GET', `${REPORTS}?status=succeeded`],
  ],
  'things are provoked, and all is deleted': [
    ['configuration', 'POST', CONFIGURATIONS, { name: 'x', ...PERIOD }],
    ['outcome', 'POST', OUTCOMES, { reportConfigurationId: '{configuration}', outcome: 'failed' }],
    ['cancelled', 'POST', OUTCOMES, { reportConfigurationId: '{configuration}', outcome: 'cancelled', takesSeconds: 1 }],
    [
      'code of a success',
      'POST',
      OUTCOMES,
      { reportConfigurationId: '{configuration}', outcome: 'cancelled', failureCode: 'file_too_large' },
    ],
    ['of nothing', 'POST', OUTCOMES, { reportConfigurationId: MISSING, outcome: 'failed' }],
    ['answers', 'POST', '/v1/test/answers', { problem: 'rate_limited' }],
    ['not of these', 'POST', '/v1/test/answers', { problem: 'not_found', calls: 1 }],
    ['planned', 'GET', PROJECTS],
    ['as always', 'GET', PROJECTS],
    ['event', 'POST', '/v1/test/events', { kind: 'user.invited' }],
    ['no such event', 'POST', '/v1/test/events', { kind: 'user.seen' }],
    ['endpoint', 'POST', WEBHOOKS, endpoint],
    ['reset', 'POST', '/v1/test/reset', { reason: 'Nightly' }, { 'Idempotency-Key': 'reset' }],
    ['gone', 'GET', `${CONFIGURATIONS}/{configuration}`],
    ['endpoint is there', 'GET', `${WEBHOOKS}/{endpoint}`],
    ['new', 'POST', PROJECTS, { name: 'New', ...PERIOD }],
    ['repeated', 'POST', '/v1/test/reset', { reason: 'Nightly' }, { 'Idempotency-Key': 'reset' }],
    ['still there', 'GET', `${PROJECTS}/{new}`],
  ],
  'endpoints are managed': [
    ['endpoint', 'POST', WEBHOOKS, { ...endpoint, headers: { Authorization: 'Bearer x' } }],
    ['get', 'GET', `${WEBHOOKS}/{endpoint}`],
    ['list', 'GET', WEBHOOKS],
    ['disable', 'PATCH', `${WEBHOOKS}/{endpoint}`, { status: 'disabled' }],
    ['rename', 'PATCH', `${WEBHOOKS}/{endpoint}`, { name: 'Other' }],
    ['rotate', 'PATCH', `${WEBHOOKS}/{endpoint}`, { rotateSecret: true }],
    ['old version', 'DELETE', `${WEBHOOKS}/{endpoint}`, undefined, { 'If-Match': '"old"' }],
    ['delete', 'DELETE', `${WEBHOOKS}/{endpoint}`],
    ['gone', 'GET', `${WEBHOOKS}/{endpoint}`],
    ['delete again', 'DELETE', `${WEBHOOKS}/{endpoint}`],
  ],
};

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ WEBHOOK_ALLOWED_NETWORKS: '0.0.0.0/0' });
});
afterAll(() => app.close());

/** What changes from one run to the next, or is for people, is told only by its kind. */
const OF_ITS_OWN = /^(?:id|.*At|.*Id|secret|secretHint|deleted)$/;
function shape(value: unknown, name = ''): unknown {
  if (value === null) return null;
  if (OF_ITS_OWN.test(name)) return typeof value;
  if (Array.isArray(value)) return value.map((one) => shape(one));
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shape(inner, key)]));
}

async function told(response: Response) {
  const text = await response.text();
  const body = text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>);
  const { status, headers } = response;
  const type = headers.get('content-type');
  if (status >= 400) {
    const { code, retry, errors, conflictingId } = body as {
      code: string;
      retry: string;
      errors: Record<string, string>[];
      conflictingId?: string;
    };
    const places = errors.map((one) => `${one.location} ${one.field} ${one.code}`).sort();
    return { status, type, code, retry, places, conflict: typeof conflictingId, members: Object.keys(body!).sort() };
  }
  const sent = ['etag', 'location', 'x-request-id', 'cache-control'].filter((name) => headers.has(name));
  return { status, type, sent, replayed: headers.get('idempotent-replayed'), body: shape(body) };
}

/** Sends the calls one after the other, and returns what each was answered. */
async function answers({ send, url, key }: Side, steps: readonly Step[]): Promise<Record<string, unknown>> {
  const [ids, found] = [new Map<string, string>(), {} as Record<string, unknown>];
  const filled = (text: string) => text.replace(/\{(\w+)\}/g, (all, name: string) => ids.get(name) ?? all);
  for (const [name, method, path, body, own] of steps) {
    const headers = new Headers({
      'X-API-Key': key,
      ...(method !== 'GET' && { 'Idempotency-Key': newId(), 'Content-Type': 'application/json' }),
    });
    for (const [header, value] of Object.entries(own ?? {}))
      if (value === '') headers.delete(header);
      else headers.set(header, value);
    if (body === undefined) headers.delete('Content-Type');
    const text = body === undefined ? undefined : filled(typeof body === 'string' ? body : JSON.stringify(body));
    const response = await send(url + filled(path), { method, headers, ...(text !== undefined && { body: text }) });
    const { id } = (await response
      .clone()
      .json()
      .catch(() => ({}))) as { id?: string };
    if (id) ids.set(name, id);
    found[name] = await told(response);
  }
  return found;
}

describe('the mock answers as the service does', () => {
  it.each(Object.entries(SCENARIOS))('%s', async (_what, steps) => {
    const mock = new MockClaims();
    const { key } = await aTenant(app);
    const played = await answers({ send: mock.fetch, url: 'https://api.claims.example', key: mock.apiKey }, steps);
    const real = await answers({ send: fetch, url: app.url, key }, steps);
    expect(played).toEqual(real);
    expect(mock.requests).toHaveLength(steps.length);
  });
});
