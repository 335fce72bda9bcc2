import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import { startApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { startProcess, type TestProcess } from '../support/process.js';
import { startPair, type Pair } from '../support/standby.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const PROJECTS = '/v1/claim-projects';
const PERIOD = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };
const WRITERS = 8;
/** From the moment when the standby accepts writes and the address leads to it. */
const WRITTEN_AGAIN_WITHIN_MS = 3000;

let pair: Pair;
let proxy: TcpProxy;
let service: TestProcess;
let key: string;
beforeAll(async () => {
  pair = await startPair();
  const app = await startApp({ DATABASE_URL: pair.primary });
  ({ key } = await aTenant(app));
  await app.close();
  proxy = await TcpProxy.to(pair.primary);
  service = await startProcess({ DATABASE_URL: proxy.url, DATABASE_POOL_SIZE: '8' });
});
afterAll(async () => {
  await service.stop();
  await proxy.close();
  await pair.stop();
});

/** Writers that repeat what was refused with the same Idempotency-Key, as the problem advises. */
class Writers {
  readonly acknowledged: { readonly name: string; readonly atMs: number }[] = [];
  readonly refusals: number[] = [];
  private isStopped = false;
  private readonly running: Promise<void>[];

  constructor(private readonly api: Client) {
    this.running = Array.from({ length: WRITERS }, () => this.write());
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.running);
  }

  private async write(): Promise<void> {
    while (!this.isStopped) {
      const name = newId();
      for (;;) {
        const { status } = await this.api.post(PROJECTS, { name, ...PERIOD }, { 'Idempotency-Key': name });
        if (status === 201) break;
        this.refusals.push(status);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      this.acknowledged.push({ name, atMs: performance.now() });
    }
  }
}

it('a primary that is lost under load loses no acknowledged write and doubles none; writes go on once the standby leads', async () => {
  const writers = new Writers(new Client(service.url, key));
  await eventually(() => expect(writers.acknowledged.length).toBeGreaterThan(100));
  await pair.killPrimary();
  await pair.promote();
  proxy.leadTo(pair.standby);
  const leads = performance.now();
  await eventually(() => expect(writers.acknowledged.at(-1)!.atMs).toBeGreaterThan(leads));
  const firstMs = writers.acknowledged.find(({ atMs }) => atMs > leads)!.atMs - leads;
  const before = writers.acknowledged.length;
  await eventually(() => expect(writers.acknowledged.length).toBeGreaterThan(before + 100));
  await writers.stop();
  const rows = await rowsOf<{ name: string }>(pair.standby, 'SELECT name FROM claim_projects ORDER BY name');
  expect(rows.map(({ name }) => name)).toEqual(writers.acknowledged.map(({ name }) => name).sort());
  const created = await rowsOf(pair.standby, "SELECT 1 FROM events WHERE kind = 'claim_project.created'");
  expect(created).toHaveLength(writers.acknowledged.length);
  expect(new Set(writers.refusals)).toEqual(new Set([503]));
  expect(firstMs).toBeLessThan(WRITTEN_AGAIN_WITHIN_MS);
  if (process.env.SHOW_FAILOVER)
    console.log(
      `${rows.length} writes; the first ${Math.round(firstMs)} ms after the standby led; ${writers.refusals.length} refused with 503`,
    );
});
