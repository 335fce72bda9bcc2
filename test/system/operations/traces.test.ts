import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { API_VERSION } from '../../../src/kernel/product.js';
import type { TestApp } from '../../support/app.js';
import { startCollector, type Collector } from '../../support/collector.js';
import { aVisitor } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { memoryLog } from '../../support/memory-log.js';
import { startProcess } from '../../support/process.js';
import { aProject, openHook, startDelivering, untilReceived, type Hook } from '../../support/webhooks.js';

const CALLER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`;
const NAME = 'A name that no trace may have';
const PROJECT = { name: NAME, periodStart: '2026-01-01', periodEnd: '2026-12-31' };

type Value = Partial<Record<'stringValue' | 'intValue', string | number>>;
type Attribute = { readonly key: string; readonly value: Value };

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status?: { readonly code?: number };
  readonly attributes: readonly Attribute[];
}

/** As OTLP counts them. */
const [INTERNAL, SERVER, CLIENT] = [1, 2, 3];
const CREATE = 'POST /v1/claim-projects';
const LIST = 'GET /v1/claim-projects';
const GET = 'GET /v1/claim-projects/:project_id';

const factsOf = (attributes: readonly Attribute[]): Record<string, string | number> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, (value.stringValue ?? value.intValue)!]));

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

const until = (name: string): Promise<Span> =>
  eventually(() => {
    const found = spans().find((span) => span.name === name);
    expect(found).toBeDefined();
    return found!;
  });

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
    expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining([CREATE, 'transaction', 'COMMIT', 'POST']));
    return found;
  });
  const named = (name: string): Span => known.find((span) => span.name === name)!;
  expect(named(CREATE).parentSpanId).toBe(CALLER.spanId);
  expect(named('transaction').parentSpanId).toBe(named(CREATE).spanId);
  expect(named('claim_projects.insert').parentSpanId).toBe(named('transaction').spanId);
  expect(named('POST').parentSpanId).toBe(named(CREATE).spanId);
  // The receiver goes on with it.
  const { traceId, spanId } = named('POST');
  expect(receiver.received[0]!.headers.traceparent).toBe(`00-${traceId}-${spanId}-01`);
});

it('spans have the attributes that the conventions of OpenTelemetry ask for', async () => {
  await createdIn(traced);
  await until('POST');
  const about = (name: string) => {
    const { kind, attributes } = spans().find((span) => span.name === name && span.traceId === CALLER.traceId)!;
    return { kind, facts: factsOf(attributes) };
  };
  expect(about(CREATE)).toEqual({
    kind: SERVER,
    facts: {
      'http.request.method': 'POST',
      'http.response.status_code': 201,
      'http.route': '/v1/claim-projects',
      'url.scheme': 'http',
      'claims.operation': 'claim_projects.create',
      'claims.request_id': expect.any(String) as string,
      'claims.organization_id': expect.any(String) as string,
    },
  });
  expect(about('transaction')).toEqual({ kind: INTERNAL, facts: {} });
  const statement = (name: string) => ({ kind: CLIENT, facts: { 'db.system.name': 'postgresql', 'db.query.summary': name } });
  for (const name of ['claim_projects.insert', 'COMMIT']) expect(about(name)).toEqual(statement(name));
  expect(about('POST')).toEqual({ kind: CLIENT, facts: { 'http.request.method': 'POST', 'http.response.status_code': 200 } });
});

it('a call of a tool is a step of its request, named as the conventions for the protocol ask', async () => {
  const { api } = await openHook(traced);
  const params = { name: 'list_claim_projects', arguments: {} };
  await api.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { accept: 'application/json, text/event-stream' });
  const tool = await until('tools/call list_claim_projects');
  expect(tool.kind).toBe(INTERNAL);
  expect(factsOf(tool.attributes)).toEqual({
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'list_claim_projects',
  });
  expect(tool.parentSpanId).toBe((await until('POST /mcp')).spanId);
});

it('no trace has a value: neither what callers send, nor a key', async () => {
  const { key } = await createdIn(traced);
  await eventually(() => expect(spans().map(({ name }) => name)).toContain('POST'));
  expect(collector.sent.join('')).not.toContain(NAME);
  expect(collector.sent.join('')).not.toContain(key);
});

it('a request that fails is marked, and says nothing of why: the message may quote what was sent', async () => {
  const { api } = await openHook(traced);
  await api.post('/v1/claim-projects', { ...PROJECT, periodEnd: NAME });
  const refused = await eventually(() => {
    const found = spans().find(({ name }) => name === CREATE);
    expect(found).toBeDefined();
    return found!;
  });
  // The caller's fault is no error of ours.
  expect(refused.status?.code ?? 0).toBe(0);
  expect(collector.sent.join('')).not.toContain(NAME);
});

it('reads have the statements that they send by their names, without values', async () => {
  const { api } = await openHook(traced);
  const { body } = await api.post('/v1/claim-projects', PROJECT);
  await api.get(`/v1/claim-projects/${(body as { id: string }).id}`);
  await api.get(`/v1/claim-projects?search=${encodeURIComponent(NAME)}`);
  await until(LIST);
  const stepsOf = (operation: string): string[] => {
    const request = spans().find(({ name, parentSpanId }) => name === operation && !parentSpanId)!;
    return spans().flatMap(({ parentSpanId, name }) => (parentSpanId === request.spanId ? [name] : []));
  };
  expect(stepsOf(GET)).toEqual(['claim_projects.get']);
  expect(stepsOf(LIST)).toEqual([expect.stringMatching(/^claim_projects\.page/)]);
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
  const { receiver, api } = await createdIn(traced);
  expect(receiver.received[0]!.headers.traceparent).toBeUndefined();
  // A fault of the caller is none of ours, also where the database finds it.
  const category = { code: 'TWICE', name: 'Twice', sourceMapping: { rules: [] } };
  const answers = [await api.post('/v1/expense-categories', category), await api.post('/v1/expense-categories', category)];
  expect(answers.map(({ status }) => status)).toEqual([201, 409]);
  expect(requests().at(-1)).not.toHaveProperty('traceId');
  // What is left would be sent at its end.
  collector.sent.length = 0;
  await traced.close();
  expect(spans()).toEqual([]);
  traced = await startTracing('0');
});

it('what fails is traced although it is not sampled, with the steps that went before, at their times', async () => {
  const { api } = await openHook(traced);
  const rename = (from: string, to: string) => rowsOf(traced.databaseUrl, `ALTER TABLE ${from} RENAME TO ${to}`);
  await rename('audit_entries', 'audit_entries_away');
  try {
    const answer = await api.post('/v1/claim-projects', PROJECT, { traceparent: TRACEPARENT });
    expect(answer.status).toBe(500);
  } finally {
    await rename('audit_entries_away', 'audit_entries');
  }
  const root = await until(CREATE);
  expect(root).toMatchObject({ traceId: CALLER.traceId, parentSpanId: CALLER.spanId, status: { code: 2 } });
  expect(factsOf(root.attributes)).toMatchObject({ 'error.type': '500', 'http.response.status_code': 500 });
  const transaction = await until('transaction');
  expect(transaction).toMatchObject({ parentSpanId: root.spanId, status: { code: 2 } });
  // No such table.
  expect(factsOf(transaction.attributes)).toEqual({ 'error.type': '42P01' });
  const steps = spans().filter(({ parentSpanId }) => parentSpanId === transaction.spanId);
  expect(steps.length).toBeGreaterThan(0);
  for (const { startTimeUnixNano, endTimeUnixNano } of [transaction, ...steps]) {
    expect(BigInt(startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(root.startTimeUnixNano));
    expect(BigInt(endTimeUnixNano)).toBeLessThanOrEqual(BigInt(root.endTimeUnixNano));
  }
  const lines = requests().filter(({ traceId }) => traceId === CALLER.traceId);
  expect(lines.at(-1)).toMatchObject({ operation: 'claim_projects.create', status: 500 });
  expect(collector.sent.join('')).not.toContain(NAME);
});

it('the delivery of a sampled request that began here is traced: the share was taken of it a second time', async () => {
  await traced.close();
  traced = await startTracing('0.5');
  const hook = await openHook(traced, { subscribedEvents: ['claim_project.created'] });
  // So many that some are sampled; half of these would have lost their delivery.
  for (let made = 1; made <= 24; made += 1) await aProject(hook.api);
  await untilReceived(hook.receiver, 24);
  const given = hook.receiver.received.flatMap(({ headers }) => headers.traceparent ?? []);
  expect(given.length).toBeGreaterThan(2);
  expect(given.length).toBeLessThan(24);
  await traced.close();
  const sent = spans().flatMap(({ name, traceId, spanId }) => (name === 'POST' ? [`00-${traceId}-${spanId}-01`] : []));
  expect([...given].sort()).toEqual(sent.sort());
  traced = await startTracing('0');
});

it('a name, attributes and headers of the environment are obeyed, as OpenTelemetry writes them', async () => {
  const own = await startCollector();
  const service = await startProcess({
    ROLE: 'api',
    DATABASE_URL: traced.databaseUrl,
    OTEL_EXPORTER_OTLP_ENDPOINT: own.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc,x-tenant=ours',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging,service.name=overruled',
    OTEL_SERVICE_NAME: 'claims-berlin',
    OTEL_TRACES_SAMPLER_ARG: '1',
  });
  await fetch(`${service.url}/v1/claim-projects`);
  const ofService = await eventually(() => {
    const all = own.sent.map((text) => JSON.parse(text) as { resourceSpans: { resource: { attributes: Attribute[] } }[] });
    const found = all.flatMap(({ resourceSpans }) => resourceSpans.map(({ resource }) => factsOf(resource.attributes)));
    expect(found).not.toEqual([]);
    return found.at(-1)!;
  });
  expect(ofService).toEqual({
    'deployment.environment.name': 'staging',
    'service.name': 'claims-berlin',
    'service.version': API_VERSION,
  });
  expect(own.headers).toMatchObject({ authorization: 'Bearer abc', 'x-tenant': 'ours' });
  await service.stop();
  own.close();
});

interface Point {
  readonly attributes: readonly Attribute[];
  readonly asDouble?: number;
  readonly count?: number;
  readonly bucketCounts?: readonly number[];
  readonly explicitBounds?: readonly number[];
}

interface SentMetric {
  readonly name: string;
  readonly sum?: { readonly isMonotonic: boolean; readonly aggregationTemporality: number; readonly dataPoints: Point[] };
  readonly gauge?: { readonly dataPoints: Point[] };
  readonly histogram?: { readonly dataPoints: Point[] };
}

interface Sending {
  readonly resourceMetrics: { readonly resource: { attributes: Attribute[] }; readonly scopeMetrics: { metrics: SentMetric[] }[] }[];
}

it('metrics go to the collector as well if they shall, with what Prometheus is told', async () => {
  const own = await startCollector();
  const service = await startProcess({
    ROLE: 'api',
    DATABASE_URL: traced.databaseUrl,
    OTEL_EXPORTER_OTLP_ENDPOINT: own.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc',
    OTEL_METRICS_EXPORTER: 'otlp',
    OTEL_METRIC_EXPORT_INTERVAL: '1000',
    OTEL_TRACES_SAMPLER_ARG: '0',
  });
  for (let call = 0; call < 3; call += 1) await fetch(`${service.url}/v1/claim-projects`);
  const [{ resource, scopeMetrics }] = await eventually(() => {
    const { resourceMetrics } = JSON.parse(own.metrics.at(-1)!) as Sending;
    const requests = resourceMetrics[0]!.scopeMetrics[0]!.metrics.find(({ name }) => name === 'claims_requests');
    expect(requests!.sum!.dataPoints.reduce((all, { asDouble }) => all + asDouble!, 0)).toBe(3);
    return resourceMetrics as [Sending['resourceMetrics'][number]];
  });
  expect(factsOf(resource.attributes)).toMatchObject({ 'service.name': 'claims-api', 'service.instance.id': expect.any(String) as string });
  expect(own.headers).toMatchObject({ authorization: 'Bearer abc' });
  const { metrics } = scopeMetrics[0]!;
  const known = await (await fetch(`${service.metrics}/metrics`)).text();
  // Every metric that Prometheus finds is there.
  const names = [...known.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!.replace(/_total$/, ''));
  expect(metrics.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  expect(metrics.find(({ name }) => name === 'claims_requests')!.sum).toMatchObject({ isMonotonic: true, aggregationTemporality: 2 });
  for (const { count, bucketCounts, explicitBounds } of metrics.flatMap(({ histogram }) => histogram?.dataPoints ?? [])) {
    expect(bucketCounts!.reduce((sum, inBucket) => sum + inBucket, 0)).toBe(count);
    expect(bucketCounts).toHaveLength(explicitBounds!.length + 1);
  }
  await service.stop();
  own.close();
});

it('metrics that shall be sent need a collector: the process does not start without one', async () => {
  const started = startProcess({ ROLE: 'api', DATABASE_URL: traced.databaseUrl, OTEL_METRICS_EXPORTER: 'otlp' });
  await expect(started).rejects.toThrow('OTEL_EXPORTER_OTLP_ENDPOINT must be set with OTEL_METRICS_EXPORTER');
});
