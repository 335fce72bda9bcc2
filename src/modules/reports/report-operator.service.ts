import { Injectable } from '@nestjs/common';
import { changeContext, type Actor } from '../../kernel/context.js';
import { isUuid } from '../../kernel/ids.js';
import { UnitOfWork } from '../../store/database/unit-of-work.js';
import { Problem } from '../../kernel/problems.js';
import { ReportRecord } from './run/report-record.js';
import type { ClaimReport } from './report.entity.js';
import { ClaimReportDto } from './reports.dto.js';
import { ReportsRepository } from './reports.repository.js';
import { missing } from './reports.service.js';
import type { OutputFormat } from './result.dto.js';

/** What is done with runs on the settings' side. */
@Injectable()
export class ReportOperatorService {
  constructor(
    private readonly reports: ReportsRepository,
    private readonly record: ReportRecord,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** As REST returns it. */
  async get(id: string): Promise<ClaimReportDto> {
    return ClaimReportDto.from(await this.byId(id));
  }

  /** Ends a run that has not come to its end. A worker that is at it finds out, and its result is dropped. */
  async cancel(actor: Actor, id: string): Promise<ClaimReportDto> {
    const { organizationId, environment } = await this.byId(id);
    await this.unitOfWork.run({ ...changeContext(organizationId, actor), environment }, async (ctx) => {
      const { status } = (await this.reports.lock(ctx, id))!;
      if (status !== 'queued' && status !== 'running')
        throw new Problem('validation_failed', {
          detail: `Only a run that has not come to its end can be cancelled, and this one is ${status}.`,
        });
      await this.record.cancelled(ctx, id);
    });
    return this.get(id);
  }

  async file(id: string, format: OutputFormat): Promise<Buffer> {
    const report = await this.byId(id);
    const file = await this.reports.file(report, id, format);
    if (!file)
      throw new Problem('not_found', { detail: `The run has no ${format} file: its outputOptions name the formats that are made.` });
    return file;
  }

  /** The operator names a run by its id alone. */
  private async byId(id: string): Promise<ClaimReport> {
    return (isUuid(id) ? await this.reports.byId(id) : undefined) ?? missing();
  }
}
