import { Agent, get } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { StatementProxy } from '../support/postgres-statements.js';
import { startProcess } from '../support/process.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

it.each(['FROM api_keys', 'COMMIT'])(
  'finishes the call it has begun when it is told to stop, then ends with 0 (held at %s)',
  async (heldAt) => {
    const { key } = await aTenant(app);
    const proxy = await StatementProxy.to(app.databaseUrl);
    const process = await startProcess({ DATABASE_URL: proxy.tcp.url });
    const api = new Client(process.url, key);
    let goOn: (() => void) | undefined;
    proxy.handle = (text, _link, pass) => {
      if (text.includes(heldAt) && !goOn) goOn = pass;
      else pass();
    };
    const name = newId();
    const begun = api.post('/v1/claim-projects', { name, periodStart: '2026-01-01', periodEnd: '2026-12-31' });
    await eventually(() => expect(goOn).toBeDefined());
    const stopped = process.stop();
    // It takes no new calls by now.
    await eventually(() => expect(api.get('/health/live')).rejects.toThrow());
    goOn!();
    expect((await begun).status).toBe(201);
    expect(await stopped).toMatchObject({ code: 0, stderr: '' });
    expect((await new Client(app.url, key).get(`/v1/claim-projects?search=${name}`)).body.data).toHaveLength(1);
    await proxy.tcp.close();
  },
);

it('stops at once while callers keep idle connections open', async () => {
  const process = await startProcess({ DATABASE_URL: app.databaseUrl });
  const agent = new Agent({ keepAlive: true });
  await new Promise((resolve, reject) =>
    get(`${process.url}/health/live`, { agent }, (answer) => answer.resume().on('end', resolve)).on('error', reject),
  );
  const start = performance.now();
  expect(await process.stop()).toMatchObject({ code: 0 });
  expect(performance.now() - start).toBeLessThan(3000);
  agent.destroy();
});
