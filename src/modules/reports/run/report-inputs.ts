import { Injectable } from '@nestjs/common';
import type { ReadContext } from '../../../store/database/transaction.js';
import { CategoriesService } from '../../categories/index.js';
import { ConfigurationsService } from '../../configurations/index.js';
import { ProjectsService } from '../../projects/index.js';
import { StatementsService, type ReadableStatement } from '../../statements/index.js';
import type { RunInputs, RunStatement } from '../engine/inputs.js';
import type { ClaimReport } from '../report.entity.js';

/** Collects the inputs of a run. */
@Injectable()
export class ReportInputs {
  constructor(
    private readonly projects: ProjectsService,
    private readonly configurations: ConfigurationsService,
    private readonly categories: CategoriesService,
    private readonly statements: StatementsService,
  ) {}

  async collect(ctx: ReadContext, report: Pick<ClaimReport, 'projectId' | 'reportConfigurationId'>): Promise<RunInputs> {
    const configuration = report.reportConfigurationId === null ? null : await this.configurations.get(ctx, report.reportConfigurationId);
    const projectId = report.projectId ?? configuration?.projectId ?? null;
    const project = projectId === null ? null : await this.projects.get(ctx, projectId);
    const requested = configuration ?? project;
    const period = requested && { start: requested.periodStart, end: requested.periodEnd };
    const categories = await this.categories.applicable(ctx, projectId);
    const statements = await this.statements.readable(ctx, projectId, period);
    return {
      project: project && pick(project, ['id', 'name', 'periodStart', 'periodEnd']),
      configuration: configuration && pick(configuration, ['id', 'name', 'periodStart', 'periodEnd', 'categoryFilter', 'outputOptions']),
      categories: categories.map((category) => pick(category, ['id', 'projectId', 'code', 'name', 'status', 'sourceMapping'])),
      statements: statements.map(ofStatement),
    };
  }
}

/** The redaction version of statements that were imported as redacted. */
const DECLARED = 'declared';

function ofStatement({ redaction, ...statement }: ReadableStatement): RunStatement {
  return {
    ...pick(statement, ['id', 'projectId', 'sha256', 'periodStart', 'periodEnd', 'balances']),
    redactionVersion: redaction?.engineVersion ?? DECLARED,
  };
}

function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;
}
