import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { TestApp } from '../../support/app.js';
import { startCollector, type Collector } from '../../support/collector.js';
import { aVisitor } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { memoryLog } from '../../support/memory-log.js';
import { openHook, startDelivering, untilReceived, type Hook } from '../../support/webhooks.js';

const CALLER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`;
const NAME = 'A name that no trace may have';
const PROJECT = { name: NAME, periodStart: '2026-01-01', periodEnd: '2026-12-31' };

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly status?: { readonly code?: number };
}

const { log, requests } = memoryLog();
let collector: Collector;
let traced: TestApp;
const startTracing = (share: string): Promise<TestApp> =>
  startDelivering({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: share }, log);

beforeAll(async () => {
  collector = await startCollector();
  traced = await startTracing('1');
});
afterAll(async () => {
  await traced.close();
  collector.close();
});
afterEach(() => void (collector.sent.length = 0));

function spans(): Span[] {
  type Export = { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
  const exports = collector.sent.map((text) => JSON.parse(text) as Export);
  return exports.flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
}

async function createdIn(app: TestApp): Promise<Hook> {
  const hook = await openHook(app, { subscribedEvents: ['claim_project.created'] });
  const answer = await hook.api.post('/v1/claim-projects', PROJECT, { traceparent: TRACEPARENT });
  expect(answer.status).toBe(201);
  await untilReceived(hook.receiver, 1);
  return hook;
}

it('a request, its transaction, its statements and the delivery of its event are one trace, which begins at the caller', async () => {
  const { receiver } = await createdIn(traced);
  const known = await eventually(() => {
    const found = spans().filter(({ traceId }) => traceId === CALLER.traceId);
    expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(['claim_projects.create', 'transaction', 'commit', 'delivery']));
    return found;
  });
  const named = (name: string): Span => known.find((span) => span.name === name)!;
  expect(named('claim_projects.create').parentSpanId).toBe(CALLER.spanId);
  expect(named('transaction').parentSpanId).toBe(named('claim_projects.create').spanId);
  expect(named('claim_projects.insert').parentSpanId).toBe(named('transaction').spanId);
  expect(named('delivery').parentSpanId).toBe(named('claim_projects.create').spanId);
  // The receiver goes on with it.
  const { traceId, spanId } = named('delivery');
  expect(receiver.received[0]!.headers.traceparent).toBe(`00-${traceId}-${spanId}-01`);
});

it('no trace has a value: neither what callers send, nor a key', async () => {
  const { key } = await createdIn(traced);
  await eventually(() => expect(spans().map(({ name }) => name)).toContain('delivery'));
  expect(collector.sent.join('')).not.toContain(NAME);
  expect(collector.sent.join('')).not.toContain(key);
});

it('a request that fails is marked, and says nothing of why: the message may quote what was sent', async () => {
  const { api } = await openHook(traced);
  await api.post('/v1/claim-projects', { ...PROJECT, periodEnd: NAME });
  const refused = await eventually(() => {
    const found = spans().find(({ name }) => name === 'claim_projects.create');
    expect(found).toBeDefined();
    return found!;
  });
  // The caller's fault is no error of ours.
  expect(refused.status?.code ?? 0).toBe(0);
  expect(collector.sent.join('')).not.toContain(NAME);
});

const until = (name: string): Promise<Span> =>
  eventually(() => {
    const found = spans().find((span) => span.name === name);
    expect(found).toBeDefined();
    return found!;
  });

it('reads have the statements that they send by their names, without values', async () => {
  const { api } = await openHook(traced);
  const { body } = await api.post('/v1/claim-projects', PROJECT);
  await api.get(`/v1/claim-projects/${(body as { id: string }).id}`);
  await api.get(`/v1/claim-projects?search=${encodeURIComponent(NAME)}`);
  await until('claim_projects.list');
  const stepsOf = (operation: string): string[] => {
    const request = spans().find(({ name, parentSpanId }) => name === operation && !parentSpanId)!;
    return spans().flatMap(({ parentSpanId, name }) => (parentSpanId === request.spanId ? [name] : []));
  };
  expect(stepsOf('claim_projects.get')).toEqual(['claim_projects.get']);
  expect(stepsOf('claim_projects.list')).toEqual([expect.stringMatching(/^claim_projects\.page/)]);
  expect(collector.sent.join('')).not.toContain(NAME);
});

it('what somebody does in the console is a trace with its transaction', async () => {
  const { browser } = await aVisitor(traced);
  await browser.fill('/console/test/projects/new', PROJECT);
  const insert = await until('claim_projects.insert');
  const names = spans().flatMap(({ traceId, name }) => (traceId === insert.traceId ? [name] : []));
  expect(names).toEqual(expect.arrayContaining(['transaction', 'POST /console/:environment/projects/new']));
});

it('the line of a request in the log has the id of its trace, and what the collector of docs/operating.md reads of it', async () => {
  await createdIn(traced);
  const line = requests().find(({ operation, traceId }) => operation === 'claim_projects.create' && traceId === CALLER.traceId);
  expect(line).toBeDefined();
  const [, collected] = /<!-- collector -->\n```yaml\n([^]*?)```/.exec(await readFile('docs/operating.md', 'utf8'))!;
  expect(parse(collected!)).toHaveProperty('receivers.filelog.operators');
  const read = [...collected!.matchAll(/attributes\.(\w+)/g)].map(([, name]) => name!);
  expect(Object.keys(line!)).toEqual(expect.arrayContaining(read));
});

it('what is not sampled is not traced, even if the caller traces it, and the delivery has no header', async () => {
  await traced.close();
  traced = await startTracing('0');
  const { receiver } = await createdIn(traced);
  expect(receiver.received[0]!.headers.traceparent).toBeUndefined();
  // What is left would be sent at its end.
  collector.sent.length = 0;
  await traced.close();
  expect(spans()).toEqual([]);
  traced = await startTracing('0');
});
