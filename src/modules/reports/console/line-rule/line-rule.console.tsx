import { Param } from '@nestjs/common';
import { orAgain } from '../../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../../api/console/declarations.js';
import { errorsIn, formOf, PageCtx, pathOf, goTo, page } from '../../../../api/console/page.js';
import type { FormState, PageContext, Answer } from '../../../../api/console/page.js';
import { Facts } from '../../../../api/console/parts/facts.js';
import { type Choice, ConsoleForm, SelectField, TextField } from '../../../../api/console/parts/fields.js';
import { amount, day, say, told } from '../../../../api/console/say.js';
import { PreviewFields, PreviewView, type RulePreview } from '../../../categories/index.js';
import { ProjectsService } from '../../../projects/index.js';
import { LineRuleWriter, type LinePlace, LineRules, type RuledLine, suggestedFor, wantedIn, type WantedRule } from './line-rules.js';

/** What a preview has shown. If the form says something else, it is previewed again before it is stored. */
const PREVIEWED_FIELD = 'previewed';

interface Previewed {
  readonly preview: RulePreview;
  readonly wanted: string;
  readonly isNew: boolean;
}

interface FormProps {
  readonly ctx: PageContext;
  readonly ruled: RuledLine;
  readonly state: FormState;
  readonly path: string;
  readonly projects: readonly Choice[];
  readonly previewed: Previewed | undefined;
}

const LineFacts = ({ ctx, ruled: { run, line } }: Pick<FormProps, 'ctx' | 'ruled'>) => (
  <Facts
    facts={[
      [say('report.fields.run'), <a href={pathOf(ctx, 'reports', run.id)}>{say('console.reports.rule.report')}</a>],
      [say('report.columns.date'), day(line.bookedOn)],
      [say('console.reports.rule.description'), line.description],
      [say('report.columns.counterparty'), line.counterparty],
      [say('report.columns.amount'), `${amount(line.amount)} ${line.currency ?? ''}`],
    ]}
  />
);

function LineRuleForm({ ctx, ruled, state, path, projects, previewed }: FormProps) {
  const form = { action: `${path}/preview`, cancel: pathOf(ctx, 'reports', ruled.run.id) };
  return (
    <ConsoleForm {...form} ctx={ctx} state={state} submit={say('console.reports.rule.preview')}>
      <RuleFields state={state} />
      <CategoryFields state={state} ruled={ruled} />
      <PreviewFields state={state} projects={projects} action={form.action} />
      {previewed ? <PreviewedRule ctx={ctx} path={path} previewed={previewed} /> : null}
    </ConsoleForm>
  );
}

const wordsOf = (field: 'contains' | 'counterparty' | 'code') =>
  ({ label: say(`console.reports.rule.${field}`), hint: say(`console.reports.rule.${field}About`) }) as const;

function RuleFields({ state }: Pick<FormProps, 'state'>) {
  return (
    <fieldset>
      <legend>{say('console.reports.rule.title')}</legend>
      <p class="hint">{say('console.reports.rule.about')}</p>
      <TextField state={state} {...wordsOf('contains')} name="description" maxLength={1000} />
      <TextField state={state} {...wordsOf('counterparty')} name="counterparty" maxLength={1000} />
      <TextField state={state} name="percent" label={say('console.reports.rule.percent')} placeholder="100" maxLength={10} />
      {errorsIn(state, 'sourceMapping').map(({ field, message }) => (
        <p class="error">
          <code>{field}</code> {told(message)}
        </p>
      ))}
    </fieldset>
  );
}

function CategoryFields({ state, ruled: { categories, projects } }: Pick<FormProps, 'state' | 'ruled'>) {
  const none: Choice = ['', say('console.reports.rule.newCategory')];
  const all: Choice = ['', say('console.reports.rule.allProjects')];
  const known = categories.map(({ id, code, name }): Choice => [id, `${code}: ${name}`]);
  return (
    <fieldset>
      <legend>{say('report.columns.category')}</legend>
      <SelectField state={state} name="category" label={say('console.reports.rule.for')} choices={[none, ...known]} />
      <TextField state={state} {...wordsOf('code')} name="code" maxLength={100} />
      <TextField state={state} name="name" label={say('console.reports.rule.name')} maxLength={200} />
      {projects.length === 0 ? null : (
        <SelectField state={state} name="projectId" label={say('console.reports.rule.project')} choices={[all, ...projects]} />
      )}
    </fieldset>
  );
}

const PreviewedRule = ({ ctx, path, previewed }: Pick<FormProps, 'ctx' | 'path'> & { readonly previewed: Previewed }) => (
  <>
    <PreviewView ctx={ctx} preview={previewed.preview} />
    <input type="hidden" name={PREVIEWED_FIELD} value={previewed.wanted} />
    <p>
      <button formaction={`${path}/${previewed.isNew ? 'create' : 'update'}`}>
        {previewed.isNew ? say('console.reports.rule.create') : say('console.reports.rule.add')}
      </button>
    </p>
  </>
);

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
    const ruled = await this.lines.read(ctx, place);
    const { projectId, result } = ruled.run;
    const scope = { previewProject: projectId, previewStart: result?.period?.start, previewEnd: result?.period?.end };
    return this.form(ctx, place, ruled, formOf({ ...suggestedFor(ruled.line), ...scope }));
  }

  @Action({ route: 'POST /preview', operation: 'expense_categories.create' })
  async preview(@PageCtx() ctx: PageContext, @Param() place: LinePlace): Promise<Answer> {
    const ruled = await this.lines.read(ctx, place);
    return this.again(ctx, place, ruled, () => this.previewed(ctx, place, ruled, wantedIn(ctx.form)));
  }

  @Action({ route: 'POST /create', operation: 'expense_categories.create' })
  async create(@PageCtx() ctx: PageContext, @Param() place: LinePlace): Promise<Answer> {
    const ruled = await this.lines.read(ctx, place);
    return this.again(ctx, place, ruled, async () => {
      const wanted = wantedIn(ctx.form);
      if (wanted.categoryId !== undefined || !wasPreviewed(ctx, wanted)) return this.previewed(ctx, place, ruled, wanted);
      const id = await this.writer.create(ctx, ruled, wanted);
      return goTo(pathOf(ctx, 'categories', id), say('console.reports.rule.created'));
    });
  }

  @Action({ route: 'POST /update', operation: 'expense_categories.update' })
  async update(@PageCtx() ctx: PageContext, @Param() place: LinePlace): Promise<Answer> {
    const ruled = await this.lines.read(ctx, place);
    return this.again(ctx, place, ruled, async () => {
      const wanted = wantedIn(ctx.form);
      if (wanted.categoryId === undefined || !wasPreviewed(ctx, wanted)) return this.previewed(ctx, place, ruled, wanted);
      await this.writer.update(ctx, ruled, wanted, wanted.categoryId);
      return goTo(pathOf(ctx, 'categories', wanted.categoryId), say('console.reports.rule.added'));
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
      say('console.reports.rule.of', { number: String(ruled.line.lineNumber) }),
      <>
        <LineFacts ctx={ctx} ruled={ruled} />
        <LineRuleForm ctx={ctx} ruled={ruled} state={state} path={path} projects={projects} previewed={previewed} />
      </>,
      state.problem?.status,
    );
  }
}

const wasPreviewed = ({ form }: PageContext, wanted: WantedRule): boolean => form.text(PREVIEWED_FIELD) === JSON.stringify(wanted);
