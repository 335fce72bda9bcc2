import { Injectable } from '@nestjs/common';
import type { PageContext } from '../../../api/console/page-context.js';
import type { Tenant } from '../../../kernel/context.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Implements } from '../../../store/discovery/ports.js';
import { Threads } from '../../../store/threads/threads.js';
import { PREVIEWED_LINES, RulePreviews, type PreviewedCategory, type PreviewScope, type RulePreview } from '../../categories/index.js';
import { ProjectsService } from '../../projects/index.js';
import { StatementsService } from '../../statements/index.js';
import type { RunInputs, RunLine } from '../engine/inputs.js';
import { RunStatements, type SomeLines } from '../run/run-statements.js';
import { SelectedCategories } from '../run/selected-categories.js';
import { ADVICE, MOST_READ, whileSomebodyWaits } from './preview-limits.js';
import type previewRules from './preview-rules.computation.js';
import type { PreviewOrder } from './preview-rules.computation.js';

const PREVIEW_RULES = new URL('./preview-rules.computation.js', import.meta.url);

const NEW = 'new';

/** Computes what rules would claim, in a thread, as a run does. */
@Implements(RulePreviews)
@Injectable()
export class RulePreviewer implements RulePreviews {
  constructor(
    private readonly projects: ProjectsService,
    private readonly categories: SelectedCategories,
    private readonly runStatements: RunStatements,
    private readonly statements: StatementsService,
    private readonly threads: Threads,
    private readonly settings: Settings,
  ) {}

  async of(ctx: PageContext, category: PreviewedCategory, scope: PreviewScope): Promise<RulePreview> {
    // A category of a project claims lines of its statements only.
    const projectId = scope.projectId ?? category.projectId;
    if (projectId !== null) await this.projects.get(ctx, projectId);
    return whileSomebodyWaits(ctx.organizationId, (signal) => this.compute(ctx, category, { ...scope, projectId }, signal));
  }

  private async compute(ctx: Tenant, category: PreviewedCategory, scope: PreviewScope, signal: AbortSignal): Promise<RulePreview> {
    const { projectId, period } = scope;
    const categories = await this.categories.of(ctx, projectId, null, signal);
    const some = await this.runStatements.newest(ctx, projectId, period, MOST_READ);
    const input: PreviewOrder = {
      inputs: { project: null, configuration: period && ofPeriod(period), categories, statements: some.statements },
      draft: { ...category, id: category.id ?? NEW, status: 'active' },
      tokenKey: await this.statements.tokenKey(ctx),
      limits: this.settings.reportLimits,
      shown: PREVIEWED_LINES,
    };
    const computed = this.threads.compute<typeof previewRules>(PREVIEW_RULES, {
      input,
      items: this.lines(ctx, some),
      signal,
      advice: ADVICE,
    });
    const { lines, ...counts } = (await computed.next()).value;
    const shown = lines.map(({ line, claimedToday }) => ({ ...line, claimedToday }));
    return { ...counts, lines: shown, linesRead: some.linesRead, linesInAll: some.linesInAll };
  }

  private async *lines(ctx: Tenant, { statements, counts }: SomeLines): AsyncGenerator<readonly RunLine[]> {
    for (const { id: statementId } of statements) {
      let left = counts.get(statementId)!;
      for await (const lines of this.statements.lines(ctx, statementId)) {
        yield lines.slice(0, left).map((line) => ({ ...line, statementId }));
        left -= lines.length;
        if (left <= 0) break;
      }
    }
  }
}

/** A period, as a run has it from a configuration that leaves out nothing. */
function ofPeriod({ start, end }: NonNullable<PreviewScope['period']>): RunInputs['configuration'] {
  return { id: NEW, name: NEW, periodStart: start, periodEnd: end, categoryFilter: {}, outputOptions: {} };
}
