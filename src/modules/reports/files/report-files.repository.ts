import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Tenant } from '../../../kernel/context.js';
import { Database } from '../../../store/database/database.js';
import type { ReadContext, WriteContext } from '../../../store/database/unit-of-work.js';
import { Implements } from '../../../store/discovery/ports.js';
import { FileOwner } from '../../../store/files/file-owner.js';
import { type FileOf, type PlacedFile, StoredFiles } from '../../../store/files/stored-files.js';
import { TENANT, tenantSql } from '../../../store/tenant/tenant-sql.js';
import type { OutputFormat } from '../../rules/index.js';
import type { WrittenFile } from '../outputs/write-outputs.js';

const OF_FILE = `report_id = :reportId AND ${TENANT} AND format = :format` as const;
const KEEP = tenantSql(
  'claim_report_files.keep',
  `INSERT INTO claim_report_files (report_id, organization_id, environment, format, part, content, gzipped)
    VALUES (:reportId, :organizationId, :environment, :format, :part, :content, true)`,
);
const REMOVE = tenantSql('claim_report_files.remove', `DELETE FROM claim_report_files WHERE ${OF_FILE}`);
const COUNT = tenantSql(
  'claim_report_files.count',
  `SELECT count(*)::int AS count, bool_or(gzipped) AS gzipped FROM claim_report_files WHERE ${OF_FILE}`,
  'Of a run that was read before.',
);
const PART = tenantSql(
  'claim_report_files.part',
  `SELECT content FROM claim_report_files WHERE ${OF_FILE} AND part = :part`,
  'Of a run that was read before.',
);

/** A file of a run, and where it is if it was put into a foreign store. */
export interface FileToKeep extends Pick<WrittenFile, 'format' | 'gzip'> {
  readonly placed?: PlacedFile | undefined;
}

const KIND = 'claim_report_files';
const outputOf = (reportId: string, format: string): FileOf => ({ kind: KIND, ownerId: reportId, name: format });

/**
 * The output files of runs. They are read part by part, because many may be downloaded at once. They never change, but for the pack of a
 * final claim, which is signed once.
 */
@Implements(FileOwner)
export class ReportFilesRepository implements FileOwner {
  readonly kind = KIND;

  constructor(
    private readonly database: Database,
    private readonly stored: StoredFiles,
  ) {}

  /** Runs the transaction that keeps files. Where they go to a foreign store, they are put there before, encrypted. */
  placing<T>(
    tenant: Tenant,
    reportId: string,
    files: readonly FileToKeep[],
    work: (files: readonly FileToKeep[]) => Promise<T>,
  ): Promise<T> {
    const wanted = files.map(({ format, gzip }) => ({ ...outputOf(reportId, format), parts: () => gzip }));
    return this.stored.placing(tenant, wanted, (placed) => work(files.map((file, index) => ({ ...file, placed: placed[index] }))));
  }

  async keep(ctx: WriteContext, reportId: string, { format, gzip, placed }: FileToKeep): Promise<void> {
    if (placed) return this.stored.claim(ctx, placed);
    for (const [part, content] of gzip.entries()) {
      await this.database.rows(...KEEP.bind(ctx, { reportId, format, part, content }), ctx.unit);
    }
  }

  async replace(ctx: WriteContext, reportId: string, file: FileToKeep): Promise<void> {
    await this.database.rows(...REMOVE.bind(ctx, { reportId, format: file.format }), ctx.unit);
    await this.stored.retireOne(ctx, outputOf(reportId, file.format));
    await this.keep(ctx, reportId, file);
  }

  rowOf({ ownerId, name }: FileOf): object {
    return { reportId: ownerId, format: name, gzipped: true };
  }

  /** The file, read while it is sent; undefined if there is none. */
  async open(ctx: ReadContext, reportId: string, format: OutputFormat): Promise<Readable | undefined> {
    const elsewhere = await this.stored.open(ctx, outputOf(reportId, format));
    if (elsewhere) return unpacked(Readable.from(elsewhere));
    const [counted] = await this.database.rows<{ count: number; gzipped: boolean }>(...COUNT.bind(ctx, { reportId, format }));
    const { count, gzipped } = counted!;
    if (count === 0) {
      await this.stored.requireNoneElsewhere(ctx, outputOf(reportId, format));
      return undefined;
    }
    const stored = Readable.from(this.partsOf(ctx, reportId, format, count));
    return gzipped ? unpacked(stored) : stored;
  }

  private async *partsOf(tenant: Tenant, reportId: string, format: OutputFormat, count: number): AsyncGenerator<Buffer> {
    for (let part = 0; part < count; part += 1) {
      const [found] = await this.database.rows<{ content: Buffer }>(...PART.bind(tenant, { reportId, format, part }));
      if (!found) throw new Error('The file was removed while it was read.');
      yield found.content;
    }
  }
}

/** An error of the stored parts is one of the unpacked file, whose reader hears of it. */
const unpacked = (stored: Readable): Readable => pipeline(stored, createGunzip(), () => undefined);
