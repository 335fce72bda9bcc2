import { Param } from '@nestjs/common';
import { ConsoleDoor, orAgain } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, PageCtx, pathOf, goTo, titledPage } from '../../../api/console/page.js';
import type { Form, FormState, PageContext, Answer } from '../../../api/console/page.js';
import { Badge, type Fact, Facts, Time, type Tone } from '../../../api/console/parts/facts.js';
import { CheckField, type Choice, ConsoleForm, FormFields, Refused, SelectField, TextField } from '../../../api/console/parts/fields.js';
import { type Column, Filters, Nothing, Pager, readList, Table } from '../../../api/console/parts/list.js';
import { amount, day, money, say, told } from '../../../api/console/say.js';
import { seen, seenOf } from '../../../api/console/shown.js';
import { isUuid } from '../../../kernel/ids.js';
import { Problem } from '../../../kernel/problems.js';
import type { PageOf } from '../../../store/tenant/page.js';
import { CategoriesService, ExpenseCategoryDto } from '../../categories/index.js';
import { LINE_OUTCOMES } from '../engine/line-accumulator.js';
import {
  ClaimLineDetailsDto,
  ClaimLineDto,
  type CreateClaimLineDecisionsDto,
  type ListClaimLinesQuery,
  MAX_LINES,
} from './claim-lines.dto.js';
import { ClaimLinesService } from './claim-lines.service.js';

const TONES: Record<ClaimLineDto['outcome'], Tone> = { claimed: 'good', uncategorised: 'bad', not_claimed: 'plain', split: 'good' };
/** What is chosen instead of a category. */
const NOT_CLAIMED = 'not_claimed';
const BY_RULES = 'by_rules';
/** How many parts a form has. */
const PARTS = [0, 1, 2];

type Filter = Pick<ListClaimLinesQuery, 'outcome' | 'decided' | 'counterparty'>;

const isHidden = ({ hidden }: PageContext): boolean => hidden?.isIn(ClaimLineDto) ?? false;

/** The filters of an address, which the form around a list repeats. */
function filterIn(ctx: PageContext, query: Pick<URLSearchParams, 'get'>): Filter {
  if (isHidden(ctx)) return {};
  const decided = query.get('decided');
  return {
    outcome: LINE_OUTCOMES.find((outcome) => outcome === query.get('outcome')),
    decided: decided === 'true' ? true : decided === 'false' ? false : undefined,
    counterparty: query.get('counterparty')?.slice(0, 1000) || undefined,
  };
}

/** What is decided by one choice: a category for all of a line, or none, or rules. */
function decisionIn(form: Form): Omit<CreateClaimLineDecisionsDto, 'lineIds'> {
  const reason = form.given('reason') ?? null;
  const note = form.given('note') ?? null;
  const first = form.text('categoryId');
  if (first === NOT_CLAIMED || first === BY_RULES) return { outcome: first, reason, note };
  const parts = PARTS.flatMap((index) => {
    const [category, share] = [form.text(index === 0 ? 'categoryId' : `categoryId${index}`), form.given(`percent${index}`)];
    if (category === '') return [];
    const categoryId = isUuid(category) ? category : null;
    return [{ categoryId, amount: form.given(`amount${index}`) ?? null, ...(share !== undefined && { claimablePercent: share }) }];
  });
  return { outcome: 'claimed', parts, reason, note };
}

/** The lines of a run, and what people decide about them. */
@ConsoleSection({ path: 'reports/:report_id/lines', label: 'Lines', shows: 'names' })
export class ClaimLinesConsole {
  constructor(
    private readonly lines: ClaimLinesService,
    private readonly categories: CategoriesService,
    private readonly door: ConsoleDoor,
  ) {}

  @Page({ route: 'GET /', operation: 'claim_lines.list' })
  list(@PageCtx() ctx: PageContext, @Param('report_id') id: string): Promise<Answer> {
    return this.listed(ctx, id, filterIn(ctx, ctx.query), formOf());
  }

  @Action({ route: 'POST /chosen', operation: 'claim_lines.decide', reads: { action: 'claim_report.lines_read', of: 'report_id' } })
  decideChosen(@PageCtx() ctx: PageContext, @Param('report_id') id: string): Promise<Answer> {
    const filter = filterIn(ctx, { get: (name) => ctx.form.text(`of_${name}`) });
    const back = pathOf(ctx, 'reports', id, 'lines');
    const decide = async (): Promise<Answer> => {
      const chosen = ctx.form.isChecked('all') ? await this.findAll(ctx, id, filter) : ctx.form.list('chosen');
      if (chosen.length === 0) throw Problem.invalidField('chosen', 'required', 'must be at least one of the lines');
      await this.door.call(ctx, { body: { lineIds: chosen, ...decisionIn(ctx.form) } });
      const given = Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
      return goTo(`${back}?${new URLSearchParams(given).toString()}`, say('console.lines.decided', { count: chosen.length }));
    };
    return orAgain(ctx, decide, (state) => this.listed(ctx, id, filter, state));
  }

  @Page({ route: 'GET /:line_id', operation: 'claim_lines.get' })
  show(@PageCtx() ctx: PageContext, @Param('report_id') reportId: string, @Param('line_id') id: string): Promise<Answer> {
    return this.line(ctx, reportId, id, formOf());
  }

  @Action({ route: 'POST /:line_id', operation: 'claim_lines.decide', reads: { action: 'claim_line.read', of: 'line_id' } })
  decide(@PageCtx() ctx: PageContext, @Param('report_id') reportId: string, @Param('line_id') id: string): Promise<Answer> {
    const decide = async (): Promise<Answer> => {
      await this.door.call(ctx, { body: { lineIds: [id], ...decisionIn(ctx.form) } });
      return goTo(pathOf(ctx, 'reports', reportId, 'lines', id), say('console.lines.decided', { count: 1 }));
    };
    return orAgain(ctx, decide, (state) => this.line(ctx, reportId, id, state));
  }

  /** As many as one decision takes. */
  private async findAll(ctx: PageContext, id: string, filter: Filter): Promise<string[]> {
    const { rows, hasMore } = await this.lines.list(ctx, id, { page: 1, page_size: MAX_LINES, ...filter });
    if (hasMore) throw Problem.invalidField('all', 'too_many', `must be at most ${MAX_LINES} lines: filter them`);
    return rows.map((line) => line.id);
  }

  private async listed(ctx: PageContext, id: string, filter: Filter, state: FormState): Promise<Answer> {
    const found = await readList(ctx, (page) => this.lines.list(ctx, id, { ...page, ...filter }));
    const categories = await this.choices(ctx);
    const up = [pathOf(ctx, 'reports', id), say('report.title')] as const;
    const view = <LineList ctx={ctx} reportId={id} found={found} filter={filter} categories={categories} state={state} />;
    return { ...titledPage(say('console.lines.title'), { up }, view), status: state.problem?.status ?? 200 };
  }

  private async line(ctx: PageContext, reportId: string, id: string, state: FormState): Promise<Answer> {
    const line = await this.lines.get(ctx, id);
    const up = [pathOf(ctx, 'reports', reportId, 'lines'), say('console.lines.title')] as const;
    const view = <LineView ctx={ctx} line={line} categories={await this.choices(ctx)} state={state} />;
    const beside = { up, badge: seen(ctx, ClaimLineDto, 'outcome', [<Outcome of={line.outcome} />]) };
    const named = say('console.lines.one', { amount: money(line.amount, line.currency), day: day(line.bookedOn) });
    const title = seen(ctx, ClaimLineDto, 'amount,currency,bookedOn', [named])[0] ?? say('report.columns.line');
    return { ...titledPage(title, beside, view), status: state.problem?.status ?? 200 };
  }

  private async choices(ctx: PageContext): Promise<Choice[]> {
    const active = (await this.categories.applicable(ctx, null)).filter(({ status }) => status === 'active');
    const shown = active.map((category) => seenOf(ctx, ExpenseCategoryDto, category));
    return shown.map(({ id, code, name }): Choice => [id, [code, name].filter(Boolean).join(': ')]);
  }
}

const DECIDED = [
  ['true', 'console.lines.byPerson'],
  ['false', 'console.lines.byRules'],
] as const;
const COLUMNS = 'bookedOn description,reference counterparty amount,currency outcome,categoryId,isApplied decision';
const FACTS = 'description counterparty amount,currency outcome,categoryId,isApplied rule,ruleCategoryId';

const Outcome = ({ of: outcome }: { of: ClaimLineDto['outcome'] }) => (
  <Badge tone={TONES[outcome]}>{say(`console.lines.outcomes.${outcome}`)}</Badge>
);

const choicesOf = (categories: readonly Choice[]): Choice[] => [
  ['', ''],
  ...categories,
  [NOT_CLAIMED, say('console.lines.outcomes.not_claimed')],
  [BY_RULES, say('console.lines.byRules')],
];

interface ListProps {
  readonly ctx: PageContext;
  readonly reportId: string;
  readonly found: PageOf<ClaimLineDto>;
  readonly filter: Filter;
  readonly categories: readonly Choice[];
  readonly state: FormState;
}

function LineList({ ctx, reportId, found, filter, categories, state }: ListProps) {
  const path = pathOf(ctx, 'reports', reportId, 'lines');
  const names = new Map(categories);
  const toCounterparty = (counterparty: string) => `${path}?${new URLSearchParams({ counterparty }).toString()}`;
  return (
    <>
      <p>{say('console.lines.about')}</p>
      <Filters
        ctx={{ ...ctx, path }}
        isHidden={isHidden(ctx)}
        selects={[
          ['outcome', say('console.lines.outcome'), LINE_OUTCOMES.map((one): Choice => [one, say(`console.lines.outcomes.${one}`)])],
          ['decided', say('console.lines.decidedBy'), DECIDED.map(([by, key]): Choice => [by, say(key)])],
        ]}
      >
        <TextField state={formOf({ counterparty: filter.counterparty })} name="counterparty" label={say('report.columns.counterparty')} />
      </Filters>
      <form method="post" action={`${path}/chosen`} class="choosing">
        <FormFields ctx={ctx} />
        {state.problem ? <Refused problem={state.problem} /> : null}
        {Object.entries(filter).map(([name, value]) =>
          value === undefined ? null : <input type="hidden" name={`of_${name}`} value={String(value)} />,
        )}
        <Table
          caption={say('console.lines.title')}
          rows={found.rows}
          choose={({ id }) => id}
          empty={
            <Nothing ctx={{ ...ctx, path }}>
              <p>{say('console.lines.none')}</p>
            </Nothing>
          }
          columns={seen<Column<ClaimLineDto>>(ctx, ClaimLineDto, COLUMNS, [
            [say('report.columns.date'), (line) => <a href={`${path}/${line.id}`}>{day(line.bookedOn)}</a>],
            [say('console.statements.description'), (line) => [line.description, line.reference].filter(Boolean).join(' · ')],
            [
              say('report.columns.counterparty'),
              ({ counterparty }) => counterparty && <a href={toCounterparty(counterparty)}>{counterparty}</a>,
            ],
            [say('report.columns.amount'), (line) => money(line.amount, line.currency), 'number'],
            [say('report.columns.category'), (line) => <Claimed line={line} names={names} />],
            [say('console.lines.decidedBy'), ({ decision }) => decision?.by.name ?? ''],
          ])}
        />
        {found.rows.length === 0 || !ctx.can('claim_lines.decide') ? null : (
          <div class="filters">
            <SelectField state={state} name="categoryId" label={say('console.lines.decideFor')} choices={choicesOf(categories)} />
            <TextField state={state} name="reason" label={say('console.lines.reason')} maxLength={200} />
            <CheckField state={state} name="all" label={say('console.lines.all', { count: found.total })} />
            <button>{say('console.lines.decide')}</button>
          </div>
        )}
      </form>
      <Pager ctx={{ ...ctx, path }} counted={found} />
    </>
  );
}

/** What the run has made of a line; and what another run will, if somebody has decided since. */
const Claimed = ({ line: { outcome, categoryId, isApplied }, names }: { line: ClaimLineDto; names: ReadonlyMap<string, string> }) => (
  <>
    {outcome === 'claimed' ? (names.get(categoryId!) ?? <Outcome of={outcome} />) : <Outcome of={outcome} />}
    {isApplied ? null : <span class="hint"> {say('console.lines.waits')}</span>}
  </>
);

/** A rule without a name has its number. */
const ruleOf = (rule: string | null): string | undefined => rule?.replace(/^rule (?=\d+$)/, `${say('console.reports.rule.title')} `);

interface LineProps extends Pick<ListProps, 'ctx' | 'categories' | 'state'> {
  readonly line: Awaited<ReturnType<ClaimLinesService['get']>>;
}

function LineView({ ctx, line, categories, state }: LineProps) {
  const names = new Map(categories);
  return (
    <div class="record">
      <div>
        {ctx.can('claim_lines.decide') ? <DecisionForm ctx={ctx} line={line} categories={categories} state={state} /> : null}
        <h2>{say('console.lines.history')}</h2>
        <Table
          caption={say('console.lines.history')}
          rows={seen(ctx, ClaimLineDetailsDto, 'decisions', [line.decisions]).flat()}
          empty={<p>{say('console.lines.undecided')}</p>}
          columns={[
            [say('console.lines.at'), ({ decidedAt }) => <Time ctx={ctx} at={decidedAt} />],
            [say('console.lines.decidedBy'), ({ by }) => by.name],
            [say('console.lines.decision'), (decision) => wordsOf(decision, names)],
            [say('console.lines.reason'), ({ reason, note }) => [reason, note].filter(Boolean).join(' · ')],
          ]}
        />
      </div>
      <aside>
        <h2>{say('console.record.details')}</h2>
        <Facts
          facts={[
            ...seen<Fact>(ctx, ClaimLineDto, FACTS, [
              [say('console.statements.description'), line.description],
              [say('report.columns.counterparty'), line.counterparty],
              [say('report.columns.amount'), money(line.amount, line.currency)],
              [say('report.columns.category'), <Claimed line={line} names={names} />],
              [say('console.lines.byRules'), ruleOf(line.rule) ?? (line.ruleCategoryId && names.get(line.ruleCategoryId))],
            ]),
            [told('Receipts'), <a href={`${pathOf(ctx, 'receipts')}?claimLineId=${line.id}`}>{say('console.receipts.add')}</a>],
            [
              say('console.reports.statement'),
              <a href={pathOf(ctx, 'statements', line.statementId)}>
                {say('console.reports.lineNumber', { number: String(line.lineNumber) })}
              </a>,
            ],
          ]}
        />
      </aside>
    </div>
  );
}

function wordsOf({ outcome, parts }: LineProps['line']['decisions'][number], names: ReadonlyMap<string, string>): string {
  if (outcome === 'by_rules') return say('console.lines.byRules');
  if (outcome === 'not_claimed') return say('console.lines.outcomes.not_claimed');
  const partOf = ({ categoryId, amount: part, claimablePercent }: (typeof parts)[number]): string => {
    const name = categoryId === null ? say('console.lines.outcomes.not_claimed') : (names.get(categoryId) ?? categoryId);
    return [part === null ? '' : amount(part), name, claimablePercent === '100' ? '' : `${claimablePercent} %`].filter(Boolean).join(' ');
  };
  return parts.map(partOf).join(' · ');
}

/** One part for most lines; the others are for those that are split. */
function DecisionForm({ ctx, line, categories, state }: LineProps) {
  const path = pathOf(ctx, 'reports', line.reportId, 'lines', line.id);
  const further: Choice[] = [['', ''], ...categories, ['none', say('console.lines.outcomes.not_claimed')]];
  return (
    <ConsoleForm ctx={ctx} state={state} action={path} submit={say('console.lines.decide')}>
      {PARTS.map((index) => (
        <div class="filters">
          <SelectField
            state={state}
            name={index === 0 ? 'categoryId' : `categoryId${index}`}
            label={index === 0 ? say('console.lines.decideFor') : say('console.lines.part', { number: index + 1 })}
            choices={index === 0 ? choicesOf(categories) : further}
          />
          <TextField
            state={state}
            name={`amount${index}`}
            label={say('report.columns.amount')}
            placeholder={ctx.hidden ? '' : line.amount}
            maxLength={38}
          />
          <TextField state={state} name={`percent${index}`} label={say('console.reports.rule.percent')} placeholder="100" maxLength={8} />
        </div>
      ))}
      <TextField state={state} name="reason" label={say('console.lines.reason')} maxLength={200} />
      <TextField state={state} name="note" label={say('console.lines.note')} maxLength={2000} />
    </ConsoleForm>
  );
}
