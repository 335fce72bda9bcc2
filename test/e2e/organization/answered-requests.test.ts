import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEARCHED_MAX } from '../../../src/modules/request-history/api-request.entity.js';
import { newId } from '../../../src/kernel/ids.js';
import { PEOPLE, tokensOfPeople } from '../../support/acting-applications.js';
import { aKey, anOrganization, aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { aVisitor } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { startDocumentedApp, type DocumentedApp } from '../../support/documented-app.js';
import { eventually } from '../../support/eventually.js';
import { expectFieldErrors, expectProblem } from '../../support/problem.js';
import { callTool, connectTools } from '../../support/tools.js';
import { LOCAL_DOCUMENTS } from '../../support/shared-clients.js';

let app: DocumentedApp;
beforeAll(async () => {
  app = await startDocumentedApp(LOCAL_DOCUMENTS);
});
afterAll(() => app.close());

interface Request {
  readonly id: string;
  readonly operation: string;
  readonly status: number;
  readonly requestId: string;
  readonly answeredAt: string;
}
interface Page {
  readonly data: readonly Request[];
  readonly nextCursor: { readonly before: string } | null;
  readonly hasMore: boolean;
  readonly kept: string;
}

const PATH = '/v1/requests';

async function aCaller() {
  const organization = await anOrganization(app, { plan: 'enterprise' });
  const { key, id } = await aKey(app, organization.id, { name: 'Sync' });
  return { organization, id, key, api: new Client(app.url, key) };
}

const listOf = async (api: Client, query: Record<string, string> = {}): Promise<Page> => {
  const answer = await api.get(`${PATH}?${new URLSearchParams(query).toString()}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Page;
};

/** All pages, from the newest call to the oldest. `meanwhile` happens after each. */
async function pagesOf(api: Client, query: Record<string, string>, meanwhile?: () => Promise<unknown>): Promise<Page[]> {
  const pages = [await listOf(api, query)];
  for (let last = pages[0]!; last.hasMore; pages.push(last)) {
    await meanwhile?.();
    last = await listOf(api, { ...query, before: last.nextCursor!.before });
  }
  return pages;
}

/** Asks under a request id of its own, and waits until the call is in the list. */
async function asked(api: Client, path: string, requestId: string = newId()): Promise<Request> {
  await api.get(path, { 'X-Request-Id': requestId });
  return eventually(async () => {
    const { data } = await listOf(api, { request_id: requestId });
    expect(data).toHaveLength(1);
    return data[0]!;
  });
}

/** Calls as the service would have written them, a millisecond apart. */
async function writtenCalls({ id }: { readonly id: string }, count: number, operation: string, secondsAgo = 60) {
  await rowsOf(
    app.databaseUrl,
    `INSERT INTO api_requests (id, organization_id, environment, answered_at, operation, method, path, status, problem, duration_ms,
        request_id, credential_id, credential_name, ip_address)
      SELECT (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint - $4 * 1000 - number), 12, '0') || '70008000' ||
          lpad(to_hex(number), 12, '0'))::uuid, $1, 'test', now(), $3, 'GET', '/v1/written', 200, NULL, 1,
          'written', $5, 'Sync', '127.0.0.1'
        FROM generate_series(1, $2::int) AS number`,
    [id, count, operation, secondsAgo, newId()],
  );
}

it('a call is in the list with what came of it and the page of its problem, and without what was sent', async () => {
  const { api, id: credentialId } = await aCaller();
  const { id, answeredAt } = await asked(api, '/v1/claim-projects?search=secret-search&page=x', 'my-own-id');
  const { data, kept } = await listOf(api, { request_id: 'my-own-id' });
  expect(kept).toBe('all');
  expect(data).toEqual([
    {
      ...{ id, environment: 'test', answeredAt, createdAt: answeredAt, updatedAt: answeredAt },
      operation: 'claim_projects.list',
      method: 'GET',
      path: '/v1/claim-projects',
      status: 400,
      problem: 'validation_failed',
      problemUrl: `${app.settings.publicUrl}/problems/validation_failed`,
      durationMs: expect.any(Number),
      requestId: 'my-own-id',
      credentialId,
      credentialName: 'Sync',
      client: null,
      ipAddress: expect.stringMatching(/127\.0\.0\.1$/),
    },
  ]);
  expect((await api.get(`${PATH}/${id}`)).body).toEqual(data[0]);
  const { problem, problemUrl } = (await asked(api, '/v1/claim-projects')) as Request & { problem: null; problemUrl: null };
  expect([problem, problemUrl]).toEqual([null, null]);
  expectProblem(await api.get(`${PATH}/${newId()}`), 'not_found');
});

it('of a call by a tool, the list says what the client calls itself', async () => {
  const { api, key } = await aCaller();
  const tools = await connectTools(app, { 'X-API-Key': key });
  await callTool(tools, 'list_expense_categories');
  const [found] = await eventually(async () => {
    const { data } = await listOf(api, { operation: 'expense_categories.list' });
    expect(data).toHaveLength(1);
    return data;
  });
  expect(found).toMatchObject({ client: 'A client' });
});

describe('the list', () => {
  it('is filtered by outcome, operation, credential and time, and by all of them at once', async () => {
    const { api, organization, id } = await aCaller();
    const other = await aKey(app, organization.id);
    const failed = await asked(api, '/v1/claim-projects?page=x');
    const succeeded = await asked(api, '/v1/claim-projects');
    const { requestId } = await asked(new Client(app.url, other.key), '/v1/usage');
    // Reading the list is a call, too.
    const found = async (query: Record<string, string>): Promise<string[]> =>
      (await listOf(api, query)).data.filter(({ operation }) => operation !== 'requests.list').map((request) => request.requestId);
    const all = [requestId, succeeded.requestId, failed.requestId];
    expect(await found({})).toEqual(all);
    expect(await found({ failed: 'true' })).toEqual([failed.requestId]);
    expect(await found({ failed: 'false' })).toEqual([requestId, succeeded.requestId]);
    expect(await found({ operation: 'claim_projects.list' })).toEqual([succeeded.requestId, failed.requestId]);
    expect(await found({ operation: 'claim_projects.lis' })).toEqual([]);
    expect(await found({ credential_id: other.id })).toEqual([requestId]);
    expect(await found({ since: '2099-01-01T00:00:00Z' })).toEqual([]);
    for (const until of ['2020-01-01T00:00:00Z', '1900-01-01T00:00:00Z', '0001-01-01T00:00:00Z'])
      expect(await found({ until })).toEqual([]);
    expect(await found({ since: '0001-01-01T00:00:00Z', until: '9999-12-31T23:59:59Z' })).toEqual(all);
    const between = { since: '2020-01-01T00:00:00Z', until: '2099-01-01T00:00:00Z' };
    expect(await found(between)).toEqual(all);
    const exact = { request_id: failed.requestId, operation: 'claim_projects.list', credential_id: id, failed: 'true', ...between };
    expect(await found(exact)).toEqual([failed.requestId]);
    expect(await found({ ...exact, failed: 'false' })).toEqual([]);
    expectFieldErrors(await api.get(`${PATH}?before=x&limit=201`), 'query limit', 'query before');
  });

  it('goes on with older calls, without repeating or leaving out any, while others are made', async () => {
    const { api, organization } = await aCaller();
    await writtenCalls(organization, 130, 'usage.get');
    const halfAMinuteAgo = new Date(Date.now() - 30_000).toISOString();
    const queries: Record<string, string>[] = [{ operation: 'usage.get' }, { request_id: 'written' }, { until: halfAMinuteAgo }];
    for (const query of queries) {
      const pages = await pagesOf(api, { ...query, limit: '50' }, () => api.get('/v1/usage?x=1'));
      expect(pages.map(({ data }) => data.length)).toEqual([50, 50, 30]);
      const ids = pages.flatMap(({ data }) => data.map(({ id }) => id));
      expect(ids).toEqual([...new Set(ids)].sort().reverse());
    }
  });

  it('says that older calls may follow when a filter has looked at its most, and finds them with the cursor', async () => {
    const { api, organization } = await aCaller();
    await writtenCalls(organization, 1, 'usage.get', 600);
    await writtenCalls(organization, SEARCHED_MAX, 'claim_projects.list');
    const pages = await pagesOf(api, { operation: 'usage.get' });
    expect(pages.map(({ data }) => data.length)).toEqual([0, 1]);
    expect((await listOf(api, { operation: 'usage.get', request_id: 'written' })).data).toHaveLength(1);
  });
});

it('shows nothing of another organization or of the other environment', async () => {
  const [{ api, organization }, stranger] = [await aCaller(), await aTenant(app)];
  const { id, requestId } = await asked(api, '/v1/claim-projects');
  const live = new Client(app.url, (await aKey(app, organization.id, { environment: 'live' })).key);
  for (const other of [live, new Client(app.url, stranger.key)]) {
    expect((await listOf(other, { request_id: requestId })).data).toEqual([]);
    expect((await listOf(other)).data.filter(({ operation }) => operation !== 'requests.list')).toEqual([]);
    expect((await listOf(other, { before: id })).data).toEqual([]);
    expectProblem(await other.get(`${PATH}/${id}`), 'not_found');
  }
});

it('is for owners: applications that act for others are refused, and keys without the scope', async () => {
  const { organization, api } = await aCaller();
  const { id } = await asked(api, '/v1/usage');
  const bearer = await tokensOfPeople(app, organization);
  const anyone = new Client(app.url);
  for (const [role, way] of PEOPLE)
    for (const path of [PATH, `${PATH}/${id}`]) {
      const answer = await anyone.get(path, bearer(role, way));
      if (role === 'owner') expect(answer.status, answer.text).toBe(200);
      else expectProblem(answer, 'role_required');
    }
  const narrow = new Client(app.url, (await aKey(app, organization.id, { scopes: ['usage:read'] })).key);
  expectProblem(await narrow.get(PATH), 'scope_missing');
});

it('the page of every problem leads to a call in the console by its request id, in whichever environment it was made', async () => {
  const { browser, organization } = await aVisitor(app);
  for (const environment of ['test', 'live'] as const) {
    const api = new Client(app.url, (await aKey(app, organization.id, { environment })).key);
    const { problemUrl, id, requestId } = (await asked(api, '/v1/claim-projects?page=x')) as Request & { problemUrl: string };
    const { text } = await browser.visit(new URL(problemUrl).pathname);
    const [, action, name] = /<form [^>]*action="([^"]+)"[^>]*><input type="search" name="(\w+)" aria-label="Request id"/.exec(text)!;
    const found = await browser.visit(`${action}?${name}=${encodeURIComponent(requestId)}`);
    expect([found.status, found.url.pathname]).toEqual([200, `/console/${environment}/requests/${id}`]);
  }
});
