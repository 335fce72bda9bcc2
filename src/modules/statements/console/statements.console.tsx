import { Param } from '@nestjs/common';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { type PageContext, PageCtx, pathOf, type Answer, CONTENT_ID, goTo, titledPage, formOf } from '../../../api/console/page.js';
import { ActionButton, Badge, type Fact, Facts, LinkButton, Time, type Tone, Note, PlainLink } from '../../../api/console/parts/facts.js';
import { ConsoleDoor, forPart } from '../../../api/console/console-door.js';
import { type Choice, FormFields, SelectField } from '../../../api/console/parts/fields.js';
import { chosenAmong, chosenIn, type Column, Counts, Filters } from '../../../api/console/parts/list.js';
import { PAGE_SIZE, pageNumberIn, Pager, readList, Table } from '../../../api/console/parts/list.js';
import { customFacts } from '../../../api/console/parts/record.js';
import { isAtLeast } from '../../../kernel/roles.js';
import { count, day, money, period, say, size, told } from '../../../api/console/say.js';
import { seen, seenOf } from '../../../api/console/shown.js';
import { isWordingKey, type WordingKey } from '../../../api/wording/catalogues.js';
import type { Failure } from '../../../kernel/failure.js';
import type { Counted, PageOf } from '../../../store/tenant/page.js';
import { ProjectsService } from '../../projects/index.js';
import type { RedactedLine } from '../../../../tools/personal-data/index.js';
import { CERTAINTIES, type Certainty } from '../formats/certainty.js';
import { type BankStatement, REDACTION_STATUSES, type RedactionStatus } from '../statement.entity.js';
import { BANK_STATEMENT_FIELDS, BankStatementDto } from '../statements.dto.js';
import { StatementsService } from '../statements.service.js';

const STATUS_TONES: Record<RedactionStatus, Tone> = {
  ...{ pending: 'busy', queued: 'busy', running: 'busy' },
  ...{ succeeded: 'good', failed: 'bad', skipped: 'good' },
};
const wordOf = (status: RedactionStatus): string => say(`console.statements.statuses.${status}`);
export const Status = ({ of: status }: { of?: RedactionStatus }) => status && <Badge tone={STATUS_TONES[status]}>{wordOf(status)}</Badge>;

const SURE_TONES: Record<Certainty, Tone> = { proven: 'good', plausible: 'plain', doubtful: 'bad' };
const sureWordOf = (certainty: Certainty): string => say(`console.statements.certainties.${certainty}`);

export const Sure = ({ of: certainty }: { of: Certainty | null }) =>
  certainty === null ? null : <Badge tone={SURE_TONES[certainty]}>{sureWordOf(certainty)}</Badge>;

const NEWS_SECONDS = 2;
const isBusy = ({ redactionStatus }: BankStatement): boolean => STATUS_TONES[redactionStatus] === 'busy';

export const periodOf = ({ periodStart, periodEnd }: Pick<BankStatement, 'periodStart' | 'periodEnd'>): string =>
  periodStart === null || periodEnd === null ? '' : period(periodStart, periodEnd);

export const StatementLink = ({ ctx, statement: { id, fileName } }: { ctx: PageContext; statement: BankStatement }) => (
  <a href={pathOf(ctx, 'statements', id)}>{fileName || say('upload.nameless')}</a>
);

export function ProjectLink({ ctx, id, names }: { ctx: PageContext; id: string | null; names: ReadonlyMap<string, string> }) {
  if (id === null) return <span class="hint">{say('console.statements.noProject')}</span>;
  return <a href={pathOf(ctx, 'projects', id)}>{names.get(id) ?? id}</a>;
}

const ListActions = ({ ctx }: { ctx: PageContext }) => (
  <>
    {isAtLeast(ctx.user.role, 'admin') && !ctx.hidden ? (
      <PlainLink to={pathOf(ctx, 'statements', 'names')} label={say('console.statements.names.title')} />
    ) : null}
    <PlainLink to={pathOf(ctx, 'layouts')} label={told('Layouts')} />
    <PlainLink to={pathOf(ctx, 'statements', 'links')} label={say('console.statements.ask')} />
    <LinkButton to={pathOf(ctx, 'statements', 'new')}>{say('console.statements.upload')}</LinkButton>
  </>
);

interface ListProps {
  readonly ctx: PageContext;
  readonly found: PageOf<BankStatement>;
  readonly projects: readonly Choice[];
  readonly names: ReadonlyMap<string, string>;
  /** undefined if there are too many. */
  readonly counts: Counted | undefined;
}

function ChosenStatements({ ctx, found, projects, names }: Omit<ListProps, 'counts'>) {
  const moveTo: Choice[] = [...projects, ['', say('console.statements.noProject')]];
  return (
    <form method="post" action={pathOf(ctx, 'statements', 'chosen')} class="choosing">
      <FormFields ctx={ctx} />
      <div class="filters">
        <SelectField state={formOf()} name="moveTo" label={say('report.fields.project')} choices={moveTo} />
        <button class="plain">{say('console.statements.move')}</button>
      </div>
      <Table
        caption={say('scopes.of.bank_statements')}
        rows={found.rows}
        list={{ ctx, counted: found }}
        choose={({ id }) => id}
        empty={<p>{say('console.statements.none')}</p>}
        columns={[
          [say('report.columns.file'), (row) => <StatementLink ctx={ctx} statement={row} />, undefined, ({ fileName }) => fileName],
          ...seen<Column<BankStatement>>(ctx, BankStatementDto, COLUMNS, [
            [say('report.fields.project'), ({ projectId }) => <ProjectLink ctx={ctx} id={projectId} names={names} />],
            [say('report.columns.account'), (row) => row.accountLabel ?? '', undefined, ({ accountLabel }) => accountLabel],
            [say('report.columns.period'), periodOf, undefined, ({ periodStart }) => periodStart],
            [
              say('console.statements.lines'),
              (row) => (row.lineCount === null ? '' : count(row.lineCount)),
              'number',
              (row) => row.lineCount,
            ],
            [
              say('console.statements.status'),
              (row) => <Status of={row.redactionStatus} />,
              undefined,
              (row) => wordOf(row.redactionStatus),
            ],
            [say('report.columns.certainty'), (statement) => <Sure of={statement.certainty} />],
            [
              say('console.statements.uploaded'),
              (statement) => <Time ctx={ctx} at={statement.createdAt} />,
              undefined,
              ({ createdAt }) => createdAt,
            ],
          ]),
        ]}
      />
    </form>
  );
}

function StatementList({ ctx, found, projects, names, counts }: ListProps) {
  const statuses = REDACTION_STATUSES.map((status): Choice => [status, wordOf(status)]);
  return (
    <>
      <p>{say('console.statements.about')}</p>
      <Filters
        ctx={ctx}
        isHidden={isHidden(ctx)}
        search={say('console.statements.search')}
        selects={[
          ['project', say('report.fields.project'), projects],
          ...(counts ? [] : [['status', say('console.statements.status'), statuses] as const]),
          ['certainty', say('report.columns.certainty'), CERTAINTIES.map((certainty) => [certainty, sureWordOf(certainty)])],
        ]}
      />
      {counts ? <Counts ctx={ctx} name="status" choices={statuses} counts={counts} /> : null}
      <div id="statements" data-news={found.rows.some(isBusy) ? NEWS_SECONDS : 0} data-at-end={CONTENT_ID}>
        <ChosenStatements ctx={ctx} found={found} projects={projects} names={names} />
        <Pager ctx={ctx} counted={found} />
      </div>
    </>
  );
}

interface Shown {
  readonly ctx: PageContext;
  readonly statement: BankStatement;
  readonly names: ReadonlyMap<string, string>;
  readonly lines: readonly RedactedLine[];
}

/** It is asked for again until the statement is redacted. */
function StatementView(shown: Shown) {
  const { ctx, statement } = shown;
  const warnings = seen(ctx, BankStatementDto, 'warnings', [statement.warnings]).flat();
  return (
    <div id="statement" data-news={isBusy(statement) ? NEWS_SECONDS : 0} data-at-end={CONTENT_ID}>
      {statement.failure ? <Failed ctx={ctx} statement={statement} /> : null}
      <div class="record">
        <div>
          {warnings.length === 0 ? null : (
            <section>
              <h2>{say('console.statements.toCheck')}</h2>
              {warnings.map((warning) => (
                <p class="warning">{warningIn(warning)}</p>
              ))}
            </section>
          )}
          <Lines {...shown} />
        </div>
        <aside>
          <h2>{say('console.record.details')}</h2>
          <StatementFacts {...shown} />
          <Masked statement={statement} />
        </aside>
      </div>
    </div>
  );
}

function StatementFacts({ ctx, statement, names }: Shown) {
  const { id, format, sizeBytes, sha256, accountLabel, currency, lineCount, certainty, contentRemovedAt, createdAt } = statement;
  return (
    <Facts
      facts={[
        ...(certainty ? ([[say('report.columns.certainty'), <SureWithReason of={certainty} />]] as const) : []),
        ...seen<Fact>(ctx, BankStatementDto, FACTS, [
          [say('report.fields.project'), <ProjectLink ctx={ctx} id={statement.projectId} names={names} />],
          [say('report.columns.account'), accountLabel],
          [say('report.columns.period'), periodOf(statement) || null],
          [say('report.columns.currency'), currency],
          [say('console.statements.lines'), lineCount === null ? null : count(lineCount)],
          [say('console.statements.format'), format?.toUpperCase()],
          [say('console.statements.size'), size(sizeBytes)],
          ['SHA-256', <code>{sha256}</code>],
        ]),
        ...customFacts(BANK_STATEMENT_FIELDS, ctx, BankStatementDto.from(statement)),
        [say('console.record.id'), <code>{id}</code>],
        [say('console.statements.uploaded'), <Time ctx={ctx} at={createdAt} />],
        ...(contentRemovedAt ? ([[say('console.statements.removed'), <Time ctx={ctx} at={contentRemovedAt} />]] as const) : []),
      ]}
    />
  );
}

const SureWithReason = ({ of: certainty }: { of: Certainty }) => (
  <>
    <Sure of={certainty} /> <span class="hint">{say(`console.statements.certaintiesAbout.${certainty}`)}</span>
  </>
);

const Failed = ({ ctx, statement }: Pick<Shown, 'ctx' | 'statement'>) => (
  <section>
    <h2>{say('console.statements.why')}</h2>
    <Note tone="error">{failureIn(statement.failure!)}</Note>
    <ActionButton ctx={ctx} action={pathOf(ctx, 'statements', statement.id, 'retry')} label={say('console.statements.retry')} />
  </section>
);

/** In English with its place, in other languages what it is about before that. */
function readingOf(key: string, other: WordingKey, message: string): string {
  const about = say(isWordingKey(key) ? key : other);
  return say('console.statements.reading', { about: `${about.charAt(0).toUpperCase()}${about.slice(1)}`, message });
}

export const warningIn = ({ code, message }: Failure): string => readingOf(`report.readings.${code}`, 'report.readings.other', message);
export const failureIn = ({ code, message }: Failure): string =>
  readingOf(`console.statements.failures.${code}`, 'console.statements.failures.other', message);

function kindIn(kind: string): string {
  const key = `console.statements.kinds.${kind}`;
  return isWordingKey(key) ? say(key) : kind.replaceAll('_', ' ');
}

function Masked({ statement: { redaction } }: Pick<Shown, 'statement'>) {
  if (!redaction) return null;
  const counts = Object.entries(redaction.counts).sort(([, a], [, b]) => b - a);
  return (
    <section>
      <h2>{say('console.statements.masked')}</h2>
      {counts.length === 0 ? <p class="hint">{say('console.statements.nothingMasked')}</p> : null}
      <Facts facts={counts.map(([kind, times]) => [kindIn(kind), count(times)])} />
    </section>
  );
}

function Lines({ ctx, statement, lines }: Shown) {
  const { lineCount, redactionStatus } = statement;
  if (redactionStatus !== 'succeeded' && redactionStatus !== 'skipped') return null;
  const total = lineCount ?? 0;
  return (
    <section>
      <h2>{say('console.statements.asStored')}</h2>
      <Table
        caption={say('console.statements.redacted')}
        rows={lines}
        empty={<p>{say('console.statements.noLines')}</p>}
        columns={[
          [say('console.statements.line'), ({ lineNumber }) => <span id={`line-${lineNumber}`}>{lineNumber}</span>, 'number'],
          ...seen<Column<RedactedLine>>(ctx, undefined, LINE, [
            [say('report.columns.date'), ({ bookedOn }) => <time dateTime={bookedOn}>{day(bookedOn)}</time>],
            [
              say('console.statements.description'),
              ({ description, reference }) => (reference === null ? description : `${description} · ${reference}`),
            ],
            [
              say('report.columns.counterparty'),
              ({ counterparty, counterpartyAccount }) => [counterparty, counterpartyAccount].filter(Boolean).join(' · '),
            ],
            // One account is named beside the lines.
            new Set(lines.map(({ account }) => account)).size > 1 ? [say('report.columns.account'), ({ account }) => account ?? ''] : null,
            [say('report.columns.amount'), ({ amount, currency }) => money(amount, currency), 'number'],
          ]),
        ]}
      />
      <Pager ctx={ctx} counted={{ total, totalRelation: 'exact', hasMore: total > pageNumberIn(ctx) * PAGE_SIZE }} />
    </section>
  );
}

const SECTION = 'statements';
const COLUMNS = 'projectId accountLabel periodStart,periodEnd lineCount redactionStatus certainty createdAt';
const FACTS = 'projectId accountLabel periodStart,periodEnd currency lineCount format sizeBytes sha256';
const LINE = 'bookedOn description,reference counterparty,counterpartyAccount account amount,currency';
const isHidden = ({ hidden }: PageContext): boolean => hidden?.isIn(BankStatementDto) ?? false;
const LINES_READ = { action: 'bank_statement.lines_read', of: 'statement_id' } as const;

@ConsoleSection({
  path: SECTION,
  label: 'Statements',
  adds: 'Upload statements',
  group: 'Claims',
  order: 2,
  operation: 'bank_statements.list',
})
export class StatementsConsole {
  constructor(
    private readonly statements: StatementsService,
    private readonly projects: ProjectsService,
    private readonly door: ConsoleDoor,
  ) {}

  @Page({ route: 'GET /', shows: 'fields', operation: 'bank_statements.list' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const projects = await this.projects.choices(ctx);
    const filter = !isHidden(ctx) && {
      search: ctx.query.get('search')?.slice(0, 200) || undefined,
      project_id: chosenAmong(ctx, 'project', projects),
      redaction_status: chosenIn(ctx, 'status', REDACTION_STATUSES),
      certainty: chosenIn(ctx, 'certainty', CERTAINTIES),
    };
    const whole = await readList(ctx, (page) => this.statements.list(ctx, { ...page, ...filter }));
    const found = { ...whole, rows: whole.rows.map((row) => seenOf(ctx, BankStatementDto, row)) };
    const ids = found.rows.map(({ projectId }) => projectId);
    const names = await this.projects.names(ctx, ids);
    const counts = isHidden(ctx) ? undefined : await this.statements.countsByStatus(ctx);
    const list = <StatementList ctx={ctx} found={found} projects={projects} names={names} counts={counts} />;
    return titledPage(say('scopes.of.bank_statements'), { actions: <ListActions ctx={ctx} /> }, list);
  }

  @Page({ route: 'GET /:statement_id', shows: 'fields', operation: 'bank_statements.get', reads: LINES_READ })
  async show(@PageCtx() ctx: PageContext, @Param('statement_id') id: string): Promise<Answer> {
    const whole = await this.statements.get(ctx, id);
    const statement = seenOf(ctx, BankStatementDto, whole);
    const [names, lines] = await Promise.all([
      this.projects.names(ctx, [whole.projectId]),
      this.statements.linesOnPage(ctx, whole, { page: pageNumberIn(ctx), page_size: PAGE_SIZE }),
    ]);
    const view = <StatementView ctx={ctx} statement={statement} names={names} lines={lines} />;
    const beside = { up: [pathOf(ctx, SECTION), told('Statements')], badge: <Status of={statement.redactionStatus} /> } as const;
    return titledPage(statement.fileName || say('console.statements.one'), beside, view);
  }

  @Action({ route: 'POST /chosen', shows: 'nothing', operation: 'bank_statements.update' })
  async move(@PageCtx() ctx: PageContext): Promise<Answer> {
    const ids = ctx.form.list('chosen').slice(0, PAGE_SIZE);
    const body = { projectId: ctx.form.given('moveTo') ?? null };
    for (const id of ids) await this.door.call(forPart(ctx, id), { params: { statement_id: id }, body });
    return goTo(pathOf(ctx, SECTION), say('console.statements.moved', { count: ids.length }));
  }

  @Action({ route: 'POST /:statement_id/retry', shows: 'nothing', operation: 'bank_statements.retry' })
  async retry(@PageCtx() ctx: PageContext, @Param('statement_id') id: string): Promise<Answer> {
    await this.door.call(ctx, { params: { statement_id: id } });
    return goTo(pathOf(ctx, SECTION, id), say('console.statements.queued'));
  }
}
