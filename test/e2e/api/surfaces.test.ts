import { afterAll, beforeAll, expect, it } from 'vitest';
import { METRICS } from '../../../src/kernel/metrics.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { startCollector, type Collector } from '../../support/collector.js';
import { createDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { memoryLog } from '../../support/memory-log.js';
import { samplesOf } from '../../support/metrics.js';
import { TcpProxy } from '../../support/tcp-proxy.js';

const memory = memoryLog();
let database: Awaited<ReturnType<typeof createDatabase>>;
let proxy: TcpProxy;
let collector: Collector;
let app: TestApp;
beforeAll(async () => {
  database = await createDatabase();
  proxy = await TcpProxy.to(database.url);
  collector = await startCollector();
  const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '1' };
  app = await startApp({ DATABASE_URL: proxy.url, ...tracing }, memory.log);
});
afterAll(async () => {
  await app.close();
  await proxy.close();
  await database.drop();
  collector.close();
});

/** How many answers have been counted, by their labels. */
async function counted(): Promise<Record<string, number>> {
  const samples = samplesOf(await METRICS.metrics()).filter(({ name }) => name === 'claims_requests_total');
  return Object.fromEntries(samples.map(({ labels, value }) => [`${labels.surface} ${labels.operation} ${labels.status}`, value]));
}

/** What a call has added. */
async function addedBy(call: () => Promise<unknown>): Promise<string[]> {
  const before = await counted();
  await call();
  return eventually(async () => {
    const added = Object.entries(await counted()).filter(([name, value]) => value > (before[name] ?? 0));
    expect(added).not.toEqual([]);
    return added.map(([name]) => name);
  });
}

it.each([
  ['/v1/organization', 'api organization.get 200'],
  ['/v1/claim-projects', 'api other 401'],
  ['/console/sign-in', 'sign_in other 200'],
  ['/.well-known/oauth-authorization-server', 'oauth other 200'],
  ['/oauth/authorize', 'oauth other 400'],
  ['/oauth/token', 'oauth other 401', 'POST'],
  ['/mcp', 'tools other 401'],
  ['/openapi.json', 'pages other 200'],
  ['/nothing/here', 'other other 404'],
])('%s is counted as %s', async (path, expected, method = 'GET') => {
  const { key } = await aTenant(app);
  const headers = expected.includes(' organization.get ') ? { Authorization: `Bearer ${key}` } : undefined;
  expect(await addedBy(() => fetch(`${app.url}${path}`, { method, headers, redirect: 'manual' }))).toEqual([expected]);
});

it('probes were errors with a stack in the log, traces, and requests: they are none of these', async () => {
  const before = await counted();
  expect((await fetch(`${app.url}/health/live`)).status).toBe(200);
  proxy.cut();
  try {
    await eventually(async () => expect((await fetch(`${app.url}/health/dependencies`)).status).toBe(503));
  } finally {
    proxy.restore();
  }
  await eventually(async () => expect((await fetch(`${app.url}/health/dependencies`)).status).toBe(200));
  const { key } = await aTenant(app);
  await new Client(app.url, key).get('/v1/organization');
  // The trace of the call after them has been sent, so theirs would have been.
  await eventually(() => expect(collector.sent.join('')).toContain('organization.get'));
  expect(collector.sent.join('')).not.toContain('/health');
  const lines = memory.lines().filter(({ level }) => (level as number) >= 50);
  expect(lines.filter(({ msg }) => msg === 'call failed')).toEqual([]);
  const after = await counted();
  const added = Object.keys(after).filter((name) => after[name]! > (before[name] ?? 0));
  expect(added).toEqual(['api organization.get 200']);
});
