import type { ComponentChildren } from 'preact';
import { type PageContext, pathOf } from '../../../api/console/page-context.js';
import { type Bar, Bars } from '../../../api/console/parts/bars.js';
import { Band, Facts } from '../../../api/console/parts/facts.js';
import { FormFields } from '../../../api/console/parts/fields.js';
import { Table } from '../../../api/console/parts/list.js';
import { amount, count, money, month, plural, size } from '../../../api/console/say.js';
import { leadingOf } from '../../../kernel/empty-claim.js';
import { isUuid } from '../../../kernel/ids.js';
import { Sure } from '../../statements/index.js';
import { FILE_KINDS } from '../outputs/report-output.js';
import type { AmountsDto, ClaimReportLinePlaceDto, ClaimReportResultDto } from '../result.dto.js';
import { Evidence } from './calendar.views.js';
import { MAX_STATEMENTS } from './run-names.js';

const IDS = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/;

/** A warning whose statements and category are links to them. Messages name statements by their ids, and begin with a code. */
function WarningText({ ctx, result, files, message }: Shown & { readonly message: string }) {
  const codes = new Set(result.categories.map(({ code }) => code));
  return (
    <>
      {message.split(IDS).map((part) => {
        if (isUuid(part)) return <a href={pathOf(ctx, 'statements', part)}>{files.get(part) || part}</a>;
        return part
          .split(/(\s|[,:.](?=\s|$))/)
          .map((word) =>
            /^\d{4}-\d\d$/.test(word) ? (
              month(word)
            ) : codes.has(word) ? (
              <a href={`${pathOf(ctx, 'categories')}?search=${encodeURIComponent(word)}`}>{word}</a>
            ) : (
              word
            ),
          );
      })}
    </>
  );
}

interface Shown {
  readonly ctx: PageContext;
  readonly result: ClaimReportResultDto;
  /** The names of the files of its statements. */
  readonly files: ReadonlyMap<string, string>;
}

/** What the report found, the figures first. */
export function ResultView({ ctx, id, result, files, children }: Shown & { readonly id: string; readonly children: ComponentChildren }) {
  return (
    <>
      <EmptyClaim ctx={ctx} result={result} />
      <Figures result={result} />
      <div class="record">
        <div>
          <Warnings ctx={ctx} result={result} files={files} />
          <Months result={result} />
          <Categories result={result} />
          <Evidence ctx={ctx} id={id} result={result} />
          <Uncategorised ctx={ctx} id={id} result={result} />
          <Sources ctx={ctx} result={result} files={files} />
        </div>
        <aside>
          <Files ctx={ctx} id={id} result={result} />
          {children}
          <details>
            <summary>Verification</summary>
            <Facts
              facts={[
                ['Hash of the inputs', <code>{result.inputsHash}</code>],
                ...result.outputs.map(({ format, sha256 }) => [`SHA-256 of the ${format.toUpperCase()}`, <code>{sha256}</code>] as const),
              ]}
            />
          </details>
        </aside>
      </div>
    </>
  );
}

function Figures({ result: { totals, currency, evidence, uncategorised } }: Pick<Shown, 'result'>) {
  const { claimable, claimableTax, net, count: lines } = totals;
  const share = Number(net) > 0 ? ` · ${((100 * Number(claimable)) / Number(net)).toFixed(1)} % of what was spent` : '';
  return (
    <Band
      figures={[
        [
          'Claimable',
          money(claimable, currency),
          claimableTax === undefined ? share.slice(3) : `${money(claimableTax, currency)} tax in it${share}`,
        ],
        ['Spent', money(net, currency), plural(lines, 'line')],
        ['Not categorized', money(totals.uncategorised, currency), <a href="#not-categorized">{plural(uncategorised.count, 'line')}</a>],
        ['Evidence', `${evidence.coveragePercent} %`, 'of the days have statements'],
      ]}
    />
  );
}

/** Before the figures: a claim of zero is none if no statement was read. */
function EmptyClaim({ ctx, result }: Omit<Shown, 'files'>) {
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

function Warnings({ ctx, files, result: { warnings, ...others } }: Shown) {
  const leading = leadingOf(warnings, ({ code }) => code);
  const result = { ...others, warnings: warnings.filter((warning) => !leading.includes(warning)) };
  if (result.warnings.length === 0) return null;
  return (
    <section>
      <h2>To check</h2>
      {result.warnings.map(({ message }) => (
        <p class="warning">
          <WarningText ctx={ctx} result={result} files={files} message={message} />
        </p>
      ))}
    </section>
  );
}

function Files({ ctx, id, result: { outputs } }: Omit<Shown, 'files'> & { readonly id: string }) {
  return (
    <section>
      <h2>Files</h2>
      {outputs.length === 0 ? <p class="hint">None. A configuration names the formats.</p> : null}
      <ul class="files">
        {outputs.map(({ format, bytes }) => (
          <li>
            <form method="post" action={pathOf(ctx, 'reports', id, 'files', format)} class="inline">
              <FormFields ctx={ctx} />
              <button>
                {FILE_KINDS[format].name} <span class="hint">{size(bytes)}</span>
              </button>
            </form>
          </li>
        ))}
      </ul>
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
  ['Lines', (one: AmountsDto) => count(one.count), 'number'],
  ['Spent', ({ net }: AmountsDto) => amount(net), 'number'],
  ['Claimable', ({ claimable }: AmountsDto) => amount(claimable), 'number'],
] as const;

const LEGEND = [
  ['good', 'Claimable'],
  ['plain', 'Not claimed'],
] as const;

function Categories({ result: { categories, currency } }: Pick<Shown, 'result'>) {
  return (
    <section>
      <h2>By category</h2>
      {categories.length < 2 ? null : (
        <Bars title={`Spent by category, in ${currency}`} legend={LEGEND} bars={categories.map((one) => barOf(one.name, one))} />
      )}
      <Table
        caption="By category"
        rows={categories}
        empty={<p>No category took part. Categories say what can be claimed.</p>}
        columns={[['Category', ({ name }) => name], ['Code', ({ code }) => <code>{code}</code>], ...AMOUNTS]}
      />
    </section>
  );
}

function Months({ result: { months, currency } }: Pick<Shown, 'result'>) {
  return (
    <section>
      <h2>By month</h2>
      {months.length < 2 ? null : (
        <Bars title={`Spent by month, in ${currency}`} legend={LEGEND} bars={months.map((one) => barOf(month(one.month), one))} />
      )}
      <Table
        caption="By month"
        rows={months}
        empty={<p>There are no lines in the period.</p>}
        columns={[['Month', (one) => month(one.month)], ...AMOUNTS]}
      />
    </section>
  );
}

/** As many lines are on a page of a statement. */
const LINES_ON_PAGE = 50;

interface LineLinkProps {
  readonly ctx: PageContext;
  readonly place: ClaimReportLinePlaceDto;
  readonly label?: string;
}

function LineLink({ ctx, place: { statementId, lineNumber }, label = `Line ${lineNumber}` }: LineLinkProps) {
  const page = Math.ceil(lineNumber / LINES_ON_PAGE);
  return <a href={`${pathOf(ctx, 'statements', statementId)}?page=${page}#line-${lineNumber}`}>{label}</a>;
}

/** The way from a line to a rule that claims it, and its like. */
const ruleOf =
  (ctx: PageContext, id: string) =>
  ({ statementId, lineNumber }: ClaimReportLinePlaceDto) =>
    ctx.can('expense_categories.create') ? (
      <a href={pathOf(ctx, 'reports', id, 'lines', statementId, String(lineNumber), 'rule')}>Create rule</a>
    ) : null;

function Uncategorised({ ctx, id, result: { uncategorised, currency } }: Omit<Shown, 'files'> & { readonly id: string }) {
  const { net, largest = [], counterparties = [] } = uncategorised;
  return (
    <section>
      <h2 id="not-categorized">Not categorized</h2>
      <p>
        {plural(uncategorised.count, 'line')}, {money(net, currency)}. The largest show which rule is missing.
      </p>
      <Table
        caption="The largest lines that are not categorized"
        rows={largest}
        empty={<p>Every line has a category.</p>}
        columns={[
          ['Line', (place) => <LineLink ctx={ctx} place={place} />],
          ['Counterparty', ({ counterparty }) => (counterparty ? <code>{counterparty}</code> : '')],
          ['Amount', (line) => amount(line.amount), 'number'],
          ['Rule', ruleOf(ctx, id)],
        ]}
      />
      {counterparties.length === 0 ? null : (
        <Table
          caption="Counterparties of several lines that are not categorized"
          rows={counterparties}
          empty=""
          columns={[
            ['Counterparty', ({ counterparty }) => <code>{counterparty}</code>],
            ['Lines', (one) => <LineLink ctx={ctx} place={one.example} label={plural(one.count, 'line')} />, 'number'],
            ['Spent', (one) => amount(one.net), 'number'],
            ['Rule', ({ example }) => ruleOf(ctx, id)(example)],
          ]}
        />
      )}
    </section>
  );
}

function Sources({ ctx, result: { statements }, files }: Shown) {
  return (
    <section>
      <h2>Statements</h2>
      <Table
        caption="Statements of the run"
        rows={statements.slice(0, MAX_STATEMENTS)}
        empty={
          <p>
            No statement was read. <a href={pathOf(ctx, 'statements')}>Statements</a> of the project and period are read once they are
            redacted.
          </p>
        }
        columns={[
          ['Statement', ({ id }) => <a href={pathOf(ctx, 'statements', id)}>{files.get(id) || id}</a>],
          ['Certainty', ({ certainty }) => <Sure of={certainty ?? null} />],
          ['Lines', ({ linesRead }) => count(linesRead), 'number'],
          ['Used', ({ linesUsed }) => count(linesUsed), 'number'],
          ['Twice', ({ duplicates }) => count(duplicates), 'number'],
        ]}
      />
      {statements.length > MAX_STATEMENTS ? <p class="hint">{count(statements.length - MAX_STATEMENTS)} more are not shown.</p> : null}
    </section>
  );
}
