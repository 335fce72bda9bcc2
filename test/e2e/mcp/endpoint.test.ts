import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OrganizationService } from '../../../src/modules/organization/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import { aPartner, ask, bearer, tokensOf } from '../../support/oauth.js';
import { readAnswer, requestText, sendRaw } from '../../support/raw.js';
import { callTool, connectTools, namesOf } from '../../support/tools.js';

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
const ACCEPTED = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

/** Sends any headers, also those that HTTP clients set themselves. */
async function send(headers: Record<string, string>, body = LIST, method = 'POST', target = '/mcp') {
  const host = new URL(app.url).host;
  return readAnswer(await sendRaw(app.url, requestText(method, target, { Host: host, ...ACCEPTED, ...headers }, body)));
}

const challengeOf = (answer: { headers: ReadonlyMap<string, string> }) => answer.headers.get('www-authenticate') ?? '';

describe('a request without a credential', () => {
  it('gets a challenge that says where to get tokens', async () => {
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
  ])('or with an invalid one in %s gets the same challenge, with an error', async (name, value) => {
    const answer = await send({ [name]: value });
    expect(answer.status).toBe(401);
    expect(challengeOf(answer)).toMatch(/error="invalid_token", resource_metadata="/);
  });

  it.each([
    ['all tools', '/mcp', ['audit:read', 'claim_projects:write', 'webhooks:delete'], []],
    ['the tools that the address names', '/mcp?toolsets=usage,claim_projects', ['claim_projects:write', 'usage:read'], ['webhooks:read']],
    ['the tools that only read', '/mcp?readonly', ['claim_projects:read'], ['claim_projects:write', 'webhooks:delete']],
    ['all tools if the address names unknown ones', '/mcp?toolsets=nothing', ['audit:read'], []],
  ])('is told the scopes of %s', async (_which, path, included, excluded) => {
    const answer = await fetch(new URL(path, app.url), { method: 'POST', headers: ACCEPTED, body: LIST });
    const scopes = /scope="([^"]+)"/.exec(answer.headers.get('www-authenticate') ?? '')?.[1]?.split(' ') ?? [];
    expect(answer.status).toBe(401);
    expect(scopes).toEqual(expect.arrayContaining(included));
    expect(scopes.filter((scope) => excluded.includes(scope))).toEqual([]);
  });
});

describe('a request with two credentials', () => {
  it('is refused as it is by the API', async () => {
    const answer = await send({ 'X-API-Key': key, Authorization: `Bearer ${key}` });
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      400,
      expect.objectContaining({
        error: expect.objectContaining({
          message: 'Send either X-API-Key or Authorization: Bearer, not both.',
          data: { error: 'ambiguous_credentials' },
        }),
      }),
    ]);
  });
});

describe('an access token', () => {
  it('for the tool server is accepted', async () => {
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

  it('of a user for the tool server is accepted', async () => {
    const { accessToken } = await tokensOf(app, await aPartner(app), { resource: `${app.url}/mcp` });
    expect(await namesOf(await connectTools(app, { Authorization: `Bearer ${accessToken}` }))).toEqual([
      'list_claim_projects',
      'get_claim_project',
    ]);
  });

  it('for the API, which is the default, is accepted as well', async () => {
    const partner = await aPartner(app);
    const { body } = await ask(app, partner, { grant_type: 'client_credentials', scope: 'claim_projects:read' });
    expect((await bearer(app, body.access_token!)).status).toBe(200);
    const tools = await connectTools(app, { Authorization: `Bearer ${body.access_token}` });
    expect(await namesOf(tools)).toEqual(['list_claim_projects', 'get_claim_project']);
  });
});

describe('a web page', () => {
  it.each([
    ['Host', 'evil.example'],
    ['Host', 'evil.example:80'],
  ])('that reached this service by the name of another is refused with %s: %s', async (name, value) => {
    expect((await send({ 'X-API-Key': key, [name]: value })).status).toBe(403);
  });

  it.each(['(this service)', 'https://partner.example', 'null'])('of the origin %s may call with its own credential', async (origin) => {
    const answer = await fetch(new URL('/mcp', app.url), {
      method: 'POST',
      headers: { ...ACCEPTED, 'X-API-Key': key, Origin: origin === '(this service)' ? app.url : origin },
      body: LIST,
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(await answer.text()).toContain('list_claim_projects');
  });
});

describe('a request without a call', () => {
  it.each(['GET', 'DELETE'])('of method %s gets 405, since there are no sessions', async (method) => {
    expect((await send({ 'X-API-Key': key }, '', method)).status).toBe(405);
  });

  it.each([
    ['broken', '{'],
    ['not JSON-RPC', '{"hello":"world"}'],
    ['empty', ''],
    ['a number', '7'],
    ['huge', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { text: 'x'.repeat(3 * 1024 * 1024) } })],
  ])('whose body is %s is refused without internal details', async (_case, text) => {
    const answer = await send({ 'X-API-Key': key }, text);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.body).not.toMatch(/node_modules|\.ts:|\.js:/);
  });

  it('whose body has another media type is refused', async () => {
    expect((await send({ 'X-API-Key': key, 'Content-Type': 'text/plain' })).status).toBe(415);
  });
});

describe('a request whose address the SDK cannot read', () => {
  it.each([
    ['Host names a port that does not exist', { Host: 'localhost:99999' }, '/mcp'],
    ['the request line has the whole URL', {}, 'http://localhost/mcp'],
  ])('is answered like any other: %s', async (_case, headers, target) => {
    const sent = { 'X-API-Key': key, ...headers };
    for (const method of ['GET', 'DELETE']) expect((await send(sent, '', method, target)).status).toBe(405);
    expect((await send(sent, '{"hello":"world"}', 'POST', target)).status).toBe(400);
  });
});

describe('an organization', () => {
  it('that is suspended can do nothing, and the answer says why', async () => {
    const tenant = await aTenant(app);
    const tools = await connectTools(app, { 'X-API-Key': tenant.key });
    await app.app.get(OrganizationService).change(OPERATOR, tenant.organization.id, { status: 'suspended' });
    await eventually(() => expect(callTool(tools, 'list_claim_projects')).rejects.toThrow(/organization_suspended/));
    await expect(tools.listTools()).rejects.toMatchObject({
      status: 403,
      message: expect.stringMatching(/The organization .*is suspended/),
    });
  });

  it('over its rate limit gets 429, and the message says when to try again', async () => {
    const tenant = await aTenant(app, { plan: 'starter' });
    // The first of five messages is the one that connects.
    const tools = await connectTools(app, { 'X-API-Key': tenant.key });
    for (let count = 0; count < 4; count += 1) expect((await callTool(tools, 'get_organization')).isError).toBe(false);
    const message = expect.stringMatching(/Try again in \d+ s\..*rate_limited/) as string;
    await expect(callTool(tools, 'get_organization')).rejects.toMatchObject({ status: 429, message });
    await expect(tools.listTools()).rejects.toMatchObject({ status: 429, message });
  });
});
