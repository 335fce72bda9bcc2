import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { ActionButton, Facts, Time } from '../../../api/console/parts/facts.js';
import { pageNumberIn, PAGE_SIZE, Pager, Table } from '../../../api/console/parts/list.js';
import type { RedactedLine } from '../redaction/redacted-line.js';
import type { BankStatement } from '../statement.entity.js';
import { periodOf, ProjectLink, Status } from './statements.views.js';

const NEWS_SECONDS = 2;
const isBusy = ({ redactionStatus }: BankStatement): boolean => ['pending', 'queued', 'running'].includes(redactionStatus);

interface Shown {
  readonly ctx: PageContext;
  readonly statement: BankStatement;
  readonly names: ReadonlyMap<string, string>;
  readonly lines: readonly RedactedLine[];
}

/** It is asked for again until the statement is redacted. */
export function StatementView(shown: Shown) {
  const { ctx, statement } = shown;
  return (
    <div id="statement" data-news={isBusy(statement) ? NEWS_SECONDS : 0}>
      <StatementFacts {...shown} />
      {statement.failure ? <Failed ctx={ctx} statement={statement} /> : null}
      {statement.warnings.length === 0 ? null : (
        <section>
          <h2>What to check</h2>
          {statement.warnings.map(({ message }) => (
            <p class="warning">{message}</p>
          ))}
        </section>
      )}
      <Masked statement={statement} />
      <Lines {...shown} />
    </div>
  );
}

function StatementFacts({ ctx, statement, names }: Shown) {
  const { id, format, sizeBytes, sha256, accountLabel, currency, lineCount, redactionStatus, contentRemovedAt, createdAt } = statement;
  return (
    <Facts
      facts={[
        ['Status', <Status of={redactionStatus} />],
        ['Project', <ProjectLink ctx={ctx} id={statement.projectId} names={names} />],
        ['Account', accountLabel],
        ['Period', periodOf(statement) || null],
        ['Currency', currency],
        ['Lines', lineCount?.toLocaleString('en')],
        ['Format', format?.toUpperCase()],
        ['Size', `${sizeBytes.toLocaleString('en')} bytes`],
        ['SHA-256', <code>{sha256}</code>],
        ['Id', <code>{id}</code>],
        ['Uploaded', <Time ctx={ctx} at={createdAt} />],
        ...(contentRemovedAt === null ? [] : ([['Content removed', <Time ctx={ctx} at={contentRemovedAt} />]] as const)),
      ]}
    />
  );
}

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
      <h2>What was masked</h2>
      <Table
        caption="Masked personal data"
        rows={counts}
        empty={<p>No personal data was found.</p>}
        columns={[
          ['Kind', ([kind]) => KINDS[kind] ?? kind.replaceAll('_', ' ')],
          ['Occurrences', ([, count]) => count.toLocaleString('en'), 'number'],
        ]}
      />
    </section>
  );
}

function Lines({ ctx, statement, lines }: Shown) {
  const { lineCount, redactionStatus } = statement;
  if (redactionStatus !== 'succeeded' && redactionStatus !== 'skipped') return null;
  const total = lineCount ?? 0;
  return (
    <section>
      <h2>Lines as they are stored</h2>
      <Table
        caption="Redacted lines"
        rows={lines}
        empty={<p>There are no lines here. They are removed when their retention ends.</p>}
        columns={[
          ['Line', ({ lineNumber }) => <span id={`line-${lineNumber}`}>{lineNumber}</span>, 'number'],
          ['Date', ({ bookedOn }) => bookedOn],
          ['Description', ({ description, reference }) => (reference === null ? description : `${description} · ${reference}`)],
          ['Counterparty', ({ counterparty, counterpartyAccount }) => [counterparty, counterpartyAccount].filter(Boolean).join(' · ')],
          ['Account', ({ account }) => account ?? ''],
          ['Amount', ({ amount, currency }) => `${amount} ${currency ?? ''}`, 'number'],
        ]}
      />
      <Pager ctx={ctx} counted={{ total, totalRelation: 'exact', hasMore: total > pageNumberIn(ctx) * PAGE_SIZE }} />
    </section>
  );
}
