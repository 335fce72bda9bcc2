import { encode } from 'gpt-tokenizer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client as ToolClient } from '@modelcontextprotocol/client';
import type { TestApp } from '../support/app.js';
import { rowsOf } from '../support/database.js';
import { openReports, rule } from '../support/reports.js';
import { PATIENCE_MS, startWorking } from '../support/statements.js';
import { callTool, connectTools } from '../support/tools.js';

const MAX_TOKENS = 6000;
/** What people write at the most length: words, and letters that tokenizers have no words for. */
const LONGEST = `${'Ausgaben für die Niederlassung in Zürich '.repeat(4)}${'kqzxvjwy'.repeat(4)}`.slice(0, 195);

let app: TestApp;
let api: Awaited<ReturnType<typeof openReports>>['api'];
let tools: ToolClient;
let ids: Record<string, string>;

const categories = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    code: `C-${index}`,
    name: LONGEST,
    ...{ count: 12, gross: '1290.40', refunds: '40.40', net: '1250.00', claimable: '1250.00' },
    months: ['01', '02', '03', '04'].map((month) => ({
      month: `2026-${month}`,
      count: 4,
      gross: '430.13',
      net: '430.13',
      claimable: '430.13',
    })),
  }));

async function aLargeTenant() {
  const reports = await openReports(app);
  const { key, organizationId } = reports;
  ({ api } = reports);
  const project = await reports.project({ name: LONGEST, clientReference: LONGEST, metadata: { note: LONGEST.repeat(100) } });
  const large = { rules: Array.from({ length: 40 }, () => rule(LONGEST)), note: 'x'.repeat(10_000) };
  const category = await reports.category('LARGE', large.rules, { sourceMapping: large });
  const configuration = await reports.configuration({ outputOptions: { note: LONGEST.repeat(100) } });
  await reports.taken();
  const run = await reports.run();
  const result = { ...run.result, categories: categories(100) };
  expect(JSON.stringify(result).length).toBeGreaterThan(64 * 1024);
  await rowsOf(app.databaseUrl, 'UPDATE claim_reports SET result = $2, result_bytes = NULL WHERE id = $1', [
    run.id,
    JSON.stringify(result),
  ]);
  const small = JSON.stringify({ ...run.result, categories: categories(50) });
  for (let index = 0; index < 5; index += 1) {
    const { id } = await reports.queue();
    await reports.ended(id);
    await rowsOf(app.databaseUrl, 'UPDATE claim_reports SET result = $2 WHERE id = $1', [id, small]);
  }
  for (let index = 0; index < 100; index += 1) {
    const made = await api.post('/v1/claim-projects', {
      ...{ name: `${LONGEST}${index}`, clientReference: LONGEST, periodStart: '2026-01-01', periodEnd: '2026-12-31' },
      metadata: { note: LONGEST.repeat(3) },
    });
    expect(made.status, made.text).toBe(201);
  }
  const webhook = await api.post('/v1/webhooks', {
    ...{ name: LONGEST, description: LONGEST, targetUrl: 'https://hooks.example.com/claims', subscribedEvents: ['claim_project.created'] },
    signature: 'ed25519',
  });
  const [statement] = (await api.get('/v1/bank-statements')).body.data as { id: string }[];
  await rowsOf(
    app.databaseUrl,
    `INSERT INTO usage_credentials (organization_id, environment, credential_id, day, name, type, calls, refused)
       SELECT $1, 'test', gen_random_uuid(), current_date, $2, 'api_key', 5, 0 FROM generate_series(1, 300)`,
    [organizationId, LONGEST],
  );
  tools = await connectTools(app, { 'X-API-Key': key }, '?tools=claims');
  ids = {
    ...{ project_id: project.id, category_id: category.id, configuration_id: configuration.id, report_id: run.id },
    ...{ statement_id: statement!.id, webhook_id: webhook.body.id as string },
  };
}

beforeAll(async () => {
  app = await startWorking({
    RATE_LIMITS: JSON.stringify({
      starter: { perMinute: 1e6, burst: 1e6 },
      growth: { perMinute: 1e6, burst: 1e6 },
      enterprise: { perMinute: 1e6, burst: 1e6 },
    }),
  });
  await aLargeTenant();
}, PATIENCE_MS * 2);
afterAll(() => app.close());

const costOf = ({ text }: { text: string }): number => encode(text).length;

it('no tool that reads answers with more than 6,000 tokens unless it is asked for more, however large the records are', async () => {
  const costs: Record<string, number> = {};
  for (const { name, inputSchema, annotations } of (await tools.listTools()).tools) {
    if (annotations?.readOnlyHint !== true) continue;
    const inputs = Object.fromEntries((inputSchema.required ?? []).map((input) => [input, ids[input]]));
    const answer = await callTool(tools, name, inputs);
    expect(answer.isError, answer.text).toBe(false);
    costs[name] = costOf(answer);
  }
  console.log(`Answers: ${JSON.stringify(costs)}`);
  expect(Object.entries(costs).filter(([, cost]) => cost > MAX_TOKENS)).toEqual([]);
  expect(Object.keys(costs).length).toBeGreaterThan(14);
});

describe('a list that is too long', () => {
  it.each(['list_claim_projects', 'list_claim_reports', 'list_expense_categories'])(
    '%s: has the page that the API answers with, and its next pages have all others, each once',
    async (name) => {
      const path = `/v1/${name.slice('list_'.length).replaceAll('_', '-')}`;
      const all = (await api.get(`${path}?page_size=200`)).body.data as { id: string }[];
      const seen: string[] = [];
      let wanted: Record<string, unknown> = {};
      for (;;) {
        const { content, text } = await callTool(tools, name, wanted);
        const { data, pagination } = content as {
          data: { id: string }[];
          pagination: { page: number; pageSize: number; hasMore: boolean };
        };
        const ofApi = (await api.get(`${path}?page=${pagination.page}&page_size=${pagination.pageSize}`)).body;
        expect(pagination).toEqual(ofApi.pagination);
        expect(data.map(({ id }) => id)).toEqual((ofApi.data as { id: string }[]).map(({ id }) => id));
        seen.push(...data.map(({ id }) => id));
        if (!pagination.hasMore) break;
        const next = { page: pagination.page + 1, page_size: pagination.pageSize };
        if (Object.keys(wanted).length === 0 && data.length < 25)
          expect(text).toContain(`Next: page ${next.page} with page_size ${next.page_size}.`);
        wanted = next;
      }
      expect(seen).toEqual(all.map(({ id }) => id));
    },
  );

  it('the audit log goes on at the cursor after the last row that is shown, and has 25 rows unasked', async () => {
    const seen: unknown[] = [];
    const rows: number[] = [];
    for (let cursor = {}; ;) {
      const { content } = await callTool(tools, 'list_audit_events', { action_prefix: 'claim_project.', ...cursor });
      const { data, hasMore, nextCursor } = content as {
        data: { resource: { id: string } }[];
        hasMore: boolean;
        nextCursor: Record<string, string>;
      };
      rows.push(data.length);
      seen.push(...data.map(({ resource }) => resource.id));
      if (!hasMore) break;
      cursor = { cursor_created_at: nextCursor.cursorCreatedAt, cursor_id: nextCursor.cursorId };
    }
    const events = (await api.get('/v1/audit/events?action_prefix=claim_project.&limit=500')).body.data as { resource: { id: string } }[];
    expect(seen).toEqual(events.map(({ resource }) => resource.id));
    expect(Math.max(...rows)).toBeLessThanOrEqual(25);
  });
});

describe('a record that is too large', () => {
  it('a run is told by its numbers first, says what was cut, and gives the rest when its fields are named', async () => {
    const { report_id } = ids;
    const { body } = await api.get(`/v1/claim-reports/${report_id}`);
    const { totals, categories: all } = body.result as { totals: object; categories: object[] };
    const { content, text } = await callTool(tools, 'get_claim_report', { report_id });
    const { shortened, result } = content as { shortened: Record<string, string>; result: { totals: object; categories: object[] } };
    expect(result.totals).toEqual(totals);
    expect(Object.keys(result).indexOf('totals')).toBeLessThan(Object.keys(result).indexOf('categories'));
    expect(shortened['result.categories']).toBe(`${result.categories.length} of 100`);
    expect(result.categories).toEqual(all.slice(0, result.categories.length));
    expect(text).toMatch(/^Get a claim report run: succeeded, \S+\. Shortened: .*`fields`/);
    const picked = await callTool(tools, 'get_claim_report', { report_id, fields: ['result.categories', 'status', 'result.nothing'] });
    expect(picked.content).toEqual({ id: report_id, 'result.categories': all, status: 'succeeded', notThere: ['result.nothing'] });
  });

  it('what people wrote is cut, and not what it is', async () => {
    const { content } = await callTool(tools, 'get_claim_project', { project_id: ids.project_id });
    const { body } = await api.get(`/v1/claim-projects/${ids.project_id}`);
    const { metadata: _note, shortened, ...others } = content;
    expect(body).toMatchObject(others);
    expect(shortened).toEqual({ 'metadata.note': expect.stringMatching(/^\d+ of \d+ characters$/) as string });
    expect((await callTool(tools, 'get_claim_project', { project_id: ids.project_id, fields: ['metadata'] })).content).toEqual({
      id: ids.project_id,
      metadata: body.metadata,
    });
  });
});

it('a run names its files as links that the credential alone opens, and without their content', async () => {
  const { content, structuredContent } = await tools.callTool({ name: 'get_claim_report', arguments: { report_id: ids.report_id } });
  const { outputs } = (structuredContent as { result: { outputs: { format: string; bytes: number }[] } }).result;
  const links = (content as { type: string }[]).filter(({ type }) => type === 'resource_link');
  expect(outputs.length).toBeGreaterThan(0);
  expect(links).toEqual(
    outputs.map(({ format, bytes }) => ({
      ...{ type: 'resource_link', uri: `claims://reports/${ids.report_id}/${format}`, name: `report.${format}` },
      ...{ mimeType: 'application/json', size: bytes },
    })),
  );
});
