import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CALLS_AT_ONCE } from '../../../src/api/limits/calls-at-once.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client, type Answer } from '../../support/client.js';
import { rowsOf } from '../../support/database.js';
import { openSession } from '../../support/session.js';
import { aProject, webhookInput, WEBHOOKS } from '../../support/webhooks.js';

const POOL_SIZE = 8;
/** Without the two that look-ups share, and one for other organizations. */
const SHARE = POOL_SIZE - 3;
/** Of most calls: on a busy machine any single one may take longer. Without a share they took five seconds, and failed. */
const QUICK_MS = 1000;

let app: TestApp;
let greedy: Client;
let neighbour: Client;
beforeAll(async () => {
  app = await startApp({ DATABASE_POOL_SIZE: String(POOL_SIZE) });
  greedy = new Client(app.url, (await aTenant(app)).key);
  neighbour = new Client(app.url, (await aTenant(app)).key);
});
afterAll(() => app.close());

const isRefused = ({ status, body, headers }: Answer): boolean =>
  status === 429 && (body as { code: string }).code === 'rate_limited' && headers['retry-after'] === '1';

const WAITED = 'at once for each (organization|credential), and this request has waited for 5 seconds\\.$';
const LIMITED = new RegExp(`^(Calls|Calls whose bodies are still arriving|Transactions) are limited to \\d+ ${WAITED}`);

/** Where the lock is held for longer than a statement waits for it. */
const waitedForLock = ({ status, text, headers }: Answer): boolean =>
  status === 503 && text.includes('Another change of the same record is still running.') && headers['retry-after'] !== undefined;

async function read(path: string): Promise<void> {
  const { status, text } = await neighbour.get(path);
  expect(status, text).toBe(200);
}

/** Ordinary calls of the neighbour, one after the other, until the others have ended. All must succeed. Returns how long one takes. */
async function usualTimeUntil(others: Promise<unknown>): Promise<number> {
  let areOver = false;
  void others.finally(() => (areOver = true));
  const times: number[] = [];
  while (!areOver) {
    for (const call of [() => aProject(neighbour), () => read('/v1/claim-projects'), () => read('/v1/usage')]) {
      const start = performance.now();
      await call();
      times.push(performance.now() - start);
    }
  }
  return times.sort((a, b) => a - b)[times.length >> 1]!;
}

describe('400 webhook endpoints at once, whose host names DNS does not answer', () => {
  const { lookup } = dns;
  const ends: (() => void)[] = [];
  // A DNS server that is silent: a test cannot tell the system to ask one of its own.
  beforeAll(() => {
    const silent = (name: string, ...rest: unknown[]): unknown =>
      name.endsWith('.silent.test')
        ? new Promise((_resolve, reject) => ends.push(() => reject(new Error('ENOTFOUND'))))
        : (lookup as (...given: unknown[]) => unknown)(name, ...rest);
    Object.assign(dns, { lookup: silent });
    syncBuiltinESMExports();
  });
  afterAll(() => {
    Object.assign(dns, { lookup });
    syncBuiltinESMExports();
    ends.forEach((end) => end());
  });

  it('delay no call of another organization, and are created or refused with Retry-After', async () => {
    const answers = Promise.all(
      Array.from({ length: 400 }, (_none, number) =>
        greedy.post(WEBHOOKS, webhookInput({ targetUrl: `https://host-${number}.silent.test/` })),
      ),
    );
    expect(await usualTimeUntil(answers)).toBeLessThan(QUICK_MS);
    for (const answer of await answers) expect(answer.status === 201 || isRefused(answer), answer.text).toBe(true);
    expect((await answers).filter(isRefused).map(({ body }) => (body as { detail: string }).detail)).toContain(
      'Look-ups of host names are limited to 1 at once for each organization, and this request has waited for 5 seconds.',
    );
  });

  it('leave look-ups to another organization', async () => {
    // Without a look-up this name would be accepted.
    const created = await neighbour.post(WEBHOOKS, webhookInput({ targetUrl: 'https://localhost/' }));
    expect([created.status, created.body.code]).toEqual([400, 'target_not_allowed']);
  });
});

describe('100 changes at once of a record that is locked', () => {
  it('delay no call of another organization, and wait or are refused with Retry-After', async () => {
    const { id } = await aProject(greedy);
    const locker = await openSession(app.databaseUrl);
    try {
      await locker.query('BEGIN');
      const [owner] = await rowsOf<{ id: string }>(app.databaseUrl, 'SELECT organization_id AS id FROM claim_projects WHERE id = $1', [id]);
      await locker.query('SELECT 1 FROM claim_projects WHERE organization_id = $1 AND id = $2 FOR UPDATE', [owner!.id, id]);
      const answers = Array.from({ length: 100 }, (_none, number) => greedy.patch(`/v1/claim-projects/${id}`, { name: `Name ${number}` }));
      const isOver = new Promise<void>((resolve) => {
        let ended = 0;
        for (const answer of answers) void answer.then(() => (ended += 1) === answers.length - CALLS_AT_ONCE && resolve());
      });
      expect(await usualTimeUntil(isOver)).toBeLessThan(QUICK_MS);
      await locker.query('ROLLBACK');
      const all = await Promise.all(answers);
      // Those that have a connection wait for the lock; how many others still get one depends on when it is gone.
      const [refused, locked] = [all.filter(isRefused), all.filter(waitedForLock)];
      for (const answer of all) expect(answer.status === 200 || isRefused(answer) || waitedForLock(answer), answer.text).toBe(true);
      expect(refused.length).toBeGreaterThan(0);
      expect(refused.length).toBeLessThanOrEqual(all.length - SHARE);
      expect([...refused, ...locked].every(({ body }) => (body as { retry: string }).retry === 'same_key')).toBe(true);
      for (const { body } of refused) expect((body as { detail: string }).detail).toMatch(LIMITED);
    } finally {
      await locker.end();
    }
  });
});
