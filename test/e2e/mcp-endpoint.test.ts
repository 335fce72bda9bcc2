import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OrganizationService } from '../../src/modules/organization/index.js';
import { OPERATOR } from '../../src/kernel/context.js';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { aPartner, ask, bearer, tokensOf } from '../support/oauth.js';
import { readAnswer, requestText, sendRaw } from '../support/raw.js';
import { callTool, connectTools, namesOf } from '../support/tools.js';

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await startApp({
    RATE_LIMITS: JSON.stringify({ starter: { perMinute: 2, burst: 5 }, enterprise: { perMinute: 1e6, burst: 1e6 } }),
  });
  ({ key } = await aTenant(app));
});
afterAll(() => app.close());

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
const TAKEN = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

/** A request whose headers are all its own, also those that an HTTP client would not let it choose. */
async function send(headers: Record<string, string>, body = LIST, method = 'POST') {
  const host = new URL(app.url).host;
  return readAnswer(await sendRaw(app.url, requestText(method, '/mcp', { Host: host, ...TAKEN, ...headers }, body)));
}

const challengeOf = (answer: { headers: ReadonlyMap<string, string> }) => answer.headers.get('www-authenticate') ?? '';

describe('without a credential', () => {
  it('is told where tokens come from', async () => {
    const answer = await send({});
    expect(answer.status).toBe(401);
    expect(challengeOf(answer)).toMatch(/^Bearer /);
    expect(challengeOf(answer)).not.toContain('error=');
    const [, metadata] = /resource_metadata="([^"]+)"/.exec(challengeOf(answer))!;
    expect(await (await fetch(metadata!)).json()).toMatchObject({ resource: `${app.url}/mcp`, authorization_servers: [app.url] });
  });

  it.each([
    ['X-API-Key', 'pk_test_nothing'],
    ['Authorization', 'Bearer nothing'],
  ])('that is valid: is told the same, and that what it sent as %s is not', async (name, value) => {
    const answer = await send({ [name]: value });
    expect(answer.status).toBe(401);
    expect(challengeOf(answer)).toMatch(/error="invalid_token", resource_metadata="/);
  });
});

describe('with two credentials', () => {
  it('is refused, as the API refuses it', async () => {
    const answer = await send({ 'X-API-Key': key, Authorization: `Bearer ${key}` });
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      400,
      expect.objectContaining({
        error: expect.objectContaining({ message: 'Two credentials were sent', data: { error: 'ambiguous_credentials' } }),
      }),
    ]);
  });
});

describe('an access token', () => {
  it('for the tool server is taken', async () => {
    const partner = await aPartner(app);
    const { body } = await ask(app, partner, {
      grant_type: 'client_credentials',
      resource: `${app.url}/mcp`,
      scope: 'claim_projects:read',
    });
    const tools = await connectTools(app, { Authorization: `Bearer ${body.access_token}` });
    expect(await namesOf(tools)).toEqual(['list_claim_projects', 'get_claim_project']);
    expect((await callTool(tools, 'list_claim_projects')).isError).toBe(false);
  });

  it('of a user for the tool server is taken', async () => {
    const { accessToken } = await tokensOf(app, await aPartner(app), { resource: `${app.url}/mcp` });
    expect(await namesOf(await connectTools(app, { Authorization: `Bearer ${accessToken}` }))).toEqual([
      'list_claim_projects',
      'get_claim_project',
    ]);
  });

  it('for the API is refused here', async () => {
    const partner = await aPartner(app);
    const { body } = await ask(app, partner, { grant_type: 'client_credentials' });
    expect((await bearer(app, body.access_token!)).status).toBe(200);
    const answer = await send({ Authorization: `Bearer ${body.access_token}` });
    expect(answer.status).toBe(401);
    expect(challengeOf(answer)).toContain('error="invalid_token"');
  });
});

describe('a page of somebody else’s in a browser', () => {
  it.each([
    ['Host', 'evil.example'],
    ['Host', 'evil.example:80'],
    ['Origin', 'https://evil.example'],
    ['Origin', 'null'],
    ['Origin', ''],
  ])('does not get through, with %s: %s', async (name, value) => {
    expect((await send({ 'X-API-Key': key, [name]: value })).status).toBe(403);
  });

  it('is told from a page of ours', async () => {
    const answer = await fetch(new URL('/mcp', app.url), {
      method: 'POST',
      headers: { ...TAKEN, 'X-API-Key': key, Origin: app.url },
      body: LIST,
    });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('list_claim_projects');
  });
});

describe('what is no call', () => {
  it.each(['GET', 'DELETE'])('%s is not allowed: there are no sessions', async (method) => {
    expect((await send({ 'X-API-Key': key }, '', method)).status).toBe(405);
  });

  it.each([
    ['broken', '{'],
    ['no JSON-RPC', '{"hello":"world"}'],
    ['empty', ''],
    ['a number', '7'],
    ['huge', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { text: 'x'.repeat(3 * 1024 * 1024) } })],
  ])('a body that is %s is refused, and nothing of ours is told', async (_case, text) => {
    const answer = await send({ 'X-API-Key': key }, text);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.body).not.toMatch(/node_modules|\.ts:|\.js:/);
  });

  it('a body of another type is refused', async () => {
    expect((await send({ 'X-API-Key': key, 'Content-Type': 'text/plain' })).status).toBe(415);
  });
});

describe('an organization', () => {
  it('that is suspended can do nothing, and is told so', async () => {
    const tenant = await aTenant(app);
    const tools = await connectTools(app, { 'X-API-Key': tenant.key });
    await app.app.get(OrganizationService).change(OPERATOR, tenant.organization.id, { status: 'suspended' });
    await eventually(async () =>
      expect(await callTool(tools, 'list_claim_projects')).toMatchObject({
        isError: true,
        content: { status: 403, code: 'organization_suspended' },
      }),
    );
    await expect(tools.listTools()).rejects.toThrow(/suspended/);
  });

  it('that has used up its limit is told so by the tool, and may come back later', async () => {
    const tenant = await aTenant(app, { plan: 'starter' });
    const tools = await connectTools(app, { 'X-API-Key': tenant.key });
    const answers = [];
    for (let count = 0; count < 6; count += 1) answers.push(await callTool(tools, 'get_organization'));
    expect(answers.map(({ isError }) => isError)).toEqual([false, false, false, false, false, true]);
    expect(answers.at(-1)!.content).toMatchObject({ status: 429, code: 'rate_limited', retry: 'later' });
  });
});
