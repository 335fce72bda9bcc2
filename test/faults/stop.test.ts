import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import { NO_RATE_LIMITS, startApp, type TestApp } from '../support/app.js';
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
  'finishes a call in progress when it is told to stop, then exits with 0 (call held at %s)',
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
    // By now it accepts no new calls.
    await eventually(() => expect(api.get('/health/live')).rejects.toThrow());
    goOn!();
    expect((await begun).status).toBe(201);
    expect(await stopped).toMatchObject({ code: 0, stderr: '' });
    expect((await new Client(app.url, key).get(`/v1/claim-projects?search=${name}`)).body.data).toHaveLength(1);
    await proxy.tcp.close();
  },
);

it('stops at once even if callers keep idle connections open', async () => {
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

it('a connection that was opened in advance kept a process for 75 s: now it ends within seconds', async () => {
  const process = await startProcess({ DATABASE_URL: app.databaseUrl });
  const silent = connect(Number(new URL(process.url).port), '127.0.0.1');
  await once(silent, 'connect');
  const closed = once(silent.resume(), 'close');
  const start = performance.now();
  expect(await process.stop()).toMatchObject({ code: 0, stderr: '' });
  expect(performance.now() - start).toBeLessThan(15_000);
  await closed;
});

describe('a process that was told to stop', () => {
  it('answers every call of new and kept connections until DRAIN_DELAY has passed, while it is not ready, then ends with 0', async () => {
    const { key } = await aTenant(app);
    const service = await startProcess({ DATABASE_URL: app.databaseUrl, DRAIN_DELAY: '2s', ...NO_RATE_LIMITS });
    const kept = new Agent({ keepAlive: true, maxSockets: 8 });
    const fresh = new Agent({ keepAlive: false, maxSockets: 8 });
    const outcomes = { before: [] as string[], after: [] as string[] };
    let isStopping = false;
    let isOver = false;
    const caller = async (agent: Agent): Promise<void> => {
      while (!isOver) {
        const begun = isStopping ? outcomes.after : outcomes.before;
        const { status, connection } = await call(`${service.url}/v1`, agent, key);
        if (!isOver) begun.push(`${status}${begun === outcomes.after ? ` ${connection}` : ''}`);
      }
    };
    const callers = [...Array(6).keys()].map((index) => caller(index % 2 === 0 ? kept : fresh));
    await eventually(() => expect(outcomes.before.length).toBeGreaterThan(20));
    isStopping = true;
    const stopped = service.stop();
    // The signal arrives a moment after it was sent.
    await eventually(async () => expect((await call(`${service.url}/health/ready`, fresh)).status).toBe(503), 500);
    const begin = performance.now();
    while (performance.now() - begin < 1200) expect((await call(`${service.url}/health/ready`, fresh)).status).toBe(503);
    expect((await call(`${service.url}/health/live`, fresh)).status).toBe(200);
    isOver = true;
    await Promise.all(callers);
    expect(new Set(outcomes.before)).toEqual(new Set(['200']));
    expect(outcomes.after.length).toBeGreaterThan(50);
    expect(new Set(outcomes.after.slice(20))).toEqual(new Set(['200 close']));
    expect(new Set(outcomes.after.map((outcome) => outcome.slice(0, 3)))).toEqual(new Set(['200']));
    expect(await stopped).toMatchObject({ code: 0, stderr: '' });
    kept.destroy();
  });

  it('is a worker that answers the probes on HEALTH_PORT, and ends with 0', async () => {
    const worker = await startProcess({ DATABASE_URL: app.databaseUrl, ROLE: 'worker', HEALTH_PORT: '0' });
    const statusOf = async (path: string) => (await fetch(`${worker.probes}${path}`)).status;
    expect([await statusOf('/health/live'), await statusOf('/health/ready?x'), await statusOf('/v1')]).toEqual([200, 200, 404]);
    expect(await worker.stop()).toMatchObject({ code: 0, stderr: '' });
  });
});

/** One call; `refused` or `reset` and the like if there is no answer. */
function call(url: string, agent: Agent, key = ''): Promise<{ status: number | string; connection?: string }> {
  return new Promise((resolve) => {
    get(url, { agent, headers: { 'X-API-Key': key } }, (answer) => {
      answer.resume().on('end', () => resolve({ status: answer.statusCode!, connection: answer.headers.connection }));
    }).on('error', (error: NodeJS.ErrnoException) => resolve({ status: error.code ?? error.message }));
  });
}
