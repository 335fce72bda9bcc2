import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/time.js';
import type { ReadContext, WriteContext } from '../../store/database/unit-of-work.js';
import { aNewRow } from '../../store/database/columns.js';
import { notFound, Problem } from '../../kernel/problems.js';
import { Events } from '../../store/events/events.js';
import { Implements } from '../../store/discovery/ports.js';
import { WakeUps } from '../../store/jobs/wake-ups.js';
import type { Counted, PageOf } from '../../store/tenant/page.js';
import { ConfigurationsService } from '../configurations/index.js';
import { ProjectsService, RelatedRecords, type SomeRecord } from '../projects/index.js';
import type { ClaimLineDto } from './lines/claim-lines.dto.js';
import type { ClaimReport } from './report.entity.js';
import { CLAIM_REPORT_FIELDS, ClaimReportDto, type CreateClaimReportDto, type ListClaimReportsQuery } from './reports.dto.js';
import { ClaimReportQueued } from './reports.events.js';
import { ReportsRepository } from './reports.repository.js';
import { RUN_REPORTS } from './run/report-run.processor.js';

@Implements(RelatedRecords)
@Injectable()
export class ReportsService implements RelatedRecords {
  constructor(
    private readonly reports: ReportsRepository,
    private readonly projects: ProjectsService,
    private readonly configurations: ConfigurationsService,
    private readonly events: Events,
    private readonly wakeUps: WakeUps,
    private readonly clock: Clock,
  ) {}

  countsByStatus(ctx: ReadContext): Promise<Counted | undefined> {
    return this.reports.countsBy(ctx, 'status');
  }

  list(ctx: ReadContext, query: ListClaimReportsQuery): Promise<PageOf<ClaimReport>> {
    return this.reports.page(ctx, query, {
      projectId: query.project_id,
      reportConfigurationId: query.report_configuration_id,
      status: query.status,
      ...CLAIM_REPORT_FIELDS.filters(query),
    });
  }

  /** The newest ones of a project, without results that are too large for a list. */
  newest(ctx: ReadContext, projectId: string, limit: number): Promise<ClaimReport[]> {
    return this.reports.newest(ctx, projectId, limit);
  }

  find(ctx: ReadContext, id: string): Promise<ClaimReport | undefined> {
    return this.reports.get(ctx, id);
  }

  async get(ctx: ReadContext, id: string): Promise<ClaimReport> {
    return (await this.find(ctx, id)) ?? missing();
  }

  /** Of a closing the run, and of decisions the runs of their lines. */
  async findRelated(ctx: ReadContext, { reportId, data }: SomeRecord): Promise<readonly ClaimReport[]> {
    const lines = Array.isArray(data) ? (data as readonly Partial<ClaimLineDto>[]) : [];
    const ids = new Set([reportId, ...lines.map((line) => line.reportId)].filter((id) => typeof id === 'string'));
    return Promise.all([...ids].map((id) => this.get(ctx, id)));
  }

  async create(ctx: WriteContext, input: CreateClaimReportDto): Promise<ClaimReport> {
    const { projectId = null, reportConfigurationId = null } = input;
    const now = this.clock.timestamp();
    const row: ClaimReport = {
      ...aNewRow(ctx, now),
      projectId,
      reportConfigurationId,
      status: 'queued',
      queuedAt: now,
      startedAt: null,
      finishedAt: null,
      result: null,
      resultBytes: null,
      progress: null,
      failure: null,
      ...CLAIM_REPORT_FIELDS.stored(input),
    };
    const testOutcome = await this.configurations.takeTestOutcome(ctx, reportConfigurationId);
    const [configuration] = await Promise.all([
      this.configurations.related(ctx, reportConfigurationId),
      this.projects.writeRelated(ctx, projectId, () => this.reports.insert(ctx, { ...row, testOutcome, lostWorkers: 0 })),
    ]);
    requireSameProject(projectId, configuration);
    this.events.append(ctx, ClaimReportQueued, { before: null, after: ClaimReportDto.from(row) });
    ctx.unit.afterCommit.push(() => this.wakeUps.wake(RUN_REPORTS));
    return row;
  }
}

export const missing = (): never => notFound('There is no claim report with this id.');

/** A run of a project can have a configuration of this project, or of none. */
export function requireSameProject(projectId: string | null, configuration: { readonly projectId: string | null } | null): void {
  if (projectId !== null && configuration && configuration.projectId !== null && configuration.projectId !== projectId)
    throw projectMismatch();
}

function projectMismatch(): Problem {
  const error = { field: 'projectId', code: 'not_of_configuration', message: 'must be the project of the report configuration' } as const;
  return Problem.atField('validation_failed', error, (field) => `The report configuration belongs to a claim project other than ${field}.`);
}
