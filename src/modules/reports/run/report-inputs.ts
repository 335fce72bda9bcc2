import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { ConfigurationsService } from '../../configurations/index.js';
import { OrganizationService } from '../../organization/index.js';
import { ProjectsService } from '../../projects/index.js';
import { StatementsService, type ReadableStatement } from '../../statements/index.js';
import type { RunInputs, RunStatement } from '../engine/inputs.js';
import { requireWithin } from '../engine/within-limits.js';
import type { ClaimReport } from '../report.entity.js';
import type { RunPeriodDto } from '../result.dto.js';
import { requireKept, withContent } from './kept-content.js';
import { pick } from './pick.js';
import { SelectedCategories } from './selected-categories.js';

/** Collects the inputs of a run. */
@Injectable()
export class ReportInputs {
  constructor(
    private readonly organizations: OrganizationService,
    private readonly projects: ProjectsService,
    private readonly configurations: ConfigurationsService,
    private readonly categories: SelectedCategories,
    private readonly statements: StatementsService,
    private readonly settings: Settings,
  ) {}

  /** Rejects what is more than a run may use before it is read. */
  async collect(ctx: Tenant, report: Pick<ClaimReport, 'projectId' | 'reportConfigurationId'>, signal: AbortSignal): Promise<RunInputs> {
    const found = report.reportConfigurationId === null ? null : await this.configurations.get(ctx, report.reportConfigurationId);
    const configuration = found && pick(found, ['id', 'name', 'periodStart', 'periodEnd', 'categoryFilter', 'outputOptions']);
    const projectId = report.projectId ?? found?.projectId ?? null;
    const project = projectId === null ? null : await this.projects.get(ctx, projectId);
    const requested = configuration ?? project;
    return {
      organization: pick(await this.organizations.byId(ctx.organizationId), ['name']),
      project: project && pick(project, ['id', 'name', 'clientReference', 'periodStart', 'periodEnd']),
      configuration,
      categories: await this.categories.of(ctx, projectId, configuration, signal),
      statements: await this.statementsOf(ctx, projectId, requested && { start: requested.periodStart, end: requested.periodEnd }),
    };
  }

  /** To be called after the lines were read: their retention may have ended meanwhile, and then some of them were missing. */
  async requireStillKept(ctx: Tenant, { statements }: RunInputs): Promise<void> {
    requireKept(
      await this.statements.expiredOf(
        ctx,
        statements.map(({ id }) => id),
      ),
    );
  }

  private async statementsOf(ctx: Tenant, projectId: string | null, period: RunPeriodDto | null): Promise<RunStatement[]> {
    const limits = this.settings.reportLimits;
    const found = await this.statements.readable(ctx, projectId, period, limits.statements + 1);
    const statements = withContent(found);
    const advice = 'Report a shorter period, or one project at a time.';
    requireWithin(limits.statements, found.length, 'too_many_statements', 'Statements', advice);
    const lines = statements.reduce((sum, { lineCount }) => sum + (lineCount ?? 0), 0);
    requireWithin(limits.lines, lines, 'too_many_lines', 'Lines of statements', advice);
    return statements.map(ofStatement);
  }
}

/** The redaction version of statements that were imported as redacted. */
const DECLARED = 'declared';

function ofStatement({ redaction, ...statement }: ReadableStatement): RunStatement {
  return {
    ...pick(statement, ['id', 'projectId', 'fileName', 'accountLabel', 'sha256', 'periodStart', 'periodEnd', 'balances', 'warnings']),
    redactionVersion: redaction?.engineVersion ?? DECLARED,
  };
}
