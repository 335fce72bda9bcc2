import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATOR } from '../../src/kernel/context.js';
import { ErasureService } from '../../src/modules/organization-data/index.js';
import { StatementRetention } from '../../src/modules/statements/retention/statement-retention.js';
import { FileExamination, FileRemoval } from '../../src/store/files/stored-files.js';
import { Reencryption } from '../../src/store/secrets/reencryption.js';
import { TEST_ENCRYPTION_KEY } from '../support/app.js';
import { Client } from '../support/client.js';
import { rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { openReports, REPORTS } from '../support/reports.js';
import { startWithS3 } from './support/s3-app.js';

let started: Awaited<ReturnType<typeof startWithS3>>;
let { s3, keysOf, opened } = {} as typeof started;
beforeAll(async () => {
  started = await startWithS3({ STATEMENT_KEEP_ORIGINAL: 'true' });
  ({ s3, keysOf, opened } = started);
});
afterAll(() => started.close());

it('a new encryption key needs no change of any file', async () => {
  const { organizationId, key, taken, report } = await opened();
  await taken();
  const { id } = await report();
  const bytes = await Promise.all((await keysOf(organizationId)).map((one) => s3.bytesOf(one)));
  const next = Buffer.alloc(32, 'the next key').toString('base64');
  const openWith = (keys: string) => started.another({ ENCRYPTION_KEY: keys });
  const between = await openWith(`${next},${TEST_ENCRYPTION_KEY}`);
  const column = (await between.app.get(Reencryption).run()).find(({ what }) => what === 'stored_files.data_key')!;
  expect([column.moved > 2, column.left]).toEqual([true, 0]);
  const alone = await openWith(next);
  const read = await new Client(alone.url, key).get(`${REPORTS}/${id}/outputs/json`);
  expect([read.status, read.text]).toEqual([200, expect.stringContaining('claim-report/1')]);
  // For the worker of the other tests.
  const back = await openWith(`${TEST_ENCRYPTION_KEY},${next}`);
  await back.app.get(Reencryption).run();
  expect(await Promise.all((await keysOf(organizationId)).map((one) => s3.bytesOf(one)))).toEqual(bytes);
});

it('without the extension, a file in S3 is refused, not empty', async () => {
  const { key, organizationId, taken, report } = await opened();
  await taken();
  const { id } = await report();
  const without = await started.another({}, []);
  const { status, body } = await new Client(without.url, key).get(`${REPORTS}/${id}/outputs/json`);
  expect([status, (body as { detail: string }).detail]).toEqual([
    503,
    'This file is in a file store that no extension of this installation offers.',
  ]);
  await expect(without.app.get(ErasureService).erase(OPERATOR, organizationId)).rejects.toMatchObject({ code: 'unavailable' });
});

it('operators learn whether files can be read: the store is away, its extension was taken out, or all is well', async () => {
  const { taken } = await opened();
  await taken();
  const { app } = started;
  expect(await app.app.get(FileExamination).examine()).toMatch(/^\d+ are in the file store, and the newest can be read$/);
  await s3.stop();
  await expect(app.app.get(FileExamination).examine()).rejects.toThrow('The file store is not available at the moment.');
  await s3.start();
  const without = await started.another({}, []);
  await expect(without.app.get(FileExamination).examine()).rejects.toThrow(
    /^\d+ are in a file store that no extension .* offers: add the extension again\.$/,
  );
});

// The last, because credentials are looked up by the process that started last, and this one has its own database.
it('an original is removed with its redaction, if originals are not kept, and its lines stay', async () => {
  const own = await started.anotherInstallation({ STATEMENT_RETENTION: '1d' });
  const { organizationId, taken, statement: get } = await openReports(own);
  const { id } = await taken();
  await eventually(async () => expect(await keysOf(organizationId)).toEqual([]));
  expect(await get(id)).toMatchObject({ redactionStatus: 'succeeded', lineCount: 5, contentRemovedAt: null });
  // One that could not be read is kept to be tried again, until its retention ends.
  const failed = await taken({ file: 'no statement', fileName: 'a.bin' });
  expect([failed.redactionStatus, (await keysOf(organizationId)).length]).toEqual(['failed', 1]);
  await rowsOf(own.databaseUrl, `UPDATE bank_statements SET created_at = now() - interval '2 days' WHERE id = $1`, [failed.id]);
  const retention = own.app.get(StatementRetention);
  await s3.stop();
  await retention.retain();
  expect((await get(failed.id)).contentRemovedAt).toBeNull();
  await s3.start();
  await eventually(async () => {
    await rowsOf(own.databaseUrl, `UPDATE stored_files SET next_attempt_at = now() - interval '1 second' WHERE status = 'going'`);
    await own.app.get(FileRemoval).removeDue();
    await retention.retain();
    expect((await get(failed.id)).contentRemovedAt).not.toBeNull();
  });
  expect(await keysOf(organizationId)).toEqual([]);
});
