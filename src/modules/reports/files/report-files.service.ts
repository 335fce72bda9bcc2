import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Problem } from '../../../kernel/problems.js';
import type { ReadContext } from '../../../store/database/unit-of-work.js';
import type { OutputFormat } from '../../rules/index.js';
import { ReportFilesRepository } from './report-files.repository.js';
import type { ClaimReport } from '../report.entity.js';

export interface OpenFile {
  readonly bytes: number;
  readonly content: Readable;
}

/** The output files of runs. */
@Injectable()
export class ReportFilesService {
  constructor(private readonly files: ReportFilesRepository) {}

  async open(ctx: ReadContext, { id, status, result }: ClaimReport, format: OutputFormat): Promise<OpenFile> {
    const output = result?.outputs.find((made) => made.format === format);
    const content = output && (await this.files.open(ctx, id, format));
    if (content) return { bytes: output.bytes, content };
    const detail =
      status === 'succeeded'
        ? `The run has no ${format} file. List the format in outputOptions.formats of the report configuration and run it again.`
        : `The run is ${status}. Only a run that has succeeded has files.`;
    throw new Problem('not_found', { detail });
  }
}
