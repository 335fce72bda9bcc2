import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OrganizationService } from '../../../src/modules/organization/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { idAt, newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { Receiver } from '../../support/receiver.js';
import { openSession } from '../../support/session.js';

const EVENTS = '/v1/events';
const OLDEST = '00000000-0000-0000-0000-000000000000';
const PROJECTS = '/v1/claim-projects';
const MIB = 1024 * 1024;
const project = (name: string) => ({ name, periodStart: '2026-01-01', periodEnd: '2026-12-31' });

interface Event {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly id: string; readonly name: string };
}
interface Page {
  readonly data: Event[];
  readonly nextCursor: { readonly after: string };
  readonly hasMore: boolean;
}

// Its own: transactions of other tests in the same database would hold events back.
let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
let receiver: Receiver;
beforeAll(async () => {
  database = await createDatabase();
  receiver = await Receiver.start();
  app = await startApp({ DATABASE_URL: database.url, ROLE: 'all', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
});
afterAll(async () => {
  await app.close();
  await receiver.close();
  await database.drop();
});

async function aReader() {
  const { organization, key } = await aTenant(app);
  return { organization, api: new Client(app.url, key) };
}

async function read(api: Client, query: string): Promise<Page> {
  const { status, body, text } = await api.get(`${EVENTS}${query}`);
  expect(status, text.slice(0, 500)).toBe(200);
  return body as Page;
}

/** Follows the events from a cursor, page after page, and keeps them all. */
function follow(api: Client, after: string, query = '') {
  const seen: Event[] = [];
  let cursor = after;
  const more = async () => {
    let page: Page;
    do {
      page = await read(api, `?after=${cursor}${query}`);
      seen.push(...page.data);
      cursor = page.nextCursor.after;
    } while (page.hasMore);
  };
  return { seen, more };
}

const namesOf = (events: readonly Event[]) => events.map(({ data }) => data.name);

describe('a client that follows the events', () => {
  it('gets those from now on: each once, in order, whatever the size of its pages', async () => {
    const { api } = await aReader();
    const start = await read(api, '');
    expect(start).toEqual({ data: [], nextCursor: { after: expect.any(String) }, hasMore: false });
    const names = ['Berlin', 'Hamburg', 'Bremen'];
    const readers = [1, 2, 200].map((limit) => follow(api, start.nextCursor.after, `&limit=${limit}`));
    for (const name of names) await api.post(PROJECTS, project(name));
    await eventually(async () => {
      for (const { more } of readers) await more();
      for (const { seen } of readers) expect(namesOf(seen)).toEqual(names);
    });
    await api.post(PROJECTS, project('Kiel'));
    await eventually(async () => {
      for (const { more } of readers) await more();
      for (const { seen } of readers) expect(namesOf(seen)).toEqual([...names, 'Kiel']);
    });
  });

  it('gets with a credential for some projects their events alone, and passes those of others, however many', async () => {
    const { organization, api } = await aReader();
    const { body } = await api.post(PROJECTS, project('Others'));
    const mine = (await api.post(PROJECTS, project('Mine'))).body as { id: string };
    // More than are read for one page.
    await rowsOf(
      database.url,
      `INSERT INTO events (id, organization_id, environment, kind, resource_id, occurred_at, data)
        SELECT overlay($2 placing lpad(to_hex(n), 12, '0') from 25)::uuid, organization_id, environment, kind, resource_id,
            occurred_at, data
          FROM events, generate_series(1, 5200) n WHERE organization_id = $1 AND resource_id = $3`,
      [organization.id, idAt(new Date().toISOString(), 0), (body as { id: string }).id],
    );
    await api.patch(`${PROJECTS}/${mine.id}`, { name: 'Mine, still' });
    const { key } = await aKey(app, organization.id, { projectIds: [mine.id] });
    const reader = follow(new Client(app.url, key), OLDEST);
    await eventually(async () => {
      await reader.more();
      expect(namesOf(reader.seen)).toEqual(['Mine', 'Mine, still']);
    });
    expect(await read(new Client(app.url, key), `?after=${mine.id}`)).toMatchObject({ hasMore: true });
  });

  it('gets the body that a delivery has', async () => {
    const { api } = await aReader();
    const subscribedEvents = ['claim_project.created', 'claim_project.updated'];
    const endpoint = await api.post('/v1/webhooks', { name: 'Sync', targetUrl: receiver.url, subscribedEvents });
    expect(endpoint.status, endpoint.text).toBe(201);
    const { body } = await api.post(PROJECTS, { ...project('Berlin'), metadata: { '10': 'ten', '9': 'nine', rate: 0.1 } });
    await api.patch(`${PROJECTS}/${body.id}`, { name: 'Hamburg' });
    const delivered = await eventually(() => {
      const bodies = receiver.received.map((received) => JSON.parse(received.body) as Event).filter(({ data }) => data.id === body.id);
      expect(bodies).toHaveLength(2);
      return bodies.sort((a, b) => (a.id < b.id ? -1 : 1));
    });
    const { seen, more } = follow(api, OLDEST);
    await eventually(async () => {
      await more();
      expect(seen.filter(({ data }) => data.id === body.id)).toEqual(delivered);
    });
  });

  it('misses no event that was written before others but committed after them', async () => {
    const { api, organization } = await aReader();
    const { seen, more } = follow(api, (await read(api, '')).nextCursor.after);
    const slow = await openSession(database.url);
    await slow.query('BEGIN');
    const id = newId();
    await slow.query(
      `INSERT INTO events (id, organization_id, environment, kind, resource_id, occurred_at, data)
       VALUES ($1, $2, 'test', 'claim_project.created', $3, now(), '{"name":"Slow"}')`,
      [id, organization.id, newId()],
    );
    await api.post(PROJECTS, project('Quick'));
    // Long enough that both would be read, were it not for the open transaction.
    await eventually(async () =>
      expect((await slow.query("SELECT clock_timestamp() > now() + interval '3 s' AS late")).rows[0].late).toBe(true),
    );
    await more();
    expect(seen).toEqual([]);
    await slow.query('COMMIT');
    await slow.end();
    await eventually(async () => {
      await more();
      expect(namesOf(seen)).toEqual(['Slow', 'Quick']);
    });
    expect(seen[0]!.id).toBe(id);
    await more();
    expect(seen).toHaveLength(2);
  });

  it('may ask for one kind, and for everything that is kept', async () => {
    const { api } = await aReader();
    const { body } = await api.post(PROJECTS, project('Berlin'));
    await api.patch(`${PROJECTS}/${body.id}`, { name: 'Hamburg' });
    const [all, updates] = [follow(api, OLDEST), follow(api, OLDEST, '&kind=claim_project.updated')];
    await eventually(async () => {
      await Promise.all([all.more(), updates.more()]);
      expect([all, updates].map(({ seen }) => seen.map(({ type }) => type))).toEqual([
        ['claim_project.created', 'claim_project.updated'],
        ['claim_project.updated'],
      ]);
    });
  });

  it('sees the events of its own organization and environment only, and those of the organization in both', async () => {
    const { api, organization } = await aReader();
    const live = new Client(app.url, (await aKey(app, organization.id, { environment: 'live' })).key);
    const { api: stranger } = await aReader();
    await Promise.all([api, live, stranger].map((client, index) => client.post(PROJECTS, project(['test', 'live', 'stranger'][index]!))));
    await app.app.get(OrganizationService).change(OPERATOR, organization.id, { name: 'Renamed' });
    const readers = [api, live, stranger].map((client) => follow(client, OLDEST));
    await eventually(async () => {
      for (const { more } of readers) await more();
      expect(readers.map(({ seen }) => namesOf(seen))).toEqual([['test', 'Renamed'], ['live', 'Renamed'], ['stranger']]);
    });
  });

  it.each([
    ['after', 'after=soon', 'invalid_uuid'],
    ['kind', 'kind=claim_project.lost', 'not_allowed'],
    ['kind', 'kind=webhook.test', 'not_allowed'],
    ['limit', 'limit=0', 'out_of_range'],
    ['limit', 'limit=201', 'out_of_range'],
  ])('is told that %s is wrong in ?%s', async (field, query, code) => {
    const { api } = await aReader();
    expect(await api.get(`${EVENTS}?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ location: 'query', field, code }] },
    });
  });

  it('needs no plan, and no scope but those of the records', async () => {
    const { organization } = await aTenant(app, { plan: 'starter' });
    const { key } = await aKey(app, organization.id, { scopes: ['claim_projects:read', 'claim_projects:write'] });
    const api = new Client(app.url, key);
    const { nextCursor } = (await api.get(EVENTS)).body as { nextCursor: { after: string } };
    const { id } = (await api.post('/v1/claim-projects', { name: 'Berlin', periodStart: '2026-01-01', periodEnd: '2026-12-31' })).body as {
      id: string;
    };
    await eventually(async () => {
      const { data } = (await api.get(`${EVENTS}?after=${nextCursor.after}`)).body as { data: object[] };
      expect(data).toMatchObject([{ type: 'claim_project.created', data: { id } }]);
    });
  });
});

describe('large events', () => {
  const FORMER = new Date(Date.now() - 60_000).toISOString();

  async function aReaderOf(count: number, bytes: number) {
    const { api, organization } = await aReader();
    const ids = Array.from({ length: count }, (_, index) => idAt(FORMER, index));
    await rowsOf(
      database.url,
      `INSERT INTO events (id, organization_id, environment, kind, resource_id, occurred_at, data)
       SELECT id, $2, 'test', 'claim_project.created', gen_random_uuid(), now(), ('{"name":"' || repeat('x', $3) || '"}')::json
       FROM unnest($1::uuid[]) id`,
      [ids, organization.id, bytes],
    );
    return { api, ids };
  }

  it('come in pages of 8 MiB at most, which are followed like others', async () => {
    const { api, ids } = await aReaderOf(40, 240 * 1024);
    const { data, hasMore, nextCursor } = await read(api, `?after=${OLDEST}`);
    expect([data.length, hasMore, nextCursor.after]).toEqual([33, true, ids[32]]);
    const { seen, more } = follow(api, OLDEST);
    await more();
    expect(seen.map(({ id }) => id)).toEqual(ids);
  });

  it('of more than 256 KiB come without their records, so that even those of 9 MiB are on one page', async () => {
    const { api, ids } = await aReaderOf(2, 9 * MIB);
    const { data, hasMore } = await read(api, `?after=${OLDEST}`);
    expect(data.map(({ id }) => id)).toEqual(ids);
    expect(hasMore).toBe(false);
    for (const event of data) expect(Object.keys(event)).toEqual(expect.arrayContaining(['record']));
    for (const event of data) expect(event).not.toHaveProperty('data');
  });
});
