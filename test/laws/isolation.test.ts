import { afterAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/kernel/context.js';
import { newId } from '../../src/kernel/ids.js';
import type { RegisteredOperation } from '../../src/api/operation/operation.js';
import { aKey, aTenant } from '../support/builders.js';
import {
  sendCall,
  createRecord,
  pathToMissing,
  withoutRequestId,
  validBody,
  validCall,
  type RecordIds,
  type AnyRecord,
} from '../support/law-call.js';
import { filtersOf, pageOf, queriesFor } from '../support/law-filters.js';
import { SEEN_FROM_LIVE } from '../support/law-records.js';
import { everyRowOf } from '../support/law-database.js';
import { bodySchema, exampleBody, type Body } from '../support/law-document.js';
import { byIdOf, keyedOf, listsOf, named, startDocumentedApp } from '../support/documented-app.js';

const app = await startDocumentedApp();
afterAll(() => app.close());

const LIVE_STRANGER = 'the live environment, where the record is a test,';

/** Tenants that must not see a record, and how to create one of them. */
const STRANGERS = [
  ['another organization', () => meet(otherOrganization, 'test')],
  ['the test environment, where the record is live,', () => meet(otherEnvironment, 'live')],
  [LIVE_STRANGER, () => meet(otherEnvironment, 'test')],
] as const;

async function meet(
  makeStranger: (organizationId: string, environment: Environment) => Promise<{ organizationId: string; key: string }>,
  environment: Environment,
) {
  const { organization, key } = await aTenant(app, { environment });
  return { owner: { organizationId: organization.id, key }, stranger: await makeStranger(organization.id, environment) };
}

async function otherOrganization(_organizationId: string, environment: Environment) {
  const { organization, key } = await aTenant(app, { environment });
  return { organizationId: organization.id, key };
}

async function otherEnvironment(organizationId: string, environment: Environment) {
  const { key } = await aKey(app, organizationId, { environment: environment === 'test' ? 'live' : 'test' });
  return { organizationId, key };
}

/** All strangers, except the one that may see records of the collection by design. */
function strangersTo({ path }: { readonly path: string }) {
  const isSeen = SEEN_FROM_LIVE.some((collection) => path === collection || path.startsWith(`${collection}/`));
  return STRANGERS.filter(([whose]) => !(isSeen && whose === LIVE_STRANGER));
}

describe.each(named(byIdOf(app)))('%s', (_id, operation) => {
  it.each(strangersTo(operation))('returns the 404 of a missing record to a key of %s, and changes nothing', async (_whose, meeting) => {
    const { owner, stranger } = await meeting();
    const call = await validCall(app, operation, owner.key);
    const before = await everyRowOf(app, owner.organizationId);
    const foreign = await sendCall(app, call, stranger.key);
    const missing = await sendCall(app, { ...call, path: pathToMissing(operation) }, stranger.key);
    expect(foreign).toMatchObject({ status: 404, body: { code: 'not_found', errors: [] } });
    expect(withoutRequestId(foreign)).toEqual(withoutRequestId(missing));
    expect(headersOf(foreign.headers)).toEqual(headersOf(missing.headers));
    expect(await everyRowOf(app, owner.organizationId)).toEqual(before);
    expect((await sendCall(app, call, owner.key)).status).toBe(operation.status);
  });
});

/** Lists without an id in their path. The law above covers the others. */
const lists = listsOf(app).filter(({ pathIds }) => pathIds.length === 0);

describe.each(named(lists))('%s', (_id, operation) => {
  it.each(strangersTo(operation))('returns an empty list to a key of %s', async (_whose, meeting) => {
    const { owner, stranger } = await meeting();
    const { id } = await createRecord(app, operation.path, owner.key);
    const call = { operation, path: operation.path };
    const pages = [await sendCall(app, call, owner.key), await sendCall(app, call, stranger.key)];
    const [own, foreign] = pages.map(({ body }) => body as { data: Body[]; pagination: { total: number } });
    expect(own!.data.map((record) => record.id)).toEqual([id]);
    expect(foreign).toMatchObject({ data: [], pagination: { total: 0, hasMore: false } });
  });
});

const filtered = listsOf(app).filter((operation) => filtersOf(app.document, operation).length > 0);

it('covers at least one list with filters', () => {
  expect(filtered.length).toBeGreaterThan(0);
});

describe.each(named(filtered))('%s', (_id, operation) => {
  it.each(STRANGERS)('returns an empty list to a key of %s that filters by values of the record', async (_whose, meeting) => {
    const { owner, stranger } = await meeting();
    const own = await listWithRecord(operation, owner.key);
    // Each tenant queries its own list. That of the stranger is empty.
    const { path } = await validCall(app, operation, stranger.key);
    for (const query of await queriesFor(app, operation, own)) {
      const url = `${operation.path}?${new URLSearchParams(query).toString()}`;
      expect(
        (await pageOf(app, operation, own.path, owner.key, query)).data.map(({ id }) => id),
        `${url} by the owner`,
      ).toEqual([own.record.id]);
      expect(await pageOf(app, operation, path, stranger.key, query), `${url} by the stranger`).toMatchObject({
        data: [],
        pagination: { total: 0, hasMore: false },
      });
    }
  });
});

/** A list of the key's tenant with one record in it. */
async function listWithRecord(operation: RegisteredOperation, key: string) {
  const made: RecordIds = new Map();
  const { path } = await validCall(app, operation, key, made);
  const { id } = await createRecord(app, operation.path, key, made);
  const record = (await pageOf(app, operation, path, key)).data.find((candidate) => candidate.id === id);
  return { path, key, record: record as AnyRecord };
}

/** The fields of bodies that name other records. One that is null in the example is not about every call: its resource tests it. */
const related = keyedOf(app).flatMap((operation) =>
  Object.entries(bodySchema(app.document, operation).properties ?? {}).flatMap(([field, { format }]) =>
    format === 'uuid' && exampleBody(app.document, operation)[field] !== null ? [[field, operation.id, operation] as const] : [],
  ),
);

describe.each(related)('%s of %s', (field, _id, operation) => {
  // Where the operation is not there, the record is not asked for.
  const callers = operation.environment ? STRANGERS.filter(([whose]) => whose !== LIVE_STRANGER) : STRANGERS;
  it.each(callers)('is refused to a key of %s like the id of a missing record', async (_whose, meeting) => {
    const { owner, stranger } = await meeting();
    const theirs = await validBody(app, operation, owner.key);
    const call = await validCall(app, operation, stranger.key);
    const answers = await Promise.all(
      [theirs[field], newId()].map((id) => sendCall(app, { ...call, body: { ...(call.body as Body), [field]: id } }, stranger.key)),
    );
    expect(answers[0]).toMatchObject({ status: 400, body: { code: 'related_record_missing', errors: [{ location: 'body', field }] } });
    expect(withoutRequestId(answers[0]!)).toEqual(withoutRequestId(answers[1]!));
  });
});

/** The headers without those that differ between calls anyway. */
function headersOf(headers: Record<string, string>): Record<string, string> {
  const perCall = ['date', 'x-request-id', 'ratelimit', 'connection', 'keep-alive'];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !perCall.includes(name)));
}
