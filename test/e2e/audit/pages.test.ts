import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEventPageDto } from '../../../src/modules/audit/audit.dto.js';
import { startApp, type TestApp } from '../../support/app.js';
import {
  afterCursor,
  anEntry,
  aSealedEntry,
  auditPage,
  auditPages,
  auditPath,
  rowsOfPages,
  wholeLog,
  type AuditRow,
  type Query,
} from '../../support/audit.js';
import { aKey, aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { expectFieldErrors } from '../../support/problem.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Longer than any real action, so that the longest allowed prefix matches. */
const LONG = 'x'.repeat(130);
const ACTIONS = [
  'claim_project.created',
  'claim_project.updated',
  'claimXproject.created',
  'claim%.created',
  'claim\\.created',
  'Claim_project.created',
  'api_key.revoked',
  `${LONG}.done`,
  'claim_project.updated',
];
const ACTORS = ['api', 'user', 'system'] as const;

/** A log whose events all have a different createdAt. */
async function aReader(actions: readonly string[] = ACTIONS) {
  const { organization, key } = await aTenant(app, { environment: 'live' });
  const api = new Client(app.url, key);
  await wholeLog(api);
  for (const [index, action] of actions.entries()) await aSealedEntry(app, organization.id, { action, actorType: ACTORS[index % 3] });
  return { api, organizationId: organization.id, rows: await wholeLog(api) };
}

const sequencesOf = (rows: readonly AuditRow[]): number[] => rows.map(({ sequence }) => sequence);
const oneMsAfter = (time: string): string => new Date(Date.parse(time) + 1).toISOString();

/** The same moment with another offset. */
function elsewhere(time: string, hours: number, minutes = 0): string {
  const sign = hours < 0 ? -1 : 1;
  const local = new Date(Date.parse(time) + (hours * 60 + sign * minutes) * 60_000).toISOString().slice(0, -1);
  return `${local}${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}

describe('since and until', () => {
  it('since is inclusive and until is exclusive, to the millisecond', async () => {
    const { api, rows } = await aReader();
    const at = rows[5]!.createdAt;
    const found = async (query: Query) => sequencesOf(await wholeLog(api, query));
    const from = (index: number) => sequencesOf(rows.slice(index));
    const upTo = (index: number) => sequencesOf(rows.slice(0, index));
    expect(await found({ since: at })).toEqual(from(5));
    expect(await found({ since: oneMsAfter(at) })).toEqual(from(6));
    expect(await found({ until: at })).toEqual(upTo(5));
    expect(await found({ until: oneMsAfter(at) })).toEqual(upTo(6));
    expect(await found({ since: at, until: oneMsAfter(at) })).toEqual([rows[5]!.sequence]);
    expect(await found({ since: at, until: at })).toEqual([]);
    expect(await found({ since: oneMsAfter(at), until: at })).toEqual([]);
    // Finer than a millisecond: events of that millisecond are before it.
    expect(await found({ since: at.replace('Z', '001Z') })).toEqual(from(6));
    expect(await found({ until: at.replace('Z', '001Z') })).toEqual(upTo(6));
  });

  it('mean the same moment in every offset', async () => {
    const { api, rows } = await aReader();
    const at = rows[4]!.createdAt;
    for (const same of [at, elsewhere(at, 2), elsewhere(at, -8), elsewhere(at, 5, 45), elsewhere(at, 14), elsewhere(at, -3, 30)]) {
      expect(sequencesOf(await wholeLog(api, { since: same })), same).toEqual(sequencesOf(rows.slice(4)));
      expect(sequencesOf(await wholeLog(api, { until: same })), same).toEqual(sequencesOf(rows.slice(0, 4)));
    }
  });
});

describe('action_prefix', () => {
  it.each([
    'claim_',
    'claim_project.',
    'claim_project.updated',
    'claim%',
    'claim\\',
    '%',
    '_',
    '\\',
    'Claim',
    'CLAIM',
    'api_key.',
    'project',
    '.',
    LONG.slice(0, 120),
    'claim\\_',
    'c%d',
    "'",
  ])('%s returns exactly the actions that start with it, literally', async (prefix) => {
    const { api, rows } = await aReader();
    expect(await wholeLog(api, { action_prefix: prefix })).toEqual(rows.filter(({ action }) => action.startsWith(prefix)));
  });

  it('may have up to 120 characters (code points)', async () => {
    const { api } = await aReader([]);
    expect((await auditPage(api, { action_prefix: '💶'.repeat(120) })).data).toEqual([]);
    expectFieldErrors(await api.get(auditPath({ action_prefix: 'x'.repeat(121) })), 'query action_prefix too_long');
  });
});

describe('filters', () => {
  it.each(['user', 'system', 'api'])('actor_type %s returns exactly the events of such actors', async (type) => {
    const { api, rows } = await aReader();
    const found = await wholeLog(api, { actor_type: type });
    expect(found).toEqual(rows.filter(({ actor }) => actor.type === type));
    expect(found.length).toBeGreaterThan(2);
  });

  it('can be combined, and apply to every page', async () => {
    const { api, rows } = await aReader([...ACTIONS, ...ACTIONS, ...ACTIONS]);
    const [since, until] = [rows[3]!.createdAt, rows[25]!.createdAt];
    const fits = ({ action, actor, createdAt }: AuditRow) =>
      action.startsWith('claim_') && actor.type === 'user' && createdAt >= since && createdAt < until;
    const expected = rows.filter(fits);
    expect(expected.length).toBeGreaterThan(2);
    for (const limit of [1, 2, 100]) {
      expect(
        rowsOfPages(await auditPages(api, { since, until, action_prefix: 'claim_', actor_type: 'user', limit })),
        `pages of ${limit}`,
      ).toEqual(expected);
    }
  });

  it('of a test key apply within its environment', async () => {
    const { api, organizationId, rows } = await aReader([]);
    const test = new Client(app.url, (await aKey(app, organizationId)).key);
    for (const environment of ['test', 'live', null, 'test', 'live'] as const)
      await aSealedEntry(app, organizationId, { environment, actorType: 'user' });
    await aSealedEntry(app, organizationId, { environment: 'test', actorType: 'system' });
    const all = await wholeLog(api);
    expect(all).toHaveLength(rows.length + 7);
    expect(await wholeLog(test, { actor_type: 'user' })).toEqual(
      all.filter(({ actor, environment }) => actor.type === 'user' && environment === 'test'),
    );
    expect(rowsOfPages(await auditPages(test, { limit: 1 }))).toEqual(all.filter(({ environment }) => environment === 'test'));
  });
});

describe('limit', () => {
  it('is 100 by default, and at most 500', async () => {
    const { api, organizationId } = await aReader([]);
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        for (let count = 0; count < 26; count += 1) await anEntry(app, organizationId);
      }),
    );
    const sizeOf = async (query: Query) => {
      const { data, hasMore } = await auditPage(api, query);
      return [data.length, data.at(-1)!.sequence, hasMore];
    };
    expect(await sizeOf({})).toEqual([100, 100, true]);
    expect(await sizeOf({ limit: 1 })).toEqual([1, 1, true]);
    expect(await sizeOf({ limit: 500 })).toEqual([500, 500, true]);
    expect(sequencesOf(rowsOfPages(await auditPages(api)))).toEqual(Array.from({ length: 522 }, (_, index) => index + 1));
  });

  it.each(['0', '501', '-1', '1.5', '', 'all', '1e2'])('%j is refused', async (limit) => {
    const { api } = await aReader([]);
    expectFieldErrors(await api.get(auditPath({ limit })), 'query limit');
  });

  it('equal to the number of events leaves hasMore false', async () => {
    const { api, rows } = await aReader();
    const [all, fewer] = [await auditPage(api, { limit: rows.length }), await auditPage(api, { limit: rows.length - 1 })];
    expect([all.data.length, all.hasMore, fewer.data.length, fewer.hasMore]).toEqual([rows.length, false, rows.length - 1, true]);
  });
});

describe('the cursor', () => {
  it.each([1, 2, 7])('returns each event once, in the order of sequence, in pages of %i', async (limit) => {
    const { api, organizationId } = await aReader();
    // Events of one batch have the same createdAt and differ only by id.
    for (let count = 0; count < 12; count += 1) await anEntry(app, organizationId);
    const rows = await wholeLog(api);
    expect(new Set(rows.map(({ createdAt }) => createdAt)).size).toBeLessThan(rows.length - 5);
    const pages = await auditPages(api, { limit });
    expect(sequencesOf(rowsOfPages(pages))).toEqual(Array.from({ length: rows.length }, (_, index) => index + 1));
    expect(rowsOfPages(pages)).toEqual(rows);
    for (const { data, nextCursor } of pages)
      expect(nextCursor).toEqual({ cursorCreatedAt: data.at(-1)!.createdAt, cursorId: data.at(-1)!.id });
    expect(pages.map(({ hasMore }) => hasMore)).toEqual([...Array<boolean>(pages.length - 1).fill(true), false]);
  });

  it('of an empty page is the one that was sent', async () => {
    const { api } = await aReader();
    const last = (await auditPages(api)).at(-1)!;
    const empty = await auditPage(api, afterCursor(last.nextCursor));
    expect(empty).toEqual({ data: [], nextCursor: last.nextCursor, hasMore: false });
    expect(await auditPage(api, afterCursor(empty.nextCursor))).toEqual(empty);
    expect(await auditPage(api, { ...afterCursor(last.nextCursor), action_prefix: 'no_such' })).toEqual(empty);
  });

  it('is null only if no event matched', async () => {
    const { api } = await aReader();
    const nothing = { data: [], nextCursor: null, hasMore: false };
    for (const query of [{ action_prefix: 'no_such' }, { since: '2099-01-01T00:00:00Z' }, { until: '2000-01-01T00:00:00Z' }] as Query[])
      expect(await auditPage(api, query)).toEqual(nothing);
  });

  it('that is used later returns exactly the events since then', async () => {
    const { api, organizationId } = await aReader();
    let cursor = (await auditPages(api)).at(-1)!.nextCursor;
    for (const day of [1, 2, 3]) {
      for (let count = 0; count < day; count += 1) await anEntry(app, organizationId, { action: `day_${day}.came` });
      const pages: AuditEventPageDto[] = await auditPages(api, { limit: 2 }, cursor);
      expect(rowsOfPages(pages).map(({ action }) => action)).toEqual(Array<string>(day).fill(`day_${day}.came`));
      cursor = pages.at(-1)!.nextCursor;
    }
  });

  it('may be spelled differently: in upper case, or with another offset', async () => {
    const { api, rows } = await aReader();
    const { createdAt, id } = rows[3]!;
    for (const [at, name] of [
      [createdAt, id.toUpperCase()],
      [elsewhere(createdAt, 5, 30), id],
      [createdAt.replace('Z', '000Z'), id],
      [createdAt.replace('Z', '+00:00'), id.toUpperCase()],
    ] as const) {
      expect(sequencesOf(rowsOfPages(await auditPages(api, { cursor_created_at: at, cursor_id: name })))).toEqual(
        sequencesOf(rows.slice(4)),
      );
    }
    const end = await auditPage(api, { cursor_created_at: elsewhere(rows.at(-1)!.createdAt, 2), cursor_id: rows.at(-1)!.id.toUpperCase() });
    expect(end.nextCursor).toEqual({ cursorCreatedAt: rows.at(-1)!.createdAt, cursorId: rows.at(-1)!.id });
  });

  it('is refused if one of its two parts is missing or invalid', async () => {
    const { api, rows } = await aReader([]);
    const { createdAt, id } = rows[0]!;
    expectFieldErrors(await api.get(auditPath({ cursor_created_at: createdAt })), 'query cursor_id required');
    expectFieldErrors(await api.get(auditPath({ cursor_id: id })), 'query cursor_created_at required');
    expectFieldErrors(await api.get(auditPath({ cursor_created_at: 'yesterday', cursor_id: id })), 'query cursor_created_at invalid_time');
    expectFieldErrors(await api.get(auditPath({ cursor_created_at: createdAt, cursor_id: 'x' })), 'query cursor_id invalid_uuid');
  });

  it('of another organization is only a point in time, and shows no events of that organization', async () => {
    const [theirs, mine] = [await aReader(), await aReader()];
    const early = { cursorCreatedAt: theirs.rows[0]!.createdAt, cursorId: theirs.rows[0]!.id };
    expect(rowsOfPages(await auditPages(mine.api, { limit: 4 }, early))).toEqual(mine.rows);
    const late = { cursorCreatedAt: mine.rows.at(-1)!.createdAt, cursorId: mine.rows.at(-1)!.id };
    expect(await auditPage(theirs.api, afterCursor(late))).toEqual({ data: [], nextCursor: late, hasMore: false });
  });
});
