import { Param } from '@nestjs/common';
import { Action, ConsoleSection, Page } from '../../../../api/console/declarations.js';
import { formOf, type FormState } from '../../../../api/console/form.js';
import { goTo, page, type Answer } from '../../../../api/console/page.js';
import { PageCtx, pathOf, type PageContext } from '../../../../api/console/page-context.js';
import { orAgain } from '../../../../api/console/performer.js';
import { ProjectsService } from '../../../projects/index.js';
import { suggestedFor, wantedIn, type WantedRule } from './line-rule-fields.js';
import { LineFacts, LineRuleForm, PREVIEWED_FIELD, type Previewed } from './line-rule.views.js';
import { LineRules, type LinePlace, type RuledLine } from './line-rules.js';
import { LineRuleWriter } from './line-rule-writer.js';

/** Makes a rule of a line that no category claims in a run. It is previewed before it is stored. */
@ConsoleSection({ path: 'reports/:report_id/lines/:statement_id/:line_number/rule', label: 'Rule of a line' })
export class LineRuleConsole {
  constructor(
    private readonly lines: LineRules,
    private readonly writer: LineRuleWriter,
    private readonly projects: ProjectsService,
  ) {}

  @Page({ route: 'GET /', operation: 'expense_categories.create' })
  async show(@PageCtx() ctx: PageContext, @Param() place: LinePlace): Promise<Answer> {
    const ruled = await this.lines.of(ctx, place);
    const { projectId, result } = ruled.run;
    const scope = { previewProject: projectId, previewStart: result?.period?.start, previewEnd: result?.period?.end };
    return this.form(ctx, place, ruled, formOf({ ...suggestedFor(ruled.line), ...scope }));
  }

  @Action({ route: 'POST /preview', operation: 'expense_categories.create' })
  async preview(@PageCtx() ctx: PageContext, @Param() place: LinePlace): Promise<Answer> {
    const ruled = await this.lines.of(ctx, place);
    return this.again(ctx, place, ruled, () => this.previewed(ctx, place, ruled, wantedIn(ctx.form)));
  }

  @Action({ route: 'POST /create', operation: 'expense_categories.create' })
  async create(@PageCtx() ctx: PageContext, @Param() place: LinePlace): Promise<Answer> {
    const ruled = await this.lines.of(ctx, place);
    return this.again(ctx, place, ruled, async () => {
      const wanted = wantedIn(ctx.form);
      if (wanted.categoryId !== undefined || !wasPreviewed(ctx, wanted)) return this.previewed(ctx, place, ruled, wanted);
      const id = await this.writer.create(ctx, ruled, wanted);
      return goTo(pathOf(ctx, 'categories', id), 'The category was created.');
    });
  }

  @Action({ route: 'POST /update', operation: 'expense_categories.update' })
  async update(@PageCtx() ctx: PageContext, @Param() place: LinePlace): Promise<Answer> {
    const ruled = await this.lines.of(ctx, place);
    return this.again(ctx, place, ruled, async () => {
      const wanted = wantedIn(ctx.form);
      if (wanted.categoryId === undefined || !wasPreviewed(ctx, wanted)) return this.previewed(ctx, place, ruled, wanted);
      await this.writer.update(ctx, ruled, wanted, wanted.categoryId);
      return goTo(pathOf(ctx, 'categories', wanted.categoryId), 'The rule was added.');
    });
  }

  private async previewed(ctx: PageContext, place: LinePlace, ruled: RuledLine, wanted: WantedRule): Promise<Answer> {
    const preview = await this.lines.preview(ctx, wanted, await this.writer.checked(ctx, ruled, wanted));
    const state: FormState = { values: (name) => ctx.form.list(name) };
    return this.form(ctx, place, ruled, state, { preview, wanted: JSON.stringify(wanted), isNew: wanted.categoryId === undefined });
  }

  private again(ctx: PageContext, place: LinePlace, ruled: RuledLine, work: () => Promise<Answer>): Promise<Answer> {
    return orAgain(ctx, work, (state) => this.form(ctx, place, ruled, state));
  }

  private async form(ctx: PageContext, place: LinePlace, ruled: RuledLine, state: FormState, previewed?: Previewed): Promise<Answer> {
    const projects = await this.projects.choices(ctx, state.values('previewProject')[0]);
    const path = pathOf(ctx, 'reports', place.report_id, 'lines', place.statement_id, place.line_number, 'rule');
    return page(
      `Rule of line ${ruled.line.lineNumber}`,
      <>
        <LineFacts ctx={ctx} ruled={ruled} />
        <LineRuleForm ctx={ctx} ruled={ruled} state={state} path={path} projects={projects} previewed={previewed} />
      </>,
      state.problem?.status,
    );
  }
}

const wasPreviewed = ({ form }: PageContext, wanted: WantedRule): boolean => form.text(PREVIEWED_FIELD) === JSON.stringify(wanted);
