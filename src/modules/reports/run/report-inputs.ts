import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { ConfigurationsService } from '../../configurations/index.js';
import { OrganizationService } from '../../organization/index.js';
import { ProjectsService } from '../../projects/index.js';
import type { RunInputs } from '../engine/inputs.js';
import type { ClaimReport } from '../report.entity.js';
import { pick } from './pick.js';
import { RunQuotes } from './run-quotes.js';
import { RunStatements } from './run-statements.js';
import { SelectedCategories } from './selected-categories.js';

/** Collects the inputs of a run. */
@Injectable()
export class ReportInputs {
  constructor(
    private readonly organizations: OrganizationService,
    private readonly projects: ProjectsService,
    private readonly configurations: ConfigurationsService,
    private readonly categories: SelectedCategories,
    private readonly statements: RunStatements,
    private readonly quotes: RunQuotes,
  ) {}

  /** Rejects what is more than a run may use before it is read. */
  async collect(ctx: Tenant, report: Pick<ClaimReport, 'projectId' | 'reportConfigurationId'>, signal: AbortSignal): Promise<RunInputs> {
    const found = report.reportConfigurationId === null ? null : await this.configurations.get(ctx, report.reportConfigurationId);
    const configuration = found && pick(found, ['id', 'name', 'periodStart', 'periodEnd', 'categoryFilter', 'outputOptions']);
    const projectId = report.projectId ?? found?.projectId ?? null;
    const project = projectId === null ? null : await this.projects.get(ctx, projectId);
    const requested = configuration ?? project;
    const period = requested && { start: requested.periodStart, end: requested.periodEnd };
    const inputs = {
      organization: pick(await this.organizations.byId(ctx.organizationId), ['name']),
      project: project && pick(project, ['id', 'name', 'clientReference', 'periodStart', 'periodEnd']),
      configuration,
      categories: await this.categories.of(ctx, projectId, configuration, signal),
      statements: await this.statements.of(ctx, projectId, period),
    };
    const quotes = await this.quotes.of(ctx, inputs, period);
    const isEmpty = projectId !== null && inputs.statements.length === 0;
    const otherStatements = isEmpty ? await this.statements.otherThan(ctx, projectId, period) : undefined;
    return { ...inputs, ...(otherStatements && { otherStatements }), ...(quotes && { quotes }) };
  }

  /** To be called after the lines were read. */
  async requireStillKept(ctx: Tenant, { statements }: RunInputs): Promise<void> {
    await this.statements.requireStillKept(ctx, statements);
  }
}
