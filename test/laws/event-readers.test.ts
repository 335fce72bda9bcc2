import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventOf, subscribableKinds } from '../../src/kernel/declare-event.js';
import { newId } from '../../src/kernel/ids.js';
import { isAtLeast } from '../../src/kernel/roles.js';
import { PEOPLE, tokensOfPeople } from '../support/acting-applications.js';
import { aKey, aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { rowsOf } from '../support/database.js';
import { startDocumentedApp } from '../support/documented-app.js';
import { eventually } from '../support/eventually.js';
import { LOCAL_DOCUMENTS } from '../support/shared-clients.js';

// Each scope makes endpoints for the kinds that it reads.
const app = await startDocumentedApp({ ...LOCAL_DOCUMENTS, RECORD_LIMITS: JSON.stringify({ webhooks: 1000 }) });
const { organization, key } = await aTenant(app);
const bearer = await tokensOfPeople(app, organization);
afterAll(() => app.close());

const { scopes } = app.registry;
const KINDS = subscribableKinds();
const OLDEST = '00000000-0000-0000-0000-000000000000';

/**
 * Where the record of a kind is read; that of an invited user is a part of the organization, how an endpoint fares of the endpoint, and
 * that of a budget of the usage.
 */
function recordsOf(kind: string): string {
  if (kind.startsWith('webhook.')) return '/v1/webhooks';
  const { data, collection } = eventOf(kind)!;
  const siblings = KINDS.map((other) => eventOf(other)!).filter(
    (other) => other.data === data || other.kind.split('.')[0] === kind.split('.')[0],
  );
  return (
    collection ??
    siblings.find((other) => other.collection !== undefined)?.collection ??
    (kind.startsWith('usage.') ? '/v1/usage' : '/v1/organization')
  );
}

async function kindsGiven(credential: Record<string, string>, limit = 200): Promise<string[]> {
  const kinds: string[] = [];
  for (let after = OLDEST, hasMore = true; hasMore;) {
    const { status, body, text } = await new Client(app.url).send('GET', `/v1/events?after=${after}&limit=${limit}`, undefined, credential);
    if (status === 403) return [];
    expect(status, text).toBe(200);
    const page = body as { data: { type: string }[]; nextCursor: { after: string }; hasMore: boolean };
    kinds.push(...page.data.map(({ type }) => type));
    [after, hasMore] = [page.nextCursor.after, page.hasMore];
  }
  return kinds.sort();
}

describe('an event of each kind', () => {
  beforeAll(async () => {
    for (const kind of KINDS)
      await rowsOf(
        app.databaseUrl,
        `INSERT INTO events (id, organization_id, environment, kind, resource_id, occurred_at, data)
         VALUES ($1, $2, 'test', $3, $4, now(), '{"email":"invited@example.com"}')`,
        [newId(), organization.id, kind, newId()],
      );
    await eventually(async () => expect([...new Set(await kindsGiven({ 'x-api-key': key }))]).toEqual([...KINDS].sort()));
  });

  it.each(scopes)(
    'is given with the scope %s only where that scope reads its record: by the feed, without gaps, and to endpoints',
    async (scope) => {
      const wanted = { scopes: [...new Set(['webhooks:read', 'webhooks:write', scope])] };
      const { key: limited } = await aKey(app, organization.id, wanted);
      const api = new Client(app.url, limited);
      const readable: string[] = [];
      for (const kind of KINDS) {
        const { status } = await api.get(recordsOf(kind));
        expect([200, 403]).toContain(status);
        if (status === 200) readable.push(kind);
      }
      const all = await kindsGiven({ 'x-api-key': key });
      for (const limit of [1, 200])
        expect(await kindsGiven({ 'x-api-key': limited }, limit)).toEqual(all.filter((kind) => readable.includes(kind)));
      const endpoint = { name: 'Sync', targetUrl: 'https://hooks.example.com/claims' };
      for (const kind of KINDS) {
        const asked = await api.get(`/v1/events?kind=${kind}`);
        const subscribed = await api.post('/v1/webhooks', { ...endpoint, status: 'disabled', subscribedEvents: [kind] });
        const isGiven = readable.includes(kind);
        expect([kind, asked.status, subscribed.status], subscribed.text).toEqual([kind, isGiven ? 200 : 403, isGiven ? 201 : 403]);
        if (!isGiven)
          expect(subscribed.body).toMatchObject({ code: 'event_not_allowed', detail: expect.stringContaining(kind) as unknown });
      }
    },
  );

  it.each(PEOPLE)(
    'is given to a person with the role %s, by %s: the addresses of invited people only from admins on',
    async (role, way) => {
      const given = new Set(await kindsGiven(bearer(role, way)));
      expect([...given]).toEqual(KINDS.filter((kind) => kind !== 'user.invited' || isAtLeast(role, 'admin')).sort());
    },
  );
});
