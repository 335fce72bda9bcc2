import { Injectable } from '@nestjs/common';
import type { Choice } from '../../../../api/console/parts/fields.js';
import type { PageContext } from '../../../../api/console/page-context.js';
import { Problem } from '../../../../kernel/problems.js';
import type { FreeForm } from '../../../../kernel/json.js';
import { CategoriesService, scopeIn, type CategoryOutline, type RulePreview } from '../../../categories/index.js';
import { ProjectsService } from '../../../projects/index.js';
import { StatementsService, type RedactedLine } from '../../../statements/index.js';
import { RulePreviewer } from '../../preview/rule-previewer.js';
import type { ClaimReport } from '../../report.entity.js';
import { ReportsService } from '../../reports.service.js';
import { withRule, type WantedRule } from './line-rule-fields.js';

export interface LinePlace {
  readonly report_id: string;
  readonly statement_id: string;
  readonly line_number: string;
}

/** A line of a run, and the categories that could claim it. */
export interface RuledLine {
  readonly run: ClaimReport;
  readonly statementId: string;
  readonly line: RedactedLine;
  readonly categories: readonly CategoryOutline[];
  /** The project that a new category may belong to. */
  readonly projects: readonly Choice[];
}

/** The body of the operation that stores the rule. */
export interface RuledCategory {
  readonly projectId: string | null;
  readonly code: string;
  readonly name: string;
  readonly sourceMapping: FreeForm;
}

/** The lines of a run of which somebody makes a rule. */
@Injectable()
export class LineRules {
  constructor(
    private readonly reports: ReportsService,
    private readonly statements: StatementsService,
    private readonly categories: CategoriesService,
    private readonly projects: ProjectsService,
    private readonly previewer: RulePreviewer,
  ) {}

  async of(ctx: PageContext, place: LinePlace): Promise<RuledLine> {
    const [run, statement] = await Promise.all([this.reports.get(ctx, place.report_id), this.statements.get(ctx, place.statement_id)]);
    const [line] = await this.statements.linesOnPage(ctx, statement, { page: numberOf(place), page_size: 1 });
    if (!line) throw new Problem('not_found', { detail: 'The line is not kept any more.' });
    const { projectId } = statement;
    const [applicable, names] = await Promise.all([this.categories.applicable(ctx, projectId), this.projects.names(ctx, [projectId])]);
    const categories = applicable.filter((one) => one.status === 'active' && (one.projectId === null || one.projectId === projectId));
    return { run, statementId: statement.id, line, categories: categories.sort(byCode), projects: [...names] };
  }

  /** The category as it will be with the rule. */
  async with(ctx: PageContext, { categories }: RuledLine, wanted: WantedRule): Promise<RuledCategory & { readonly updatedAt?: string }> {
    const { categoryId, code, name, projectId, rule } = wanted;
    if (categoryId === undefined) return { projectId, code, name, sourceMapping: withRule({}, rule) };
    if (!categories.some(({ id }) => id === categoryId))
      throw Problem.invalidField('category', 'not_allowed', 'must be a category that can claim the line');
    const stored = await this.categories.get(ctx, categoryId);
    return { ...stored, sourceMapping: withRule(stored.sourceMapping, rule) };
  }

  preview(ctx: PageContext, { categoryId }: WantedRule, category: RuledCategory): Promise<RulePreview> {
    return this.previewer.of(ctx, { ...category, id: categoryId ?? null }, scopeIn(ctx.form));
  }
}

const byCode = (a: CategoryOutline, b: CategoryOutline): number => a.code.localeCompare(b.code, 'en');

function numberOf({ line_number: text }: LinePlace): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Problem('not_found', { detail: 'There is no line with this number.' });
  return Number(text);
}
