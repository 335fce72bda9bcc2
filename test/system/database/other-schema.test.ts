import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Database, prepared } from '../../../src/store/database/database.js';
import { Partitions } from '../../../src/store/database/partitions.js';
import { EventRetention } from '../../../src/store/events/events.js';
import { startApp, TEST_ENCRYPTION_KEY } from '../../support/app.js';
import { leftOutOnCitus } from '../../support/citus.js';
import { runCommand } from '../../support/command.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { rowsOfPublic, WAYS_TO_A_SCHEMA } from '../../support/other-schema.js';
import { aProject, DELIVERING, openHook, untilReceived } from '../../support/webhooks.js';
import { aWholeOrganization, KEEPING, leftOf } from '../../support/whole-organization.js';

const isLeftOut = leftOutOnCitus('Its tables are distributed from one schema.');
const DAY_MS = 86_400_000;

const toUndo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const undo of toUndo.splice(0).reverse()) await undo();
});

describe.each(Object.entries(WAYS_TO_A_SCHEMA))('a schema that is chosen by %s', (_way, prepare) => {
  it.skipIf(isLeftOut)('has everything, and tables of the same names elsewhere are not touched', async () => {
    const { database, env } = await prepare(toUndo);
    const before = await rowsOfPublic(database);
    expect((await runCommand(['doctor'], env)).stdout).toMatch(/FAILED +migrations +\d+ are pending/);
    expect(await runCommand(['migrate'], env)).toMatchObject({ code: 0, stderr: '' });
    const own = { ...env, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY };
    const app = await startApp({ ...own, ...KEEPING, ...DELIVERING, ROLE: 'all' });

    const timeouts = prepared({
      name: 'test.timeouts',
      text: "SELECT current_setting('statement_timeout') AS ms, current_schema() AS schema",
    });
    expect(await app.app.get(Database).rows(timeouts, [])).toEqual([{ ms: '30s', schema: 'claims' }]);

    const { api, receiver } = await openHook(app);
    const { id } = await aProject(api);
    await untilReceived(receiver, 1);
    expect((await api.get('/v1/claim-projects')).body.data).toEqual([expect.objectContaining({ id })]);
    await receiver.close();

    const past = new Date(Date.now() - 70 * DAY_MS);
    await app.app.get(Partitions).ensure({ table: 'events', by: 'id', period: 'week' }, past, 0);
    await app.app.get(EventRetention).retain();

    const { organizationId } = await aWholeOrganization(app);
    await rowsOf(database, 'INSERT INTO public.extension_notes VALUES ($1)', [organizationId]);
    const folder = await mkdtemp(join(tmpdir(), 'claims-schema-'));
    toUndo.push(() => rm(folder, { recursive: true }));
    const out = join(folder, 'all');
    expect(await runCommand(['org', 'export', organizationId, '--out', out], own)).toMatchObject({ code: 0, stderr: '' });
    expect(await readFile(out, 'utf8')).not.toContain('extension_notes');
    expect(await runCommand(['org', 'erase', organizationId, '--confirm', organizationId], own)).toMatchObject({ code: 0, stderr: '' });
    await eventually(async () => expect(await leftOf(app, organizationId)).toEqual({ proofs: 1, rows: 0 }));
    expect(await rowsOf(database, 'DELETE FROM public.extension_notes RETURNING 1 AS kept')).toHaveLength(1);
    await app.close();

    expect(await runCommand(['doctor'], own)).toMatchObject({ code: 0, stderr: '' });
    expect(await rowsOfPublic(database)).toEqual(before);
  });
});
