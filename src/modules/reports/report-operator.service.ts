import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { changeContext, type Actor } from '../../kernel/context.js';
import { isUuid } from '../../kernel/ids.js';
import { UnitOfWork } from '../../store/database/unit-of-work.js';
import { Problem } from '../../kernel/problems.js';
import { compareResults, type ResultComparison } from './compare-results.js';
import { ReportRecord } from './run/report-record.js';
import type { ClaimReport } from './report.entity.js';
import { ClaimReportDto } from './reports.dto.js';
import { ClaimReportCancelled } from './reports.events.js';
import { ReportFilesService } from './files/report-files.service.js';
import { ReportsRepository } from './reports.repository.js';
import { missing } from './reports.service.js';
import type { ClaimReportResultDto } from './result.dto.js';
import type { OutputFormat } from '../rules/index.js';

export type OutputOf = ClaimReportResultDto['outputs'][number];

@Injectable()
export class ReportOperatorService {
  constructor(
    private readonly reports: ReportsRepository,
    private readonly files: ReportFilesService,
    private readonly record: ReportRecord,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async get(id: string): Promise<ClaimReportDto> {
    return ClaimReportDto.from(await this.byId(id));
  }

  async cancel(actor: Actor, id: string): Promise<ClaimReportDto> {
    const { organizationId, environment } = await this.byId(id);
    const ctx = { ...changeContext(organizationId, actor), environment, emits: [ClaimReportCancelled] };
    return this.unitOfWork.run(ctx, (inner) => this.record.cancel(inner, id));
  }

  async compare(first: string, second: string): Promise<ResultComparison> {
    const [from, to] = [await this.byId(first), await this.byId(second)];
    if (from.organizationId !== to.organizationId || from.environment !== to.environment)
      throw new Problem('validation_failed', { detail: 'The runs are of different organizations or environments.' });
    return compareResults(resultOf(from), resultOf(to));
  }

  /** The files of a run, with their hashes; null if there is no such run, or no result of it. */
  async outputs(id: string): Promise<readonly OutputOf[] | null> {
    const report = isUuid(id) ? await this.reports.byId(id) : undefined;
    return report?.result?.outputs ?? null;
  }

  async file(id: string, format: OutputFormat): Promise<Buffer> {
    const report = await this.byId(id);
    return buffer((await this.files.open(report, report, format)).content);
  }

  /** Operators name a run by its id, without its tenant. */
  private async byId(id: string): Promise<ClaimReport> {
    return (isUuid(id) ? await this.reports.byId(id) : undefined) ?? missing();
  }
}

function resultOf({ id, status, result }: ClaimReport): ClaimReportResultDto {
  if (!result) throw new Problem('validation_failed', { detail: `Run ${id} has no result: it is ${status}.` });
  return result;
}
