import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { aKey, anOrganization } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { startDocumentedApp, type DocumentedApp } from '../../support/documented-app.js';
import { callTool, connectTools } from '../../support/tools.js';

const REPEATS = 3;

let app: DocumentedApp;
beforeAll(async () => {
  app = await startDocumentedApp({ TOOL_REPEATS: String(REPEATS) });
});
afterAll(() => app.close());

const aProject = (name: string) => ({
  ...{ name, period_start: '2026-01-01', period_end: '2026-12-31' },
  ...{ confirm: true, idempotency_key: newId() },
});

async function aModel(limits: { dailyWrites?: number; dailyTokens?: number } = {}) {
  const { id } = await anOrganization(app);
  const { key } = await aKey(app, id, limits);
  return { key, organizationId: id, tools: await connectTools(app, { 'X-API-Key': key }) };
}

it('a connection writes as often as it may in a day, by tools; its reads, its programs and other keys go on', async () => {
  const { tools, key, organizationId } = await aModel({ dailyWrites: 2 });
  for (const name of ['One', 'Two']) expect((await callTool(tools, 'create_claim_project', aProject(name))).isError).toBe(false);
  const { isError, text, content } = await callTool(tools, 'create_claim_project', aProject('Three'));
  expect([isError, text, content]).toMatchObject([
    true,
    expect.stringContaining('This connection has used up its 2 writes by tools in 24 hours.') as string,
    { code: 'rate_limited', retryAfterSeconds: 43_200 },
  ]);
  expect((await callTool(tools, 'list_claim_projects')).content).toMatchObject({ pagination: { total: 2 } });
  const program = await new Client(app.url, key).post('/v1/claim-projects', {
    ...{ name: 'Three', periodStart: '2026-01-01', periodEnd: '2026-12-31' },
  });
  expect(program.status).toBe(201);
  const other = await connectTools(app, { 'X-API-Key': (await aKey(app, organizationId)).key });
  expect((await callTool(other, 'create_claim_project', aProject('Four'))).isError).toBe(false);
});

it('what is only shown takes nothing of the writes', async () => {
  const { tools } = await aModel({ dailyWrites: 1 });
  for (const name of ['One', 'Two'])
    expect((await callTool(tools, 'create_claim_project', { ...aProject(name), confirm: false })).content).toMatchObject({
      code: 'confirmation_needed',
    });
  expect((await callTool(tools, 'create_claim_project', aProject('Three'))).isError).toBe(false);
});

it('a connection reads as many tokens as it may in a day; tools are still listed', async () => {
  const { tools } = await aModel({ dailyTokens: 300 });
  const answers = [];
  for (let page = 1; page <= 12; page += 1) answers.push(await callTool(tools, 'get_organization', {}));
  const refused = answers.filter(({ content }) => (content as { code?: string }).code === 'rate_limited');
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(12);
  expect(answers.at(-1)!.text).toContain('has used up its 300 tokens of answers by tools in 24 hours');
  expect((await tools.listTools()).tools.length).toBeGreaterThan(20);
});

it('a model that makes the same call again and again is told so, and waits longer each time; another answer ends that', async () => {
  const { tools } = await aModel();
  const times: number[] = [];
  const texts: string[] = [];
  for (let call = 1; call <= REPEATS + 2; call += 1) {
    const began = performance.now();
    texts.push((await callTool(tools, 'list_claim_projects', {})).text);
    times.push(performance.now() - began);
  }
  const told = texts.map((text) => /^The last (\d+) answers to this call were the same\./.exec(text)?.[1]);
  expect(told).toEqual([...Array<undefined>(REPEATS).fill(undefined), '4', '5']);
  expect(times.at(-2)).toBeGreaterThan(490);
  expect(times.at(-1)).toBeGreaterThan(990);
  expect((await callTool(tools, 'list_claim_projects', { page_size: 5 })).text).toMatch(/^List claim projects/);
  await callTool(tools, 'create_claim_project', aProject('News'));
  expect((await callTool(tools, 'list_claim_projects', {})).text).toMatch(/^List claim projects: 1/);
});

it('a new idempotency key does not make a refused call another one', async () => {
  const { tools } = await aModel();
  const missing = newId();
  const call = () => callTool(tools, 'update_claim_project', { project_id: missing, name: 'X', confirm: true, idempotency_key: newId() });
  for (let time = 1; time <= REPEATS; time += 1) expect((await call()).text).toMatch(/^not_found/);
  expect((await call()).text).toMatch(/^The last 4 answers/);
});
