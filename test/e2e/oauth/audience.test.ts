import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aPartner, ask, bearer, tokensOf } from '../../support/oauth.js';
import { callTool, connectTools } from '../../support/tools.js';

let app: TestApp;
let partner: Awaited<ReturnType<typeof aPartner>>;
beforeAll(async () => {
  app = await startApp({ TRUSTED_PROXIES: '127.0.0.1' });
  partner = await aPartner(app);
});
afterAll(() => app.close());

const SCOPE = 'claim_projects:read claim_projects:write';

/** A token for a resource: of a user, of the application itself, or refreshed. */
const WAYS: readonly [string, (resource: Record<string, string>) => Promise<string>][] = [
  [
    'of an application',
    async (resource) => (await ask(app, partner, { grant_type: 'client_credentials', scope: SCOPE, ...resource })).body.access_token!,
  ],
  ['of a user', async (resource) => (await tokensOf(app, partner, { scope: SCOPE, ...resource })).accessToken],
  [
    'from a refresh',
    async (resource) => {
      const { refreshToken: refresh_token } = await tokensOf(app, partner, { scope: SCOPE, ...resource });
      return (await ask(app, partner, { grant_type: 'refresh_token', refresh_token })).body.access_token!;
    },
  ],
];

const aProject = () => ({ name: newId(), periodStart: '2026-01-01', periodEnd: '2026-12-31' });

function create(token: string): Promise<Response> {
  return fetch(new URL('/v1/claim-projects', app.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': newId() },
    body: JSON.stringify(aProject()),
  });
}

async function createByTool(token: string) {
  const tools = await connectTools(app, { Authorization: `Bearer ${token}` });
  const { name, periodStart: period_start, periodEnd: period_end } = aProject();
  return callTool(tools, 'create_claim_project', { name, period_start, period_end, confirm: true, idempotency_key: newId() });
}

describe.each(WAYS)('a token %s', (_whose, tokenFor) => {
  it('for the tool server calls tools that read and write, and nothing of the API', async () => {
    const token = await tokenFor({ resource: `${app.url}/mcp` });
    expect(await createByTool(token)).toMatchObject({ isError: false, content: { periodStart: '2026-01-01' } });
    for (const answer of [await bearer(app, token), await bearer(app, token, '/v1/auth/context'), await create(token)]) {
      const detail = `The token was issued for another resource: ${app.url}/mcp`;
      expect([answer.status, await answer.json()]).toEqual([401, expect.objectContaining({ code: 'credential_invalid', detail })]);
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
    }
  });

  it.each([
    ['no resource', () => ({})],
    ['the address of the service', () => ({ resource: app.url })],
    ['the address of the service with a slash', () => ({ resource: `${app.url}/` })],
  ])('for %s opens the API and the tools', async (_what, resource) => {
    const token = await tokenFor(resource());
    expect((await bearer(app, token)).status).toBe(200);
    expect((await create(token)).status).toBe(201);
    expect((await createByTool(token)).isError).toBe(false);
  });
});

it('a token for the tool server that is used on the API counts as a failed credential, so it can be limited', async () => {
  const { body } = await ask(app, partner, { grant_type: 'client_credentials', resource: `${app.url}/mcp` });
  const headers = { authorization: `Bearer ${body.access_token}`, 'x-forwarded-for': '198.51.100.8' };
  // At once, because one more is allowed each second.
  const answers = await Promise.all(Array.from({ length: 100 }, () => fetch(new URL('/v1', app.url), { headers })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
});
