import { afterAll, beforeAll, expect, it } from 'vitest';
import { aTenant } from '../../support/builders.js';
import { startDocumentedApp, type DocumentedApp } from '../../support/documented-app.js';
import { sendNewest } from '../../support/mcp-messages.js';

let app: DocumentedApp;
let key: string;
beforeAll(async () => {
  app = await startDocumentedApp();
  ({ key } = await aTenant(app));
});
afterAll(() => app.close());

it.each([
  ['server/discover', {}, 3_600_000, 'public'],
  ['prompts/list', {}, 3_600_000, 'public'],
  ['resources/templates/list', {}, 3_600_000, 'public'],
  ['tools/list', {}, 300_000, 'private'],
  ['resources/list', {}, 60_000, 'private'],
  ['resources/read', { uri: 'claims://guides/claim-reports' }, 3_600_000, 'public'],
])('says how long an answer to %s may be kept, and whether it is for this credential only', async (method, params, ttlMs, cacheScope) => {
  expect((await sendNewest(app, key)(method, params)).result).toMatchObject({ ttlMs, cacheScope });
});

it('says nothing of it to clients of older revisions', async () => {
  for (const [method, params] of [
    ['tools/list', {}],
    ['resources/read', { uri: 'claims://guides/claim-reports' }],
  ] as const) {
    const answer = await fetch(`${app.url}/mcp`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    expect(await answer.text()).not.toMatch(/ttlMs|cacheScope/);
  }
});
