import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { sendNewest } from '../../support/mcp-messages.js';
import { startProcess, type TestProcess } from '../../support/process.js';

let app: TestApp;
let replicas: readonly TestProcess[];
beforeAll(async () => {
  app = await startApp();
  replicas = await Promise.all([1, 2].map(() => startProcess({ DATABASE_URL: app.databaseUrl })));
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()));
  await app.close();
});

it('two processes list the same, byte for byte, so that what clients keep is found again', async () => {
  const { key } = await aTenant(app, { plan: 'enterprise' });
  for (const method of ['server/discover', 'tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
    const query = '?tools=claims';
    const [one, other] = await Promise.all(
      replicas.map(async ({ url }) => JSON.stringify(await sendNewest({ url }, key, { query })(method))),
    );
    expect(one!.length, method).toBeGreaterThan(200);
    expect(other, method).toBe(one);
  }
});
