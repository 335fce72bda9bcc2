import { Param } from '@nestjs/common';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { type PageContext, PageCtx, pathOf } from '../../../api/console/page-context.js';
import { type Answer, CONTENT_ID, goTo, titledPage } from '../../../api/console/page.js';
import { ActionButton, Badge, Facts, LinkButton, Time, type Tone } from '../../../api/console/parts/facts.js';
import type { Choice } from '../../../api/console/parts/fields.js';
import { chosenAmong, chosenIn, Filters, Nothing, PAGE_SIZE, pageNumberIn, Pager, Table } from '../../../api/console/parts/list.js';
import { isAtLeast } from '../../../kernel/roles.js';
import { count, day, money, period, size } from '../../../api/console/say.js';
import type { PageOf } from '../../../store/tenant/page.js';
import { ProjectsService } from '../../projects/index.js';
import type { RedactedLine } from '../redaction/redacted-line.js';
import { StatementOperatorService } from '../statement-operator.service.js';
import { CERTAINTIES, type Certainty } from '../formats/statement-line.js';
import { type BankStatement, REDACTION_STATUSES, type RedactionStatus } from '../statement.entity.js';
import { StatementsService } from '../statements.service.js';

const STATUSES: Record<RedactionStatus, readonly [label: string, tone: Tone]> = {
  pending: ['Received', 'busy'],
  queued: ['Waiting', 'busy'],
  running: ['Being redacted', 'busy'],
  succeeded: ['Ready', 'good'],
  failed: ['Failed', 'bad'],
  skipped: ['Imported as redacted', 'good'],
};
const CHOICES: readonly Choice[] = Object.entries(STATUSES).map(([value, [label]]) => [value, label]);

export const Status = ({ of: status }: { of: RedactionStatus }) => <Badge tone={STATUSES[status][1]}>{STATUSES[status][0]}</Badge>;

const SURE: Record<Certainty, readonly [label: string, tone: Tone, about: string]> = {
  proven: ['Proven', 'good', 'Its balances prove the lines.'],
  plausible: ['Plausible', 'plain', 'Nothing contradicts the lines. No balances prove them, so a missing line is not noticed.'],
  doubtful: ['Doubtful', 'bad', 'Something contradicts the lines. Check what is said below before you use them.'],
};
const SURE_CHOICES: readonly Choice[] = Object.entries(SURE).map(([value, [label]]) => [value, label]);

export const Sure = ({ of: certainty }: { of: Certainty | null }) =>
  certainty === null ? null : <Badge tone={SURE[certainty][1]}>{SURE[certainty][0]}</Badge>;

/** How often a page asks again while a statement is being read. */
const NEWS_SECONDS = 2;
const isBusy = ({ redactionStatus }: BankStatement): boolean => STATUSES[redactionStatus][1] === 'busy';

/** Their days, if they are known. */
export const periodOf = ({ periodStart, periodEnd }: BankStatement): string =>
  periodStart === null || periodEnd === null ? '' : period(periodStart, periodEnd);

/** The project of a record, with the way to it. */
function ProjectLink({ ctx, id, names }: { ctx: PageContext; id: string | null; names: ReadonlyMap<string, string> }) {
  return id === null ? <span class="hint">None</span> : <a href={pathOf(ctx, 'projects', id)}>{names.get(id) ?? id}</a>;
}

const ListActions = ({ ctx }: { ctx: PageContext }) => (
  <>
    {isAtLeast(ctx.user.role, 'admin') ? (
      <LinkButton plain to={pathOf(ctx, 'statements', 'names')}>
        Names in doubt
      </LinkButton>
    ) : null}
    <LinkButton plain to={pathOf(ctx, 'statements', 'links')}>
      Ask a client
    </LinkButton>
    <LinkButton to={pathOf(ctx, 'statements', 'new')}>Upload statements</LinkButton>
  </>
);

interface ListProps {
  readonly ctx: PageContext;
  readonly found: PageOf<BankStatement>;
  readonly projects: readonly Choice[];
  readonly names: ReadonlyMap<string, string>;
}

function StatementList({ ctx, found, projects, names }: ListProps) {
  return (
    <>
      <p>Reports are made from bank statements. Names, accounts and other personal data are masked as soon as a file arrives.</p>
      <Filters
        ctx={ctx}
        search="File name or account"
        selects={[
          ['project', 'Project', projects],
          ['status', 'Status', CHOICES],
          ['certainty', 'Certainty', SURE_CHOICES],
        ]}
      />
      <div id="statements" data-news={found.rows.some(isBusy) ? NEWS_SECONDS : 0} data-at-end={CONTENT_ID}>
        <Table
          caption="Bank statements"
          rows={found.rows}
          empty={
            <Nothing ctx={ctx} of="statement">
              <p>No statement is here yet. Upload what the bank exports, as CSV, PDF or any other format.</p>
            </Nothing>
          }
          columns={[
            ['File', (statement) => <a href={pathOf(ctx, 'statements', statement.id)}>{statement.fileName || 'Without a name'}</a>],
            ['Project', (statement) => <ProjectLink ctx={ctx} id={statement.projectId} names={names} />],
            ['Account', (statement) => statement.accountLabel ?? ''],
            ['Period', periodOf],
            ['Lines', (statement) => (statement.lineCount === null ? '' : count(statement.lineCount)), 'number'],
            ['Status', (statement) => <Status of={statement.redactionStatus} />],
            ['Certainty', (statement) => <Sure of={statement.certainty} />],
            ['Uploaded', (statement) => <Time ctx={ctx} at={statement.createdAt} />],
          ]}
        />
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
  return (
    <div id="statement" data-news={isBusy(statement) ? NEWS_SECONDS : 0} data-at-end={CONTENT_ID}>
      {statement.failure ? <Failed ctx={ctx} statement={statement} /> : null}
      <div class="record">
        <div>
          {statement.warnings.length === 0 ? null : (
            <section>
              <h2>To check</h2>
              {statement.warnings.map(({ message }) => (
                <p class="warning">{message}</p>
              ))}
            </section>
          )}
          <Lines {...shown} />
        </div>
        <aside>
          <h2>Details</h2>
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
        ...(certainty === null ? [] : ([['Certainty', <SureWithReason of={certainty} />]] as const)),
        ['Project', <ProjectLink ctx={ctx} id={statement.projectId} names={names} />],
        ['Account', accountLabel],
        ['Period', periodOf(statement) || null],
        ['Currency', currency],
        ['Lines', lineCount === null ? null : count(lineCount)],
        ['Format', format?.toUpperCase()],
        ['Size', size(sizeBytes)],
        ['SHA-256', <code>{sha256}</code>],
        ['Id', <code>{id}</code>],
        ['Uploaded', <Time ctx={ctx} at={createdAt} />],
        ...(contentRemovedAt === null ? [] : ([['Content removed', <Time ctx={ctx} at={contentRemovedAt} />]] as const)),
      ]}
    />
  );
}

const SureWithReason = ({ of: certainty }: { of: Certainty }) => (
  <>
    <Sure of={certainty} /> <span class="hint">{SURE[certainty][2]}</span>
  </>
);

const Failed = ({ ctx, statement }: Pick<Shown, 'ctx' | 'statement'>) => (
  <section>
    <h2>Why it failed</h2>
    <p class="error" role="alert">
      {statement.failure?.message}
    </p>
    <ActionButton ctx={ctx} action={pathOf(ctx, 'statements', statement.id, 'retry')} label="Try again" />
  </section>
);

const KINDS: Readonly<Record<string, string>> = {
  email: 'E-mail addresses',
  iban: 'IBANs',
  uk_account: 'UK accounts',
  us_routing: 'US routing numbers',
  account: 'Account numbers',
  national_id: 'National identity numbers',
  document: 'Numbers of documents',
  birth_date: 'Dates of birth',
  card: 'Card numbers',
  phone: 'Phone numbers',
  postal_address: 'Postal addresses',
  person: 'Names of people',
};

function Masked({ statement: { redaction } }: Pick<Shown, 'statement'>) {
  if (!redaction) return null;
  const counts = Object.entries(redaction.counts).sort(([, a], [, b]) => b - a);
  return (
    <section>
      <h2>Masked</h2>
      {counts.length === 0 ? <p class="hint">No personal data was found.</p> : null}
      <Facts facts={counts.map(([kind, times]) => [KINDS[kind] ?? kind.replaceAll('_', ' '), count(times)])} />
    </section>
  );
}

function Lines({ ctx, statement, lines }: Shown) {
  const { lineCount, redactionStatus } = statement;
  if (redactionStatus !== 'succeeded' && redactionStatus !== 'skipped') return null;
  const total = lineCount ?? 0;
  return (
    <section>
      <h2>Lines, as they are stored</h2>
      <Table
        caption="Redacted lines"
        rows={lines}
        empty={<p>There are no lines here. They are removed when their retention ends.</p>}
        columns={[
          ['Line', ({ lineNumber }) => <span id={`line-${lineNumber}`}>{lineNumber}</span>, 'number'],
          ['Date', ({ bookedOn }) => <time dateTime={bookedOn}>{day(bookedOn)}</time>],
          ['Description', ({ description, reference }) => (reference === null ? description : `${description} · ${reference}`)],
          ['Counterparty', ({ counterparty, counterpartyAccount }) => [counterparty, counterpartyAccount].filter(Boolean).join(' · ')],
          // One account is named beside the lines.
          ...(new Set(lines.map(({ account }) => account)).size > 1
            ? [['Account', (line: RedactedLine) => line.account ?? ''] as const]
            : []),
          ['Amount', ({ amount, currency }) => money(amount, currency), 'number'],
        ]}
      />
      <Pager ctx={ctx} counted={{ total, totalRelation: 'exact', hasMore: total > pageNumberIn(ctx) * PAGE_SIZE }} />
    </section>
  );
}

const SECTION = 'statements';

@ConsoleSection({ path: SECTION, label: 'Statements', group: 'Claims', order: 2, operation: 'bank_statements.list' })
export class StatementsConsole {
  constructor(
    private readonly statements: StatementsService,
    private readonly operator: StatementOperatorService,
    private readonly projects: ProjectsService,
  ) {}

  @Page({ route: 'GET /', operation: 'bank_statements.list' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const projects = await this.projects.choices(ctx);
    const found = await this.statements.list(ctx, {
      page: pageNumberIn(ctx),
      page_size: PAGE_SIZE,
      search: ctx.query.get('search')?.slice(0, 200) || undefined,
      project_id: chosenAmong(ctx, 'project', projects),
      redaction_status: chosenIn(ctx, 'status', REDACTION_STATUSES),
      certainty: chosenIn(ctx, 'certainty', CERTAINTIES),
    });
    const names = await this.projects.names(
      ctx,
      found.rows.map(({ projectId }) => projectId),
    );
    const list = <StatementList ctx={ctx} found={found} projects={projects} names={names} />;
    return titledPage('Bank statements', { actions: <ListActions ctx={ctx} /> }, list);
  }

  @Page({ route: 'GET /:statement_id', operation: 'bank_statements.get' })
  async show(@PageCtx() ctx: PageContext, @Param('statement_id') id: string): Promise<Answer> {
    const statement = await this.statements.get(ctx, id);
    const [names, lines] = await Promise.all([
      this.projects.names(ctx, [statement.projectId]),
      this.statements.linesOnPage(ctx, statement, { page: pageNumberIn(ctx), page_size: PAGE_SIZE }),
    ]);
    const view = <StatementView ctx={ctx} statement={statement} names={names} lines={lines} />;
    const beside = { up: [pathOf(ctx, SECTION), 'Statements'], badge: <Status of={statement.redactionStatus} /> } as const;
    return titledPage(statement.fileName || 'Bank statement', beside, view);
  }

  @Action({ route: 'POST /:statement_id/retry', role: 'member', records: ['bank_statement.retried'] })
  async retry(@PageCtx() ctx: PageContext, @Param('statement_id') id: string): Promise<Answer> {
    // The operator's service finds a statement of any organization.
    await this.statements.get(ctx, id);
    await this.operator.retry(ctx.actor, id);
    return goTo(pathOf(ctx, SECTION, id), 'The statement was queued again.');
  }
}
