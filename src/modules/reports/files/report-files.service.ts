import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Problem } from '../../../kernel/problems.js';
import type { ReadContext } from '../../../store/database/unit-of-work.js';
import type { OutputFormat } from '../../rules/index.js';
import { ReportFilesRepository } from './report-files.repository.js';
import type { ClaimReport } from '../report.entity.js';
import type { ClaimReportOutputDto } from '../result.dto.js';

export interface OpenFile {
  readonly bytes: number;
  readonly content: Readable;
}

/** The output files of runs. */
@Injectable()
export class ReportFilesService {
  constructor(private readonly files: ReportFilesRepository) {}

  async open(ctx: ReadContext, report: ClaimReport, format: OutputFormat): Promise<OpenFile> {
    const { bytes } = this.require(report, format);
    const content = await this.files.open(ctx, report.id, format);
    return content ? { bytes, content } : noFile(report, format);
  }

  /** What the run says of its file. */
  require(report: ClaimReport, format: OutputFormat): Pick<ClaimReportOutputDto, 'bytes'> {
    return report.result?.outputs.find((made) => made.format === format) ?? noFile(report, format);
  }
}

function noFile({ status }: ClaimReport, format: OutputFormat): never {
  const detail =
    status === 'succeeded'
      ? `The run has no ${format} file. List the format in outputOptions.formats of the report configuration and run it again.`
      : `The run is ${status}. Only a run that has succeeded has files.`;
  throw new Problem('not_found', { detail });
}
