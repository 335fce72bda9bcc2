import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Threads } from '../../../store/threads/threads.js';
import { CategoriesService, type CategoryOutline } from '../../categories/index.js';
import { ConfigurationsService } from '../../configurations/index.js';
import { ProjectsService } from '../../projects/index.js';
import { StatementsService, type ReadableStatement } from '../../statements/index.js';
import type { RunCategory, RunConfiguration, RunInputs, RunStatement } from '../engine/inputs.js';
import { requireWithin } from '../engine/within-limits.js';
import type { ClaimReport } from '../report.entity.js';
import type { RunPeriodDto } from '../result.dto.js';
import { requireKept, withContent } from './kept-content.js';
import type selectCategories from './select-categories.computation.js';

const SELECT_CATEGORIES = new URL('./select-categories.computation.js', import.meta.url);

/** Collects the inputs of a run. */
@Injectable()
export class ReportInputs {
  constructor(
    private readonly projects: ProjectsService,
    private readonly configurations: ConfigurationsService,
    private readonly categories: CategoriesService,
    private readonly statements: StatementsService,
    private readonly threads: Threads,
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
      project: project && pick(project, ['id', 'name', 'periodStart', 'periodEnd']),
      configuration,
      categories: await this.categoriesOf(ctx, projectId, configuration, signal),
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

  /** The categories that take part. The rules of the others are not read. */
  private async categoriesOf(
    ctx: Tenant,
    projectId: string | null,
    configuration: RunConfiguration | null,
    signal: AbortSignal,
  ): Promise<RunCategory[]> {
    const applicable = await this.categories.applicable(ctx, projectId);
    const ids = new Set(await this.selected(configuration, applicable, signal));
    const selected = applicable.filter(({ id }) => ids.has(id));
    const bytes = selected.reduce((sum, { mappingBytes }) => sum + mappingBytes, 0);
    requireWithin(this.settings.reportLimits.rulesBytes, bytes, 'rules_too_large', 'Bytes of rules', 'Select fewer categories.');
    const mappings = await this.categories.mappings(ctx, [...ids]);
    return selected.map((category) => ({
      ...pick(category, ['id', 'projectId', 'code', 'name', 'status']),
      sourceMapping: mappings.get(category.id)!,
    }));
  }

  private async selected(
    configuration: RunConfiguration | null,
    applicable: readonly CategoryOutline[],
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const categories = applicable.map((category) => pick(category, ['id', 'code', 'status']));
    const input = { categoryFilter: configuration?.categoryFilter ?? {}, categories };
    const advice = 'Use fewer patterns in categoryFilter.';
    const selection = this.threads.compute<typeof selectCategories>(SELECT_CATEGORIES, { input, items: NOTHING, signal, advice });
    return (await selection.next()).value;
  }

  private async statementsOf(ctx: Tenant, projectId: string | null, period: RunPeriodDto | null): Promise<RunStatement[]> {
    const limits = this.settings.reportLimits;
    const found = await this.statements.readable(ctx, projectId, period, limits.statements + 1);
    const statements = withContent(found);
    const advice = 'Report a shorter period, or one project at a time.';
    requireWithin(limits.statements, found.length, 'too_many_statements', 'Statements', advice);
    const lines = statements.reduce((sum, { lineCount }) => sum + (lineCount ?? 0), 0);
    requireWithin(limits.lines, lines, 'too_many_lines', 'Lines of statements', advice);
    const matched = await this.statements.matchedAccounts(ctx, statements);
    return statements.map((statement) => ofStatement(statement, matched.get(statement.id) ?? null));
  }
}

/** The items of a computation that only needs its input. */
const NOTHING: AsyncIterable<never> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
};

/** The redaction version of statements that were imported as redacted. */
const DECLARED = 'declared';

function ofStatement({ redaction, ...statement }: ReadableStatement, matchedAccount: string | null): RunStatement {
  return {
    ...pick(statement, ['id', 'projectId', 'sha256', 'periodStart', 'periodEnd', 'format', 'balances', 'warnings']),
    matchedAccount,
    redactionVersion: redaction?.engineVersion ?? DECLARED,
  };
}

function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;
}
