import { type PageContext, pathOf } from '../../../api/console/page-context.js';
import { type Bar, Bars } from '../../../api/console/parts/bars.js';
import { ActionButton, Facts } from '../../../api/console/parts/facts.js';
import { Table } from '../../../api/console/parts/list.js';
import { leadingOf } from '../../../kernel/empty-claim.js';
import { isUuid } from '../../../kernel/ids.js';
import { FILE_KINDS } from '../outputs/report-output.js';
import type { AmountsDto, ClaimReportLinePlaceDto, ClaimReportResultDto } from '../result.dto.js';
import { Evidence } from './calendar.views.js';

const IDS = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/;

/** A warning whose statements and category are links to them. Messages name statements by their ids, and begin with a code. */
function WarningText({ ctx, result, message }: { ctx: PageContext; result: ClaimReportResultDto; message: string }) {
  const codes = new Set(result.categories.map(({ code }) => code));
  return (
    <>
      {message.split(IDS).map((part) => {
        if (isUuid(part)) return <a href={pathOf(ctx, 'statements', part)}>{part}</a>;
        return part
          .split(/(\s|[,:.](?=\s|$))/)
          .map((word) => (codes.has(word) ? <a href={`${pathOf(ctx, 'categories')}?search=${encodeURIComponent(word)}`}>{word}</a> : word));
      })}
    </>
  );
}

interface Shown {
  readonly ctx: PageContext;
  readonly result: ClaimReportResultDto;
}

export function ResultView({ ctx, id, result }: Shown & { readonly id: string }) {
  return (
    <>
      <EmptyClaim ctx={ctx} result={result} />
      <Totals result={result} />
      <Warnings ctx={ctx} result={result} />
      <Files ctx={ctx} id={id} result={result} />
      <Categories result={result} />
      <Months result={result} />
      <Evidence ctx={ctx} id={id} result={result} />
      <Uncategorised ctx={ctx} id={id} result={result} />
      <Sources ctx={ctx} result={result} />
    </>
  );
}

function Totals({ result: { totals, period, currency, evidence, inputsHash } }: Pick<Shown, 'result'>) {
  const money = (amount: string | undefined) => amount && `${amount} ${currency ?? ''}`;
  return (
    <section>
      <h2>Totals</h2>
      <Facts
        facts={[
          ['Claimable', <strong>{money(totals.claimable)}</strong>],
          ...(totals.claimableTax === undefined ? [] : ([['Tax in it', money(totals.claimableTax)]] as const)),
          ['Spent', money(totals.net)],
          ['Of no category', money(totals.uncategorised)],
          ['Lines', totals.count.toLocaleString('en')],
          ['Period', period && `${period.start} to ${period.end}`],
          ['Days with statements', `${evidence.coveragePercent} %`],
          ['Hash of the inputs', <code>{inputsHash}</code>],
        ]}
      />
    </section>
  );
}

/** Before the figures: a claim of zero is none if no statement was read. */
function EmptyClaim({ ctx, result }: Shown) {
  const leading = leadingOf(result.warnings, ({ code }) => code);
  if (leading.length === 0) return null;
  return (
    <section class="error" role="alert">
      {leading.map(({ message }) => (
        <p>{message}</p>
      ))}
      <p>
        <a href={pathOf(ctx, 'statements')}>See all statements</a> or <a href={pathOf(ctx, 'statements', 'new')}>upload some</a>.
      </p>
    </section>
  );
}

function Warnings({ ctx, result: { warnings, ...others } }: Shown) {
  const leading = leadingOf(warnings, ({ code }) => code);
  const result = { ...others, warnings: warnings.filter((warning) => !leading.includes(warning)) };
  if (result.warnings.length === 0) return null;
  return (
    <section>
      <h2>What to check</h2>
      {result.warnings.map(({ message }) => (
        <p class="warning">
          <WarningText ctx={ctx} result={result} message={message} />
        </p>
      ))}
    </section>
  );
}

function Files({ ctx, id, result: { outputs } }: Shown & { readonly id: string }) {
  return (
    <section>
      <h2>Files</h2>
      <Table
        caption="Files of the run"
        rows={outputs}
        empty={<p>The run made no files. A configuration names the formats.</p>}
        columns={[
          ['File', ({ format }) => FILE_KINDS[format].name],
          ['Size', ({ bytes }) => `${bytes.toLocaleString('en')} bytes`, 'number'],
          ['SHA-256', ({ sha256 }) => <code>{sha256}</code>],
          [
            'Download',
            ({ format }) => (
              <ActionButton ctx={ctx} action={pathOf(ctx, 'reports', id, 'files', format)} label={`Download ${format.toUpperCase()}`} />
            ),
          ],
        ]}
      />
    </section>
  );
}

/** What can be claimed, and the rest of what was spent. A bar has no room below zero. */
function barOf(label: string, { claimable, net }: AmountsDto): Bar {
  const claimed = Math.max(0, Math.round(Number(claimable)));
  const rest = Math.max(0, Math.round(Number(net)) - claimed);
  return {
    label,
    parts: [
      { tone: 'good', value: claimed },
      { tone: 'plain', value: rest },
    ],
  };
}

const AMOUNTS = [
  ['Lines', ({ count }: AmountsDto) => count.toLocaleString('en'), 'number'],
  ['Spent', ({ net }: AmountsDto) => net, 'number'],
  ['Claimable', ({ claimable }: AmountsDto) => claimable, 'number'],
] as const;

function Categories({ result: { categories } }: Pick<Shown, 'result'>) {
  return (
    <section>
      <h2>By category</h2>
      {categories.length < 2 ? null : (
        <Bars
          title="Spent by category, in whole units; what can be claimed is green"
          bars={categories.map((one) => barOf(one.code, one))}
        />
      )}
      <Table
        caption="By category"
        rows={categories}
        empty={<p>No category took part. Categories say what can be claimed.</p>}
        columns={[['Code', ({ code }) => code], ['Name', ({ name }) => name], ...AMOUNTS]}
      />
    </section>
  );
}

function Months({ result: { months } }: Pick<Shown, 'result'>) {
  return (
    <section>
      <h2>By month</h2>
      {months.length < 2 ? null : (
        <Bars title="Spent by month, in whole units; what can be claimed is green" bars={months.map((one) => barOf(one.month, one))} />
      )}
      <Table
        caption="By month"
        rows={months}
        empty={<p>There are no lines in the period.</p>}
        columns={[['Month', ({ month }) => month], ...AMOUNTS]}
      />
    </section>
  );
}

/** As many lines are on a page of a statement. */
const LINES_ON_PAGE = 50;

function LineLink({ ctx, place: { statementId, lineNumber } }: { ctx: PageContext; place: ClaimReportLinePlaceDto }) {
  const page = Math.ceil(lineNumber / LINES_ON_PAGE);
  return <a href={`${pathOf(ctx, 'statements', statementId)}?page=${page}#line-${lineNumber}`}>Line {lineNumber}</a>;
}

/** The way from a line to a rule that claims it, and its like. */
const ruleOf =
  (ctx: PageContext, id: string) =>
  ({ statementId, lineNumber }: ClaimReportLinePlaceDto) =>
    ctx.can('expense_categories.create') ? (
      <a href={pathOf(ctx, 'reports', id, 'lines', statementId, String(lineNumber), 'rule')}>Make a rule of this</a>
    ) : null;

function Uncategorised({ ctx, id, result: { uncategorised, currency } }: Shown & { readonly id: string }) {
  const { count, net, largest = [], counterparties = [] } = uncategorised;
  return (
    <section>
      <h2>Lines of no category</h2>
      <p>
        {count.toLocaleString('en')} lines, {net} {currency}. The largest of them show which rule is missing.
      </p>
      <Table
        caption="The largest lines of no category"
        rows={largest}
        empty={<p>Every line has a category.</p>}
        columns={[
          ['Line', (place) => <LineLink ctx={ctx} place={place} />],
          ['Counterparty', ({ counterparty }) => (counterparty ? <code>{counterparty}</code> : '')],
          ['Amount', ({ amount }) => amount, 'number'],
          ['Rule', ruleOf(ctx, id)],
        ]}
      />
      {counterparties.length === 0 ? null : (
        <Table
          caption="Counterparties of several lines of no category"
          rows={counterparties}
          empty=""
          columns={[
            ['Counterparty', ({ counterparty }) => <code>{counterparty}</code>],
            ['Lines', (one) => one.count, 'number'],
            ['Spent', (one) => one.net, 'number'],
            ['For example', ({ example }) => <LineLink ctx={ctx} place={example} />],
            ['Rule', ({ example }) => ruleOf(ctx, id)(example)],
          ]}
        />
      )}
    </section>
  );
}

function Sources({ ctx, result: { statements } }: Shown) {
  return (
    <section>
      <h2>Statements that were read</h2>
      <Table
        caption="Statements of the run"
        rows={statements}
        empty={
          <p>
            No statement was read. <a href={pathOf(ctx, 'statements')}>Statements</a> of the project and period are read once they are
            redacted.
          </p>
        }
        columns={[
          ['Statement', ({ id }) => <a href={pathOf(ctx, 'statements', id)}>{id}</a>],
          ['Lines', ({ linesRead }) => linesRead.toLocaleString('en'), 'number'],
          ['Used', ({ linesUsed }) => linesUsed.toLocaleString('en'), 'number'],
          ['Also in another statement', ({ duplicates }) => duplicates.toLocaleString('en'), 'number'],
        ]}
      />
    </section>
  );
}
