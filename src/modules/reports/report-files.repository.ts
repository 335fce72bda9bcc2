import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../store/database/database.js';
import type { ReadContext, WriteContext } from '../../store/database/unit-of-work.js';
import type { OutputFormat } from '../rules/index.js';

/** How much of a file is read at a time: many may be downloaded at once. */
const PART_BYTES = 1024 * 1024;

const BY_FORMAT = 'report_id = $1 AND organization_id = $2 AND environment = $3 AND format = $4';
const KEEP: Statement = {
  name: 'claim_report_files.keep',
  text:
    'INSERT INTO claim_report_files (report_id, organization_id, environment, format, content, gzipped) ' +
    'VALUES ($1, $2, $3, $4, $5, true)',
};
const PART: Statement = {
  name: 'claim_report_files.part',
  text: `SELECT substr(content, $5, ${PART_BYTES}) AS part, gzipped FROM claim_report_files WHERE ${BY_FORMAT}`,
};

interface Part {
  readonly part: Buffer;
  readonly gzipped: boolean;
}

/** The output files of runs. They never change. */
@Injectable()
export class ReportFilesRepository {
  constructor(private readonly database: Database) {}

  async keep(ctx: WriteContext, reportId: string, format: OutputFormat, gzip: Uint8Array): Promise<void> {
    await this.database.rows(KEEP, [...paramsOf(ctx, reportId, format), gzip], ctx.unit);
  }

  /** The file, read while it is sent; undefined if there is none. */
  async open(ctx: ReadContext, reportId: string, format: OutputFormat): Promise<Readable | undefined> {
    const partFrom = async (position: number): Promise<Part | undefined> =>
      (await this.database.rows<Part>(PART, [...paramsOf(ctx, reportId, format), position]))[0];
    const first = await partFrom(1);
    if (!first) return undefined;
    const stored = Readable.from(partsOf(first, partFrom));
    // An error of the stored parts is one of the unpacked file, whose reader hears of it.
    return first.gzipped ? pipeline(stored, createGunzip(), () => undefined) : stored;
  }
}

async function* partsOf(first: Part, partFrom: (position: number) => Promise<Part | undefined>): AsyncGenerator<Buffer> {
  let { part } = first;
  for (let position = 1; part.length > 0;) {
    yield part;
    if (part.length < PART_BYTES) return;
    position += part.length;
    const next = await partFrom(position);
    if (!next) throw new Error('The file was removed while it was read.');
    ({ part } = next);
  }
}

const paramsOf = (ctx: ReadContext, reportId: string, format: OutputFormat): unknown[] => [
  reportId,
  ctx.organizationId,
  ctx.environment,
  format,
];
