import { Agent, get, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import { SETTINGS } from '../../src/kernel/settings/settings.js';
import { NO_RATE_LIMITS, startApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { createDatabase, rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { report } from '../support/figures.js';
import { freePorts } from '../support/free-port.js';
import { type LoadBalancer, startHaproxy, startNginx } from '../support/load-balancers.js';
import { startProcess, type TestProcess } from '../support/process.js';

const RESTARTS = Number(process.env.TEST_RESTARTS ?? 2);
const CALLS_PER_SECOND = Number(process.env.TEST_CALLS_PER_SECOND ?? 50);
const TIMEOUT_MS = 60_000 + RESTARTS * 60_000;
/** Every fifth call is a write. */
const WRITE_EVERY = 5;
/** Shorter than the balancers keep idle connections of callers. */
const KEPT_MS = 20_000;
/** That of production. */
const DRAIN_DELAY = `${SETTINGS.drainDelayMs.fallback}ms`;

let database: Awaited<ReturnType<typeof createDatabase>>;
let key: string;
beforeAll(async () => {
  database = await createDatabase();
  const app = await startApp({ DATABASE_URL: database.url });
  ({ key } = await aTenant(app));
  await app.close();
});
afterAll(() => database.drop());

const start = (port: number, drainDelay: string) =>
  startProcess({ DATABASE_URL: database.url, PORT: `${port}`, DRAIN_DELAY: drainDelay, TRUSTED_PROXIES: '127.0.0.1', ...NO_RATE_LIMITS });

describe('restarts of both processes under load fail no call', () => {
  it.each([
    ['behind HAProxy with its defaults, and the DRAIN_DELAY of production', startHaproxy, DRAIN_DELAY],
    ['behind NGINX with its defaults, which asks for no readiness', startNginx, '3s'],
    ['behind NGINX that keeps connections', (ports: number[]) => startNginx(ports, { upstream: ['keepalive 16'] }), '3s'],
  ])('%s', { timeout: TIMEOUT_MS }, async (how, startBalancer, drainDelay) => {
    const ports = await freePorts(2);
    const processes = await Promise.all(ports.map((port) => start(port, drainDelay)));
    const balancer = await startBalancer(ports);
    const load = new Load(balancer);
    for (let round = 0; round < RESTARTS; round += 1) {
      const index = round % ports.length;
      expect(await processes[index]!.stop()).toMatchObject({ code: 0, stderr: '' });
      processes[index] = await start(ports[index]!, drainDelay);
      await eventually(async () => expect(await callsTo(processes[index]!)).toBeGreaterThan(CALLS_PER_SECOND));
    }
    const counts = await load.end();
    await Promise.all([balancer.stop(), ...processes.map((process) => process.stop())]);
    const calls = Object.values(counts).reduce((sum, count) => sum + count);
    const made = await rowsOf(database.url, 'SELECT 1 FROM claim_projects WHERE name LIKE $1', [`${load.id}%`]);
    const answered = counts['201'] ?? 0;
    const failed = calls - (counts['200'] ?? 0) - answered;
    const fault = `${RESTARTS} restarts of two APIs ${how}, at ${CALLS_PER_SECOND} calls a second`;
    report({ fault, calls, failed, lost: Math.max(0, answered - made.length), doubled: Math.max(0, made.length - answered) });
    expect(Object.keys(counts).sort(), `${JSON.stringify(counts)}\n${balancer.output()}`).toEqual(['200', '201']);
    expect(made).toHaveLength(answered);
  });
});

/** Calls at a steady rate, each made once: what a balancer cannot have answered is a failure. */
class Load {
  readonly id = newId();
  private readonly agent = new Agent({ keepAlive: true, timeout: KEPT_MS });
  private readonly outcomes: Promise<string>[] = [];
  private readonly calling: NodeJS.Timeout;

  constructor(private readonly balancer: LoadBalancer) {
    this.calling = setInterval(() => {
      const { length } = this.outcomes;
      this.outcomes.push(length % WRITE_EVERY === 0 ? this.write(`${this.id} ${length}`) : this.call('?page_size=1'));
    }, 1000 / CALLS_PER_SECOND);
  }

  async end(): Promise<Record<string, number>> {
    clearInterval(this.calling);
    const outcomes = await Promise.all(this.outcomes);
    this.agent.destroy();
    return countsOf(outcomes);
  }

  private write(name: string): Promise<string> {
    return this.call('', JSON.stringify({ name, periodStart: '2026-01-01', periodEnd: '2026-12-31' }));
  }

  private call(query: string, body?: string): Promise<string> {
    const headers = { 'X-API-Key': key, ...(body && { 'Content-Type': 'application/json', 'Idempotency-Key': newId() }) };
    const options = { method: body ? 'POST' : 'GET', headers, agent: this.agent };
    return new Promise((resolve) => {
      request(`${this.balancer.url}/v1/claim-projects${query}`, options, (answer) => {
        answer.resume().on('end', () => resolve(String(answer.statusCode)));
      })
        .on('error', ({ message }) => resolve(message))
        .end(body);
    });
  }
}

function countsOf(outcomes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** How many calls a process has been sent. Probes are not among them. */
async function callsTo({ metrics }: TestProcess): Promise<number> {
  const lines = (await (await fetch(`${metrics}/metrics`)).text()).split('\n').filter((line) => line.startsWith('claims_requests_total{'));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

const STOPS = 3;
const CALLERS = 50;

it('callers without a balancer, who connect for each call: none is reset, though connections always wait in the queue', async () => {
  const outcomes: string[] = [];
  for (let stop = 0; stop < STOPS; stop += 1) {
    const [port] = await freePorts(1);
    const service = await start(port!, '500ms');
    let isRefused = false;
    const caller = async (): Promise<void> => {
      while (!isRefused) {
        const outcome = await callOnce(service.url);
        outcomes.push(outcome);
        isRefused ||= outcome === 'ECONNREFUSED';
      }
    };
    const callers = Array.from({ length: CALLERS }, caller);
    await eventually(() => expect(outcomes.length).toBeGreaterThan((stop + 1) * CALLERS));
    expect(await service.stop()).toMatchObject({ code: 0, stderr: '' });
    await Promise.all(callers);
  }
  expect(Object.keys(countsOf(outcomes)).sort(), JSON.stringify(countsOf(outcomes))).toEqual(['200', 'ECONNREFUSED']);
});

function callOnce(url: string): Promise<string> {
  return new Promise((resolve) => {
    get(`${url}/health/live`, { agent: false }, (answer) => answer.resume().on('end', () => resolve(String(answer.statusCode)))).on(
      'error',
      (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message),
    );
  });
}
