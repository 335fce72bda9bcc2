import { Param, Injectable } from '@nestjs/common';
import { orAgain, ConsoleDoor } from '../../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../../api/console/declarations.js';
import { errorsIn, formOf, PageCtx, pathOf, goTo, page } from '../../../../api/console/page.js';
import type { FormState, PageContext, Answer, Form } from '../../../../api/console/page.js';
import { Facts } from '../../../../api/console/parts/facts.js';
import { type Choice, ConsoleForm, SelectField, TextField } from '../../../../api/console/parts/fields.js';
import { amount, day, say, told } from '../../../../api/console/say.js';
import { canonicalJson, type FreeForm } from '../../../../kernel/json.js';
import { Problem } from '../../../../kernel/problems.js';
import { PreviewFields, PreviewView, CategoriesService, scopeIn, ExpenseCategoryDto } from '../../../categories/index.js';
import type { RulePreview, CategoryOutline, PreviewedCategory } from '../../../categories/index.js';
import { ProjectsService } from '../../../projects/index.js';
import { type RedactedLine, StatementsService } from '../../../statements/index.js';
import { ClaimLineDto } from '../../lines/claim-lines.dto.js';
import { ClaimReportDto } from '../../reports.dto.js';
import { RulePreviewer } from '../../preview/previews.js';
import type { ClaimReport } from '../../report.entity.js';
import { ReportsService } from '../../reports.service.js';
import { wordList } from '../../../../kernel/package-folder.js';

const MAX_WORDS = 3;
const MIN_LETTERS = 3;

/** Words of bank statements that say nothing about what was bought. */
const COMMON = new Set(wordList('common-words').split(/\s+/));
const MASKED = /^(?:PERSON|ACCOUNT|COMPANY)-/;
const EDGES = /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}]*)$/su;

/**
 * The words of a description that are most likely its own, such as the name of a shop. They stand together in it, so the line
 * contains them. Empty if there are none.
 */
export function suggestedWords(description: string): string {
  const runs: string[][] = [[]];
  for (const word of description.normalize('NFKC').split(/\s+/)) {
    const [, before, core, after] = EDGES.exec(word)!;
    if (before !== '') runs.push([]);
    if (isOwn(core!)) runs.at(-1)!.push(core!);
    else runs.push([]);
    if (after !== '') runs.push([]);
  }
  return (runs.find(({ length }) => length > 0) ?? []).slice(0, MAX_WORDS).join(' ');
}

const isOwn = (word: string): boolean =>
  word.length >= MIN_LETTERS && /^\p{L}[^\p{N}]*$/u.test(word) && !MASKED.test(word) && !COMMON.has(word.toLowerCase());

export interface LinePlace {
  readonly report_id: string;
  readonly statement_id: string;
  readonly line_number: string;
}

export interface RuledLine {
  readonly run: ClaimReport;
  readonly statementId: string;
  readonly line: RedactedLine;
  readonly categories: readonly CategoryOutline[];
  /** The project that a new category may belong to. */
  readonly projects: readonly Choice[];
}

/** The body of the operation that stores the rule. */
export type RuledCategory = Omit<PreviewedCategory, 'id'>;

@Injectable()
export class LineRules {
  constructor(
    private readonly reports: ReportsService,
    private readonly statements: StatementsService,
    private readonly categories: CategoriesService,
    private readonly projects: ProjectsService,
    private readonly previewer: RulePreviewer,
  ) {}

  async read(ctx: PageContext, place: LinePlace): Promise<RuledLine> {
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
    return this.previewer.preview(ctx, { ...category, id: categoryId ?? null }, scopeIn(ctx.form));
  }
}

const byCode = (a: CategoryOutline, b: CategoryOutline): number => a.code.localeCompare(b.code, 'en');

function numberOf({ line_number: text }: LinePlace): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Problem('not_found', { detail: 'There is no line with this number.' });
  return Number(text);
}

/** What the form says of the rule, and of the category that it is for. */
export interface WantedRule {
  /** Id of the category; undefined for a new one. */
  readonly categoryId: string | undefined;
  readonly code: string;
  readonly name: string;
  readonly projectId: string | null;
  readonly rule: object;
}

/** What is suggested for a line. Its amount is not: that of the next one may differ. */
export function suggestedFor({ description, counterparty }: RedactedLine) {
  const words = suggestedWords(description);
  return { description: words, counterparty: words === '' ? counterparty : null };
}

export function wantedIn(form: Form): WantedRule {
  const [description, counterparty, percent] = [
    form.text('description').trim(),
    form.text('counterparty').trim(),
    form.text('percent').trim(),
  ];
  if (description === '' && counterparty === '')
    throw Problem.invalidField('description', 'required', 'must have words, unless the rule names a counterparty');
  return {
    categoryId: form.given('category'),
    code: form.text('code'),
    name: form.text('name'),
    projectId: form.given('projectId') ?? null,
    rule: {
      ...(percent !== '' && { claimablePercent: Number.isFinite(Number(percent)) ? Number(percent) : percent }),
      all: [
        ...(description === '' ? [] : [{ field: 'description', op: 'contains', value: description }]),
        ...(counterparty === '' ? [] : [{ field: 'counterparty', op: 'is', value: counterparty }]),
      ],
    },
  };
}

/** A mapping with one more rule; itself if it has the very same rule. */
function withRule(mapping: FreeForm, rule: object): FreeForm {
  const rules: unknown[] = Array.isArray(mapping.rules) ? mapping.rules : [];
  const wanted = canonicalJson(rule);
  return rules.some((one) => canonicalJson(one) === wanted) ? mapping : { ...mapping, rules: [...rules, rule] };
}

/** What a rule may be previewed with before its category has a name. */
const UNNAMED = 'PREVIEW';
/** How often a rule is added anew to a category that others change meanwhile. */
const ATTEMPTS = 5;

@Injectable()
export class LineRuleWriter {
  constructor(
    private readonly lines: LineRules,
    private readonly door: ConsoleDoor,
  ) {}

  /** The category with the rule, if the operation would take it. */
  async checked(ctx: PageContext, ruled: RuledLine, wanted: WantedRule): Promise<RuledCategory> {
    const { projectId, code, name, sourceMapping } = await this.lines.with(ctx, ruled, wanted);
    const body = { projectId, code: code || UNNAMED, name: name || UNNAMED, sourceMapping };
    await this.door.checked(ctx, body);
    return body;
  }

  async create(ctx: PageContext, ruled: RuledLine, wanted: WantedRule): Promise<string> {
    const { projectId, code, name, sourceMapping } = await this.lines.with(ctx, ruled, wanted);
    const body = { projectId, code, name, sourceMapping };
    const { id } = await this.door.call<ExpenseCategoryDto>(ctx, { body });
    return id;
  }

  /** Adds the rule to the rules that the category has at this moment. Sent twice, it is added once. */
  async update(ctx: PageContext, ruled: RuledLine, wanted: WantedRule, id: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const { sourceMapping, updatedAt } = await this.lines.with(ctx, ruled, wanted);
      const check = (row: { readonly updatedAt: string }): void => {
        if (row.updatedAt !== updatedAt) throw new Problem('changed_meanwhile');
      };
      try {
        await this.door.call(ctx, { params: { category_id: id }, body: { sourceMapping }, expectation: { recordId: id, check } });
        return;
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'changed_meanwhile' || attempt === ATTEMPTS) throw error;
      }
    }
  }
}

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
@ConsoleSection({
  path: 'reports/:report_id/lines/:statement_id/:line_number/rule',
  label: 'Rule of a line',
  shows: [ClaimLineDto, ClaimReportDto, ExpenseCategoryDto],
})
export class LineRuleConsole {
  constructor(
    private readonly lines: LineRules,
    private readonly writer: LineRuleWriter,
    private readonly projects: ProjectsService,
  ) {}

  @Page({ route: 'GET /', operation: 'expense_categories.create', reads: { action: 'bank_statement.lines_read', of: 'statement_id' } })
  async show(@PageCtx() ctx: PageContext, @Param() place: LinePlace): Promise<Answer> {
    const ruled = await this.lines.read(ctx, place);
    const { projectId, result } = ruled.run;
    const scope = { previewProject: projectId, previewStart: result?.period?.start, previewEnd: result?.period?.end };
    return this.form(ctx, place, ruled, formOf({ ...suggestedFor(ruled.line), ...scope }));
  }

  @Action({ route: 'POST /preview', operation: 'expense_categories.create', reads: { action: 'organization.lines_previewed' } })
  async preview(@PageCtx() ctx: PageContext, @Param() place: LinePlace): Promise<Answer> {
    const ruled = await this.lines.read(ctx, place);
    return this.again(ctx, place, ruled, () => this.previewed(ctx, place, ruled, wantedIn(ctx.form)));
  }

  @Action({ route: 'POST /create', operation: 'expense_categories.create', reads: { action: 'organization.lines_previewed' } })
  async create(@PageCtx() ctx: PageContext, @Param() place: LinePlace): Promise<Answer> {
    const ruled = await this.lines.read(ctx, place);
    return this.again(ctx, place, ruled, async () => {
      const wanted = wantedIn(ctx.form);
      if (wanted.categoryId !== undefined || !wasPreviewed(ctx, wanted)) return this.previewed(ctx, place, ruled, wanted);
      const id = await this.writer.create(ctx, ruled, wanted);
      return goTo(pathOf(ctx, 'categories', id), say('console.reports.rule.created'));
    });
  }

  @Action({ route: 'POST /update', operation: 'expense_categories.update', reads: { action: 'organization.lines_previewed' } })
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
