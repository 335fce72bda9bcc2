import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../src/kernel/context.js';
import { ErasureService, ExportService } from '../../src/modules/organization-data/index.js';
import { FileRemoval } from '../../src/store/files/stored-files.js';
import { aVisitor } from '../support/console.js';
import { rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { startWithS3 } from './support/s3-app.js';
import { openSession } from '../support/session.js';
import { CANARIES, JANUARY } from '../support/statements.js';
import { LinkClient, linkOf, projectOf } from '../support/upload-links.js';

let started: Awaited<ReturnType<typeof startWithS3>>;
let { app, s3, keysOf, rowsIn, inPostgres, opened } = {} as typeof started;
beforeAll(async () => {
  started = await startWithS3({ STATEMENT_KEEP_ORIGINAL: 'true' });
  ({ app, s3, keysOf, rowsIn, inPostgres, opened } = started);
});
/** As if the service had been started with other settings. */
const withSettings = (values: { s3NewFiles?: boolean; s3SecretAccessKey?: string }) => Object.assign(started.acmeSettings, values);
afterEach(() => withSettings({ s3NewFiles: true, s3SecretAccessKey: s3.env.S3_SECRET_ACCESS_KEY }));
afterAll(() => started.close());

describe('files in S3', () => {
  it('are imported, redacted, written by runs and downloaded, and Postgres has none of them', async () => {
    const { organizationId, taken, report, download } = await opened();
    expect(await taken()).toMatchObject({ redactionStatus: 'succeeded', lineCount: 5 });
    const { id, status, result } = await report();
    expect([status, result!.outputs.map(({ format }) => format)]).toEqual(['succeeded', ['json', 'csv']]);
    const json = await download(id);
    expect([json.status, JSON.parse(json.text)]).toEqual([200, expect.objectContaining({ schema: 'claim-report/1' })]);
    expect(Buffer.byteLength(json.text)).toBe(result!.outputs[0]!.bytes);
    expect((await download(id, 'csv')).status).toBe(200);
    expect(await inPostgres(organizationId)).toEqual([]);
    const kinds = ['statement_originals', 'claim_report_files', 'claim_report_files'];
    expect(await rowsIn(organizationId)).toEqual(kinds.map((kind) => ({ kind, status: 'kept' })));
    expect(await keysOf(organizationId)).toHaveLength(3);
  });

  it('may be larger than a part: they arrive whole, and in their order', async () => {
    const { organizationId, taken } = await opened();
    const line = (index: number): string => `2026-01-05,Ticket ${index} ${'of a long journey '.repeat(10)},-1.00,EUR`;
    const file = ['Date,Description,Amount,Currency', ...Array.from({ length: 12_000 }, (_, index) => line(index))].join('\n');
    expect(file.length).toBeGreaterThan(2 << 20);
    expect(await taken({ file })).toMatchObject({ redactionStatus: 'succeeded', lineCount: 12_000 });
    const [key] = await keysOf(organizationId);
    expect((await s3.bytesOf(key!)).length).toBeGreaterThan(file.length);
    const parts: Record<string, unknown>[] = [];
    for await (const text of app.app.get(ExportService).export(OPERATOR, organizationId)) {
      const { table, row } = JSON.parse(text) as { table?: string; row: Record<string, unknown> };
      if (table === 'statement_originals') parts.push(row);
    }
    expect(parts.map(({ part }) => part)).toEqual([0, 1, 2]);
    expect(parts.map(({ content }) => Buffer.from(content as string, 'base64').toString()).join('') === file).toBe(true);
  });

  it('show nothing of their content in the bucket', async () => {
    const { organizationId, taken, report } = await opened();
    await taken();
    await report();
    const keys = await keysOf(organizationId);
    expect(keys).toHaveLength(3);
    for (const key of keys) {
      expect(key).toMatch(new RegExp(`^${organizationId}/test/(statement_originals|claim_report_files)/[0-9a-f-]{36}$`));
      const bytes = await s3.bytesOf(key);
      for (const word of [...CANARIES, 'Ticket', 'claim-report/1', 'Date,Description']) expect(bytes.includes(word), word).toBe(false);
      // Not compressed data either: a file of gzip would begin like this.
      expect(bytes.includes(Buffer.of(0x1f, 0x8b, 0x08))).toBe(false);
    }
  });

  it('are refused if the store has changed them', async () => {
    const { organizationId, taken, report, download } = await opened();
    await taken();
    const { id } = await report();
    expect((await download(id)).status).toBe(200);
    for (const key of await keysOf(organizationId)) {
      const bytes = await s3.bytesOf(key);
      bytes[bytes.length - 1]! ^= 1;
      await writeFile(s3.fileOf(key), bytes);
    }
    const broken = await download(id).catch(() => ({ status: 0 }));
    expect(broken.status).not.toBe(200);
  });

  it('are put by signed requests: with another secret, nothing is accepted', async () => {
    const { organizationId, take } = await opened();
    withSettings({ s3SecretAccessKey: 'another one' });
    await expect(take()).rejects.toMatchObject({ code: 'unavailable', cause: { message: 'S3 answered 403 SignatureDoesNotMatch.' } });
    expect(await keysOf(organizationId)).toEqual([]);
  });

  it('leave nothing behind where an upload failed', async () => {
    const { organizationId, take, list } = await opened();
    await s3.stop();
    await expect(take()).rejects.toMatchObject({ code: 'unavailable' });
    await s3.start();
    expect((await list()).pagination.total).toBe(0);
    expect(await keysOf(organizationId)).toEqual([]);
  });
});

describe('while S3 is away', () => {
  it('uploads and downloads get 503 with Retry-After, runs wait, others go on, and all of it works later', async () => {
    const { organizationId, api, taken, take, list, report, queued, ended, download } = await opened();
    await taken();
    const { id } = await report();
    await s3.stop();
    await expect(take()).rejects.toMatchObject({ status: 503, code: 'unavailable', headers: { 'Retry-After': '5' } });
    expect((await list()).pagination.total).toBe(1);
    const refused = await download(id);
    expect([refused.status, refused.headers['retry-after'], (refused.body as { code: string }).code]).toEqual([503, '5', 'unavailable']);
    const waiting = await queued();
    await eventually(async () => {
      const [row] = await rowsOf<{ lease: string | null; lost: number; status: string }>(
        app.databaseUrl,
        'SELECT lease, lost_workers AS lost, status FROM claim_reports WHERE id = $1 AND taken_at IS NOT NULL',
        [waiting.id],
      );
      expect(row).toEqual({ lease: null, lost: 0, status: 'running' });
    });
    expect((await api.get('/v1/organization')).status).toBe(200);
    await s3.start();
    await rowsOf(app.databaseUrl, 'UPDATE claim_reports SET leased_until = now() WHERE id = $1', [waiting.id]);
    expect((await ended(waiting.id)).status).toBe('succeeded');
    expect((await download(waiting.id)).status).toBe(200);
    expect((await download(id)).status).toBe(200);
    expect(await taken({ fileName: 'again.csv' })).toMatchObject({ redactionStatus: 'succeeded' });
    await app.app.get(FileRemoval).removeDue();
    expect((await rowsIn(organizationId)).filter(({ status }) => status === 'going')).toEqual([]);
  });

  it('a form gets 503 with Retry-After, and takes the same file later', async () => {
    const { browser } = await aVisitor(app);
    const path = await linkOf(browser, { projectId: await projectOf(browser) });
    const client = new LinkClient(app.url);
    await s3.stop();
    const refused = await client.send(path, [['january.csv', JANUARY]]);
    await s3.start();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await client.send(path, [['january.csv', JANUARY]])).text).toContain('january.csv Received');
  });
});

describe('the job files.remove', () => {
  const removal = () => app.app.get(FileRemoval).removeDue();

  it('removes what was put for a transaction that never came, but nothing before an hour', async () => {
    const { organizationId, taken } = await opened();
    await taken();
    // As a process leaves it that ends between the two.
    await rowsOf(
      app.databaseUrl,
      `UPDATE stored_files SET status = 'coming', next_attempt_at = created_at + interval '1 hour' WHERE organization_id = $1`,
      [organizationId],
    );
    await removal();
    expect(await keysOf(organizationId)).toHaveLength(1);
    await rowsOf(app.databaseUrl, "UPDATE stored_files SET next_attempt_at = now() - interval '1 second' WHERE organization_id = $1", [
      organizationId,
    ]);
    await removal();
    expect([await keysOf(organizationId), await rowsIn(organizationId)]).toEqual([[], []]);
  });

  it('removes at once what a transaction has left that was rolled back', async () => {
    const { organizationId, take } = await opened();
    await rowsOf(
      app.databaseUrl,
      `ALTER TABLE bank_statements ADD CONSTRAINT none CHECK (organization_id <> '${organizationId}') NOT VALID`,
    );
    await expect(take()).rejects.toThrow();
    await rowsOf(app.databaseUrl, 'ALTER TABLE bank_statements DROP CONSTRAINT none');
    await eventually(async () => expect([await keysOf(organizationId), await rowsIn(organizationId)]).toEqual([[], []]));
  });

  it('removes what was put when Postgres ended the connection before the commit, of which nothing is left', async () => {
    const { organizationId, take, list } = await opened();
    const holder = await openSession(app.databaseUrl);
    // Reads go on; what writes waits, and is ended.
    await holder.query('BEGIN; LOCK TABLE bank_statements IN SHARE ROW EXCLUSIVE MODE');
    try {
      let outcome: unknown;
      take().then(
        () => (outcome = 'imported'),
        (error: unknown) => (outcome = error),
      );
      await eventually(async () => {
        await rowsOf(
          app.databaseUrl,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~* 'bank_statements' AND pid <> pg_backend_pid()`,
        );
        expect(outcome).toMatchObject({ code: 'unavailable', message: 'The database is not available at the moment.' });
      });
    } finally {
      await holder.end();
    }
    await eventually(async () => expect([await keysOf(organizationId), await rowsIn(organizationId)]).toEqual([[], []]));
    expect((await list()).pagination.total).toBe(0);
  });

  it('tries again what S3 could not remove', async () => {
    const { organizationId, taken } = await opened();
    await taken();
    await s3.stop();
    await rowsOf(
      app.databaseUrl,
      `UPDATE stored_files SET status = 'going', next_attempt_at = now() - interval '1 second' WHERE organization_id = $1`,
      [organizationId],
    );
    await eventually(async () => {
      await removal().catch(() => undefined);
      const [row] = await rowsOf<{ attempts: number }>(app.databaseUrl, 'SELECT attempts FROM stored_files WHERE organization_id = $1', [
        organizationId,
      ]);
      expect(row!.attempts).toBeGreaterThan(0);
    });
    await s3.start();
    await rowsOf(app.databaseUrl, "UPDATE stored_files SET next_attempt_at = now() - interval '1 second' WHERE organization_id = $1", [
      organizationId,
    ]);
    await eventually(async () => {
      await removal();
      expect([await keysOf(organizationId), await rowsIn(organizationId)]).toEqual([[], []]);
    });
  });
});

describe('an installation that switches', () => {
  it('to S3 and back reads what is in either', async () => {
    const { organizationId, taken, report, download } = await opened();
    withSettings({ s3NewFiles: false });
    await taken();
    const first = await report();
    expect([(await inPostgres(organizationId)).length, await keysOf(organizationId)]).toEqual([3, []]);
    withSettings({ s3NewFiles: true });
    expect(await taken({ fileName: 'second.csv' })).toMatchObject({ redactionStatus: 'succeeded' });
    const second = await report();
    expect([(await inPostgres(organizationId)).length, (await keysOf(organizationId)).length]).toEqual([3, 3]);
    withSettings({ s3NewFiles: false });
    const third = await report();
    for (const { id } of [first, second, third]) expect((await download(id)).status).toBe(200);
    expect(await keysOf(organizationId)).toHaveLength(3);
  });
});

describe('what concerns all that an organization has', () => {
  it('exports files in S3 as it does those in Postgres', async () => {
    const { organizationId, taken, report } = await opened();
    const { id } = await taken();
    const run = await report();
    const lines: { table?: string; row: Record<string, unknown>; rows: Record<string, number> }[] = [];
    for await (const line of app.app.get(ExportService).export(OPERATOR, organizationId)) lines.push(JSON.parse(line) as never);
    const rows = (table: string) => lines.filter((line) => line.table === table).map(({ row }) => row);
    const tenant = { organizationId, environment: 'test', part: 0 };
    expect(rows('statement_originals')).toEqual([{ statementId: id, ...tenant, content: Buffer.from(JANUARY).toString('base64') }]);
    const file = { reportId: run.id, ...tenant, gzipped: true, content: expect.stringMatching(/^H4sI/) };
    expect(rows('claim_report_files')).toEqual([
      { ...file, format: 'json' },
      { ...file, format: 'csv' },
    ]);
    expect(lines.at(-1)!.rows).toMatchObject({ statement_originals: 1, claim_report_files: 2 });
    expect(lines.at(-1)!.rows).not.toHaveProperty('stored_files');
  });

  it('is not exported in part while S3 is away', async () => {
    const { organizationId, taken } = await opened();
    await taken();
    await s3.stop();
    const lines = app.app.get(ExportService).export(OPERATOR, organizationId);
    await expect(buffer(Readable.from(lines))).rejects.toMatchObject({ code: 'unavailable' });
    await s3.start();
  });

  it('is not erased while S3 is away; then all objects are gone, and those of others are there', async () => {
    const [own, other] = [await opened(), await opened()];
    for (const { taken } of [own, other]) await taken();
    const erasure = app.app.get(ErasureService);
    await s3.stop();
    await expect(erasure.erase(OPERATOR, own.organizationId)).rejects.toMatchObject({ code: 'unavailable' });
    expect((await erasure.proof(own.organizationId)).finishedAt).toBeNull();
    await s3.start();
    expect((await erasure.erase(OPERATOR, own.organizationId)).finishedAt).not.toBeNull();
    expect([await keysOf(own.organizationId), await rowsIn(own.organizationId)]).toEqual([[], []]);
    expect(await keysOf(other.organizationId)).toHaveLength(1);
  });
});
