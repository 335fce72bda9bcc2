import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditService, verifyChain } from '../../../src/modules/audit/index.js';
import { SealingService } from '../../../src/modules/audit/sealing.service.js';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { afterCursor, anEntry, auditPage, auditPages, rowsOfPages, wholeLog, type AuditRow } from '../../support/audit.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { rowsOfAllServers } from '../../support/citus.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { inSession } from '../../support/session.js';

const PROJECTS = '/v1/claim-projects';

// Two replicas, one of which also seals in the background. They have a database of their own, since other tests read entries
// before they are sealed.
let database: { url: string; drop: () => Promise<void> };
let replicas: [TestApp, TestApp];
let app: TestApp;
beforeAll(async () => {
  database = await createDatabase();
  replicas = [await startApp({ DATABASE_URL: database.url }), await startApp({ DATABASE_URL: database.url, ROLE: 'all' })];
  app = replicas[0];
});
afterAll(async () => {
  for (const replica of replicas) await replica.close();
  await database.drop();
});

/** An organization, and its client at each of the replicas. */
async function aLiveTenant() {
  const { organization, key } = await aTenant(app, { environment: 'live' });
  const [here, there] = replicas.map(({ url }) => new Client(url, key));
  return { organizationId: organization.id, here: here!, there: there! };
}

async function create(api: Client): Promise<string> {
  const { status, text, body } = await api.post(PROJECTS, { name: newId(), periodStart: '2026-01-01', periodEnd: '2026-12-31' });
  expect(status, text).toBe(201);
  return (body as { id: string }).id;
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const sequencesOf = (rows: readonly AuditRow[]): number[] => rows.map(({ sequence }) => sequence);
const idsOf = (rows: readonly AuditRow[]): string[] => rows.map(({ resource }) => resource.id);

/** The log is a valid chain that starts at 1, and its times rise. */
function expectWhole(rows: readonly AuditRow[], count: number): void {
  expect(sequencesOf(rows)).toEqual(upTo(count));
  expect(verifyChain(rows)).toMatchObject({ rows: count, fault: null });
  const times = rows.map(({ createdAt }) => createdAt);
  expect(times).toEqual([...times].sort());
}

/** Runs a function in a transaction on its own connection. */
async function inTransaction<T>(run: (client: pg.Client) => Promise<T>): Promise<T> {
  return inSession(database.url, async (client) => {
    await client.query('BEGIN');
    const result = await run(client);
    await client.query('COMMIT');
    return result;
  });
}

const FACTS =
  'organization_id, environment, occurred_at, actor_type, actor_id, actor_name, action, resource_type, resource_id, ' +
  'ip_address, request_id, changes';
/** Writes an entry like the newest event of the organization, for another resource. */
async function copyEntry(client: pg.Client, organizationId: string, resourceId: string): Promise<void> {
  const { rowCount } = await client.query(
    `INSERT INTO audit_entries (${FACTS})
    SELECT ${FACTS.replace('resource_id', '$2')} FROM audit_events WHERE organization_id = $1 ORDER BY sequence DESC LIMIT 1`,
    [organizationId, resourceId],
  );
  expect(rowCount).toBe(1);
}

describe('a reader while others write', () => {
  it('gets each event once and in order, from any replica', async () => {
    const { here, there } = await aLiveTenant();
    const WRITERS = 20;
    const EACH = 20;
    const written: string[] = [];
    const writing = Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let count = 0; count < EACH; count += 1) written.push(await create(writer % 2 === 0 ? here : there));
      }),
    );
    let isDone = false;
    void writing.then(
      () => (isDone = true),
      () => (isDone = true),
    );
    const read: AuditRow[] = [];
    let cursor: Parameters<typeof afterCursor>[0] = null;
    let turns = 0;
    for (; !isDone; turns += 1) {
      const page = await auditPage(turns % 2 === 0 ? here : there, { limit: [1, 3, 7, 50][turns % 4]!, ...afterCursor(cursor) });
      read.push(...page.data);
      cursor = page.nextCursor;
    }
    // The last events.
    read.push(...rowsOfPages(await auditPages(there, { limit: 50 }, cursor)));
    await writing;
    expectWhole(read, 2 + WRITERS * EACH);
    expect(idsOf(read).slice(2).sort()).toEqual(written.sort());
    expect(await wholeLog(there)).toEqual(read);
    expect(turns).toBeGreaterThan(8);
  });

  it('finds its own write in the next request while others write and seal', async () => {
    const { organizationId, here, there } = await aLiveTenant();
    let isDone = false;
    const sealing = replicas.map(async ({ app: replica }) => {
      while (!isDone) await replica.get(SealingService).sealOrganization(organizationId);
    });
    await Promise.all(
      upTo(8).map(async (writer) => {
        let cursor = (await auditPages(here)).at(-1)!.nextCursor;
        for (let count = 0; count < 10; count += 1) {
          const id = await create(writer % 2 === 0 ? here : there);
          const pages = await auditPages(writer % 3 === 0 ? here : there, { limit: 20 }, cursor);
          expect(idsOf(rowsOfPages(pages)).filter((found) => found === id)).toEqual([id]);
          cursor = pages.at(-1)!.nextCursor;
        }
      }),
    );
    isDone = true;
    await Promise.all(sealing);
    expectWhole(await wholeLog(here), 82);
  });
});

describe('an uncommitted change', () => {
  it('is not in the log, blocks no one, and comes after everything that was read before its commit', async () => {
    const { organizationId, here, there } = await aLiveTenant();
    const first = await wholeLog(here);
    const late = newId();
    const meanwhile = await inTransaction(async (client) => {
      await copyEntry(client, organizationId, late);
      for (const api of [here, there, here]) {
        const id = await create(api);
        expect(idsOf(await wholeLog(there)).at(-1)).toBe(id);
      }
      return wholeLog(here);
    });
    expect(sequencesOf(meanwhile)).toEqual(upTo(first.length + 3));
    expect(idsOf(meanwhile)).not.toContain(late);
    const pages = await auditPages(here, afterCursor({ cursorCreatedAt: meanwhile.at(-1)!.createdAt, cursorId: meanwhile.at(-1)!.id }));
    expect(rowsOfPages(pages).map(({ resource, sequence }) => [resource.id, sequence])).toEqual([[late, meanwhile.length + 1]]);
    expectWhole(await wholeLog(there), meanwhile.length + 1);
  });

  it('that is rolled back leaves no gap', async () => {
    const { organizationId, here } = await aLiveTenant();
    await wholeLog(here);
    const undone = inTransaction(async (client) => {
      await copyEntry(client, organizationId, newId());
      await create(here);
      throw new Error('changed my mind');
    });
    await expect(undone).rejects.toThrow('changed my mind');
    await create(here);
    expectWhole(await wholeLog(here), 4);
  });
});

describe('a writer', () => {
  it('never waits for the chain: while the chain is locked, writes succeed and only readers of the log wait', async () => {
    const { organizationId, here, there } = await aLiveTenant();
    const before = await wholeLog(here);
    let reading: Promise<AuditRow[]> | undefined;
    let isRead = false;
    const written = await inTransaction(async (client) => {
      await client.query('SELECT 1 FROM audit_chains WHERE organization_id = $1 FOR UPDATE', [organizationId]);
      const ids = [await create(here), await create(there)];
      reading = wholeLog(here).finally(() => (isRead = true));
      await eventually(async () => expect(await waitingForChains()).toBeGreaterThan(0));
      for (const api of [here, there, here, there]) ids.push(await create(api));
      expect((await here.get(`${PROJECTS}/${ids[0]}`)).status).toBe(200);
      expect(isRead).toBe(false);
      return ids;
    });
    expect(idsOf(await reading!).slice(0, before.length + 2)).toEqual([...idsOf(before), ...written.slice(0, 2)]);
    const all = await wholeLog(there);
    expectWhole(all, before.length + written.length);
    expect(idsOf(all).slice(before.length)).toEqual(written);
  });

  async function waitingForChains(): Promise<number> {
    const waiting = await rowsOfAllServers(
      database.url,
      `SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%audit_chains%FOR UPDATE%'`,
    );
    return waiting.length;
  }
});

describe('organizations', () => {
  it('have separate chains, however their writes are mixed', async () => {
    const tenants = await Promise.all(upTo(5).map(aLiveTenant));
    const sealing = upTo(10).map(async () => replicas[0].app.get(SealingService).sealAll());
    await Promise.all(tenants.flatMap(({ here, there }, index) => upTo(5 + index).map((count) => create(count % 2 === 0 ? here : there))));
    await Promise.all(sealing);
    for (const [index, { organizationId, here }] of tenants.entries()) {
      const rows = await wholeLog(here);
      expectWhole(rows, 7 + index);
      expect(rows[0]!.resource.id).toBe(organizationId);
      expect(await app.app.get(AuditService).verify(organizationId)).toMatchObject({ rows: 7 + index, fault: null });
    }
  });

  it('are sealed in the background, even if no one reads', async () => {
    const ids = upTo(3).map(() => newId());
    for (const id of [...ids, ...ids]) await anEntry(app, id);
    await eventually(async () => {
      const rows = await rowsOf<{ id: string; sequences: number[] }>(
        database.url,
        `SELECT organization_id AS id, array_agg(sequence::int ORDER BY sequence) AS sequences
        FROM audit_events WHERE organization_id = ANY ($1) GROUP BY 1`,
        [ids],
      );
      expect(rows.map(({ sequences }) => sequences)).toEqual(ids.map(() => [1, 2]));
    });
    expect(await rowsOf(database.url, 'SELECT 1 FROM audit_entries WHERE organization_id = ANY ($1)', [ids])).toEqual([]);
  });
});
