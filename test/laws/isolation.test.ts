import { afterAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/kernel/context.js';
import { newId } from '../../src/kernel/ids.js';
import type { RegisteredOperation } from '../../src/api/operation/operation.js';
import { aKey, aTenant } from '../support/builders.js';
import { answerTo, makeRecord, pathToNothing, saying, validBody, validCall, type Made, type RecordOfAnyKind } from '../support/law-call.js';
import { filtersOf, pageOf, queriesFor } from '../support/law-filters.js';
import { SEEN_FROM_LIVE } from '../support/law-records.js';
import { everyRowOf } from '../support/law-database.js';
import { bodySchema, type Body } from '../support/law-document.js';
import { byIdOf, keyedOf, listsOf, named, openWorld } from '../support/law-world.js';

const world = await openWorld();
afterAll(() => world.close());

const LIVE_STRANGER = 'the live environment, where the record is a test,';

/** Who must not see a record, and how to meet such a one. */
const STRANGERS = [
  ['another organization', () => meet(otherOrganization, 'test')],
  ['the test environment, where the record is live,', () => meet(otherEnvironment, 'live')],
  [LIVE_STRANGER, () => meet(otherEnvironment, 'test')],
] as const;

async function meet(
  makeStranger: (organizationId: string, environment: Environment) => Promise<{ organizationId: string; key: string }>,
  environment: Environment,
) {
  const { organization, key } = await aTenant(world, { environment });
  return { owner: { organizationId: organization.id, key }, stranger: await makeStranger(organization.id, environment) };
}

async function otherOrganization(_organizationId: string, environment: Environment) {
  const { organization, key } = await aTenant(world, { environment });
  return { organizationId: organization.id, key };
}

async function otherEnvironment(organizationId: string, environment: Environment) {
  const { key } = await aKey(world, organizationId, { environment: environment === 'test' ? 'live' : 'test' });
  return { organizationId, key };
}

/** All of them, but for the one who may see records of the collection by design. */
function strangersTo({ path }: { readonly path: string }) {
  const isSeen = SEEN_FROM_LIVE.some((collection) => path === collection || path.startsWith(`${collection}/`));
  return STRANGERS.filter(([whose]) => !(isSeen && whose === LIVE_STRANGER));
}

describe.each(named(byIdOf(world)))('%s', (_id, operation) => {
  it.each(strangersTo(operation))('answers to a key of %s as if there were no record, and changes nothing', async (_whose, meeting) => {
    const { owner, stranger } = await meeting();
    const call = await validCall(world, operation, owner.key);
    const before = await everyRowOf(world, owner.organizationId);
    const foreign = await answerTo(world, call, stranger.key);
    const missing = await answerTo(world, { ...call, path: pathToNothing(operation) }, stranger.key);
    expect(foreign).toMatchObject({ status: 404, body: { code: 'not_found', errors: [] } });
    expect(saying(foreign)).toEqual(saying(missing));
    expect(headersOf(foreign.headers)).toEqual(headersOf(missing.headers));
    expect(await everyRowOf(world, owner.organizationId)).toEqual(before);
    expect((await answerTo(world, call, owner.key)).status).toBe(operation.status);
  });
});

/** Where a list has an id in its path, the law above is the one that holds. */
const lists = listsOf(world).filter(({ pathParams }) => pathParams.length === 0);

describe.each(named(lists))('%s', (_id, operation) => {
  it.each(strangersTo(operation))('shows nothing to a key of %s', async (_whose, meeting) => {
    const { owner, stranger } = await meeting();
    const { id } = await makeRecord(world, operation.path, owner.key);
    const call = { operation, path: operation.path };
    const pages = [await answerTo(world, call, owner.key), await answerTo(world, call, stranger.key)];
    const [own, foreign] = pages.map(({ body }) => body as { data: Body[]; pagination: { total: number } });
    expect(own!.data.map((record) => record.id)).toEqual([id]);
    expect(foreign).toMatchObject({ data: [], pagination: { total: 0, hasMore: false } });
  });
});

const filtered = listsOf(world).filter((operation) => filtersOf(world.document, operation).length > 0);

it('knows the lists that can be narrowed', () => {
  expect(filtered.length).toBeGreaterThan(0);
});

describe.each(named(filtered))('%s', (_id, operation) => {
  it.each(STRANGERS)('shows nothing to a key of %s that asks for what the record has', async (_whose, meeting) => {
    const { owner, stranger } = await meeting();
    const own = await listWithRecord(operation, owner.key);
    // Each queries its own list: that of the stranger has no record at all.
    const { path } = await validCall(world, operation, stranger.key);
    for (const query of await queriesFor(world, operation, own)) {
      const asked = `${operation.path}?${new URLSearchParams(query).toString()}`;
      expect(
        (await pageOf(world, operation, own.path, owner.key, query)).data.map(({ id }) => id),
        `${asked} by the owner`,
      ).toEqual([own.record.id]);
      expect(await pageOf(world, operation, path, stranger.key, query), `${asked} by the stranger`).toMatchObject({
        data: [],
        pagination: { total: 0, hasMore: false },
      });
    }
  });
});

/** A list of the holder of a key, and the record in it. */
async function listWithRecord(operation: RegisteredOperation, key: string) {
  const made: Made = new Map();
  const { path } = await validCall(world, operation, key, made);
  const { id } = await makeRecord(world, operation.path, key, made);
  const record = (await pageOf(world, operation, path, key)).data.find((candidate) => candidate.id === id);
  return { path, key, record: record as RecordOfAnyKind };
}

/** The fields of bodies that name other records. */
const related = keyedOf(world).flatMap((operation) =>
  Object.entries(bodySchema(world.document, operation).properties ?? {}).flatMap(([field, { format }]) =>
    format === 'uuid' ? [[field, operation.id, operation] as const] : [],
  ),
);

describe.each(related)('%s of %s', (field, _id, operation) => {
  it.each(STRANGERS)('is refused to a key of %s as if there were no record', async (_whose, meeting) => {
    const { owner, stranger } = await meeting();
    const theirs = await validBody(world, operation, owner.key);
    const call = await validCall(world, operation, stranger.key);
    const answers = await Promise.all(
      [theirs[field], newId()].map((id) => answerTo(world, { ...call, body: { ...(call.body as Body), [field]: id } }, stranger.key)),
    );
    expect(answers[0]).toMatchObject({ status: 400, body: { code: 'related_record_missing', errors: [{ location: 'body', field }] } });
    expect(saying(answers[0]!)).toEqual(saying(answers[1]!));
  });
});

/** The headers that say something of the answer: neither of the moment nor of the call. */
function headersOf(headers: Record<string, string>): Record<string, string> {
  const ofTheCall = ['date', 'x-request-id', 'ratelimit', 'connection', 'keep-alive'];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofTheCall.includes(name)));
}
