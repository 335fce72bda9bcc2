import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { chosenAmong, chosenIn } from '../../../api/console/parts/list.js';
import type { PageContext } from '../../../api/console/page.js';
import { Problem } from '../../../kernel/problems.js';
import { OUTPUT_FORMATS } from '../../rules/index.js';
import { compareResults, type ResultComparison } from '../compare-results.js';
import { ReportFilesService } from '../files/report-files.service.js';
import { FILE_KINDS, fileNameOf } from '../outputs/report-output.js';
import { ReportOperatorService } from '../report-operator.service.js';
import { REPORT_STATUSES, type ClaimReport } from '../report.entity.js';
import { ReportsService } from '../reports.service.js';
import type { ChoicesOfRuns } from './run-names.js';

/** The run before one is looked for among the newest of the same project and configuration. */
const RUNS_SEARCHED = 100;

@Injectable()
export class RunHistory {
  constructor(
    private readonly reports: ReportsService,
    private readonly files: ReportFilesService,
    private readonly operator: ReportOperatorService,
  ) {}

  /** The last run with a result, of the same project and configuration, before this one. It may lack its result. */
  private async before(ctx: PageContext, { id, projectId, reportConfigurationId }: ClaimReport): Promise<ClaimReport | undefined> {
    const { rows } = await this.reports.list(ctx, {
      page: 1,
      page_size: RUNS_SEARCHED,
      status: 'succeeded',
      ...(projectId !== null && { project_id: projectId }),
      ...(reportConfigurationId !== null && { report_configuration_id: reportConfigurationId }),
    });
    // Ids are in the order of time.
    return rows.find((run) => run.id < id && run.projectId === projectId && run.reportConfigurationId === reportConfigurationId);
  }

  async compareWithBefore(ctx: PageContext, run: ClaimReport): Promise<{ before: ClaimReport; comparison: ResultComparison } | undefined> {
    const found = run.result && (await this.before(ctx, run));
    if (!found || !run.result) return undefined;
    const before = await this.reports.get(ctx, found.id);
    return before.result ? { before, comparison: compareResults(before.result, run.result) } : undefined;
  }

  /** The operator's service finds a run of any organization: this one was found for its own. */
  async cancel({ actor }: PageContext, { id }: ClaimReport): Promise<void> {
    await this.operator.cancel(actor, id);
  }

  async file(ctx: PageContext, run: ClaimReport, wanted: string): Promise<{ name: string; mediaType: string; content: Readable }> {
    const format = OUTPUT_FORMATS.find((one) => one === wanted);
    if (!format) throw new Problem('not_found', { detail: 'There is no file of this format.' });
    const { content } = await this.files.open(ctx, run, format);
    return { name: fileNameOf(format, run.id), mediaType: FILE_KINDS[format].mediaType, content };
  }
}

export const filtersIn = (ctx: PageContext, { projects, configurations }: ChoicesOfRuns) => ({
  project_id: chosenAmong(ctx, 'project', projects),
  report_configuration_id: chosenAmong(ctx, 'configuration', configurations),
  status: chosenIn(ctx, 'status', REPORT_STATUSES),
});
