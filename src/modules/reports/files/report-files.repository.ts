import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../../store/database/database.js';
import type { ReadContext, WriteContext } from '../../../store/database/unit-of-work.js';
import type { OutputFormat } from '../../rules/index.js';

const OF_FILE = 'report_id = $1 AND organization_id = $2 AND environment = $3 AND format = $4';
const KEEP: Statement = {
  name: 'claim_report_files.keep',
  text:
    'INSERT INTO claim_report_files (report_id, organization_id, environment, format, part, content, gzipped) ' +
    'VALUES ($1, $2, $3, $4, $5, $6, true)',
};
const COUNT: Statement = {
  name: 'claim_report_files.count',
  text: `SELECT count(*)::int AS count, bool_or(gzipped) AS gzipped FROM claim_report_files WHERE ${OF_FILE}`,
};
const PART: Statement = {
  name: 'claim_report_files.part',
  text: `SELECT content FROM claim_report_files WHERE ${OF_FILE} AND part = $5`,
};

/** The output files of runs. They are read part by part, because many may be downloaded at once, and never change. */
@Injectable()
export class ReportFilesRepository {
  constructor(private readonly database: Database) {}

  async keep(ctx: WriteContext, reportId: string, format: OutputFormat, gzip: readonly Uint8Array[]): Promise<void> {
    const file = paramsOf(ctx, reportId, format);
    for (const [part, content] of gzip.entries()) await this.database.rows(KEEP, [...file, part, content], ctx.unit);
  }

  /** The file, read while it is sent; undefined if there is none. */
  async open(ctx: ReadContext, reportId: string, format: OutputFormat): Promise<Readable | undefined> {
    const file = paramsOf(ctx, reportId, format);
    const { count, gzipped } = (await this.database.rows<{ count: number; gzipped: boolean }>(COUNT, file))[0]!;
    if (count === 0) return undefined;
    const stored = Readable.from(this.partsOf(file, count));
    // An error of the stored parts is one of the unpacked file, whose reader hears of it.
    return gzipped ? pipeline(stored, createGunzip(), () => undefined) : stored;
  }

  private async *partsOf(file: readonly unknown[], count: number): AsyncGenerator<Buffer> {
    for (let part = 0; part < count; part += 1) {
      const [found] = await this.database.rows<{ content: Buffer }>(PART, [...file, part]);
      if (!found) throw new Error('The file was removed while it was read.');
      yield found.content;
    }
  }
}

const paramsOf = (ctx: ReadContext, reportId: string, format: OutputFormat): unknown[] => [
  reportId,
  ctx.organizationId,
  ctx.environment,
  format,
];
