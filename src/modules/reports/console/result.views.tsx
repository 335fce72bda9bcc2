import type { ComponentChildren } from 'preact';
import { type PageContext, pathOf } from '../../../api/console/page.js';
import { type Bar, Bars } from '../../../api/console/parts/bars.js';
import { Band, Facts, type Figure, Sentence } from '../../../api/console/parts/facts.js';
import { ConsoleForm, FormFields } from '../../../api/console/parts/fields.js';
import { Table } from '../../../api/console/parts/list.js';
import { amount, count, money, month, say, size, told, wordingNow } from '../../../api/console/say.js';
import { FIRST, SECOND } from '../../../api/wording/page-wording.js';
import { leadingOf } from '../../../kernel/empty-claim.js';
import { isUuid } from '../../../kernel/ids.js';
import { type KeyList, Sure } from '../../statements/index.js';
import { ITEMS_STATEMENT } from '../engine/inputs.js';
import { noteOf, valueOf } from '../outputs/tables.js';
import { FILE_KINDS } from '../outputs/report-output.js';
import type { ClaimReport } from '../report.entity.js';
import type { AmountsDto, ClaimReportLinePlaceDto, ClaimReportOutputDto, ClaimReportResultDto } from '../result.dto.js';
import { Evidence } from './calendar.views.js';
import { MAX_STATEMENTS } from './runs.js';
import { sentenceOf } from './warning-sentences.js';

const IDS = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/;

/** A warning whose statements and categories are links to them. Sentences name them by their ids and codes. */
function WarningText({ ctx, result, files, sentence }: Shown & { readonly sentence: string }) {
  const codes = new Set(result.categories.map(({ code }) => code));
  return (
    <>
      {sentence.split(IDS).map((part) => {
        if (isUuid(part)) return <StatementLink ctx={ctx} id={part} files={files} />;
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
  readonly files: ReadonlyMap<string, string>;
}

const named = ({ format }: ClaimReportOutputDto): string => format.toUpperCase();

export function ResultView({ ctx, id, result, files, children }: Shown & { readonly id: string; readonly children: ComponentChildren }) {
  return (
    <>
      <EmptyClaim ctx={ctx} result={result} />
      <Figures result={result} />
      <div class="record">
        <div>
          <Warnings ctx={ctx} result={result} files={files} />
          <Form result={result} />
          <Months result={result} />
          <Categories result={result} />
          <Evidence ctx={ctx} id={id} result={result} />
          <Uncategorised ctx={ctx} id={id} result={result} />
          <Sources ctx={ctx} result={result} files={files} />
        </div>
        <aside>
          {ctx.hidden ? null : <Files ctx={ctx} id={id} result={result} />}
          {children}
          <details>
            <summary>{say('console.reports.verification')}</summary>
            <Facts
              facts={[
                [say('console.reports.hash'), <code>{result.inputsHash}</code>],
                ...result.outputs.map((one) => [say('console.reports.sha', { format: named(one) }), <code>{one.sha256}</code>] as const),
              ]}
            />
          </details>
        </aside>
      </div>
    </>
  );
}

/** What is not claimed, and how much of the period has statements. `page`: where the report is. */
export const restOf = ({ totals, currency, evidence, uncategorised: { count: lines } }: ClaimReportResultDto, page = ''): Figure[] => [
  [
    say('console.reports.notCategorized'),
    money(totals.uncategorised, currency),
    <a href={`${page}#not-categorized`}>{say('console.reports.lines', { count: lines })}</a>,
  ],
  [say('console.reports.evidence'), `${amount(evidence.coveragePercent)} %`, say('console.reports.coverage')],
];

function Figures({ result }: Pick<Shown, 'result'>) {
  const [{ claimable, claimableTax, net, count: lines }, currency] = [result.totals, result.currency];
  const percent = ((100 * Number(claimable)) / Number(net)).toFixed(1);
  const share = Number(net) > 0 ? say('console.reports.share', { percent: amount(percent) }) : '';
  const tax = claimableTax === undefined ? '' : say('console.reports.taxInIt', { amount: money(claimableTax, currency) });
  return (
    <Band
      figures={[
        [say('console.reports.claimable'), money(claimable, currency), [tax, share].filter(Boolean).join(' · ')],
        [say('console.reports.spent'), money(net, currency), say('console.reports.lines', { count: lines })],
        ...restOf(result),
      ]}
    />
  );
}

/** Before the figures: a claim of zero is none if no statement was read. */
function EmptyClaim({ ctx, result }: Omit<Shown, 'files'>) {
  const leading = leadingOf(result.warnings, ({ code }) => code);
  if (leading.length === 0) return null;
  const see = <a href={pathOf(ctx, 'statements')}>{say('console.reports.seeStatements')}</a>;
  const upload = <a href={pathOf(ctx, 'statements', 'new')}>{say('console.reports.uploadSome')}</a>;
  return (
    <section class="error" role="alert">
      {leading.map((warning) => (
        <p>{sentenceOf(warning)}</p>
      ))}
      <Sentence text={say('console.reports.seeOrUpload', { see: FIRST, upload: SECOND })} parts={[see, upload]} />
    </section>
  );
}

function Warnings({ ctx, files, result: { warnings, ...others } }: Shown) {
  const leading = leadingOf(warnings, ({ code }) => code);
  const result = { ...others, warnings: warnings.filter((warning) => !leading.includes(warning)) };
  if (result.warnings.length === 0) return null;
  return (
    <section>
      <h2>{say('console.reports.toCheck')}</h2>
      {result.warnings.map((warning) => (
        <p class="warning">
          <WarningText ctx={ctx} result={result} files={files} sentence={sentenceOf(warning)} />
        </p>
      ))}
    </section>
  );
}

function Files({ ctx, id, result: { outputs } }: Omit<Shown, 'files'> & { readonly id: string }) {
  return (
    <section>
      <h2>{say('console.reports.files')}</h2>
      {outputs.length === 0 ? <p class="hint">{say('console.reports.noFiles')}</p> : null}
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
  const part = (tone: 'good' | 'plain', value: number) => ({ tone, value });
  return { label, parts: [part('good', claimed), part('plain', Math.max(0, Math.round(Number(net)) - claimed))] };
}

interface SumsProps<Row> {
  readonly title: string;
  readonly spent: string;
  readonly empty: string;
  readonly rows: readonly Row[];
  readonly nameOf: (row: Row) => string;
  readonly columns: readonly (readonly [heading: string, cell: (row: Row) => ComponentChildren])[];
}

function Sums<Row extends AmountsDto>({ title, spent, empty, rows, nameOf, columns }: SumsProps<Row>) {
  const claimable = say('console.reports.claimable');
  const legend = [['good', claimable] as const, ['plain', say('console.reports.notClaimed')] as const];
  return (
    <section>
      <h2>{title}</h2>
      {rows.length < 2 ? null : <Bars title={spent} legend={legend} bars={rows.map((one) => barOf(nameOf(one), one))} />}
      <Table
        caption={title}
        rows={rows}
        empty={<p>{empty}</p>}
        columns={[
          ...columns,
          [say('console.reports.linesOf'), (one) => count(one.count), 'number'],
          [say('console.reports.spent'), ({ net }) => amount(net), 'number'],
          [claimable, (one) => amount(one.claimable), 'number'],
        ]}
      />
    </section>
  );
}

/** The claim as its form has it, line by line. */
function Form({ result: { form, currency } }: Pick<Shown, 'result'>) {
  if (!form) return null;
  return (
    <section>
      <h2>{form.name}</h2>
      <p class="hint">{form.edition}</p>
      {form.sections.map(({ title, lines }) => (
        <Table
          caption={title}
          rows={lines}
          empty=""
          columns={[
            [title, ({ number, label }) => [number, label].filter(Boolean).join(' ')],
            [say('report.columns.note'), (line) => valueOf(wordingNow(), line) || noteOf(wordingNow(), line)],
            [say('report.columns.amount'), (line) => (line.amount === null ? '' : amount(line.amount)), 'number'],
          ]}
        />
      ))}
      <p>{say('report.form.total', { amount: money(form.total, currency) })}</p>
      {/[1-9]/.test(form.notOnForm) ? <p>{say('report.form.notOnForm', { amount: money(form.notOnForm, currency) })}</p> : null}
    </section>
  );
}

const Categories = ({ result: { categories, currency } }: Pick<Shown, 'result'>) => (
  <Sums
    title={say('report.summary.byCategory')}
    spent={say('console.reports.spentByCategory', { currency: currency ?? 'none' })}
    empty={say('console.reports.noCategory')}
    rows={categories}
    nameOf={({ name }) => name}
    columns={[
      [say('report.columns.category'), ({ name }) => name],
      [say('workbook.code'), ({ code }) => <code>{code}</code>],
    ]}
  />
);

const Months = ({ result: { months, currency } }: Pick<Shown, 'result'>) => (
  <Sums
    title={say('console.reports.byMonth')}
    spent={say('console.reports.spentByMonth', { currency: currency ?? 'none' })}
    empty={say('console.reports.noLine')}
    rows={months}
    nameOf={(one) => month(one.month)}
    columns={[[say('report.columns.month'), (one) => month(one.month)]]}
  />
);

/** As many lines are on a page of a statement. */
const LINES_ON_PAGE = 50;

type LineLinkProps = { readonly ctx: PageContext; readonly place: ClaimReportLinePlaceDto; readonly count?: number };

/** Costs without a bank line have a list instead of a statement. */
function StatementLink({ ctx, id, files }: Pick<Shown, 'ctx' | 'files'> & { readonly id: string }) {
  if (id === ITEMS_STATEMENT) return <a href={pathOf(ctx, 'items')}>{told('Claim items')}</a>;
  return <a href={pathOf(ctx, 'statements', id)}>{files.get(id) || id}</a>;
}

/** A link to a line, or to the first of several. */
function LineLink({ ctx, place: { statementId, lineNumber }, count: lines }: LineLinkProps) {
  const number = String(lineNumber);
  const label = lines === undefined ? say('console.reports.lineNumber', { number }) : say('console.reports.lines', { count: lines });
  const page = Math.ceil(lineNumber / LINES_ON_PAGE);
  if (statementId === ITEMS_STATEMENT) return <a href={pathOf(ctx, 'items')}>{label}</a>;
  return <a href={`${pathOf(ctx, 'statements', statementId)}?page=${page}#line-${lineNumber}`}>{label}</a>;
}

/** The way from a line to a rule that claims it, and its like. */
const ruleOf =
  (ctx: PageContext, id: string) =>
  ({ statementId, lineNumber }: ClaimReportLinePlaceDto) =>
    ctx.can('expense_categories.create') && statementId !== ITEMS_STATEMENT ? (
      <a href={pathOf(ctx, 'reports', id, 'lines', statementId, String(lineNumber), 'rule')}>{say('console.reports.createRule')}</a>
    ) : null;

function Uncategorised({ ctx, id, result: { uncategorised, currency } }: Omit<Shown, 'files'> & { readonly id: string }) {
  const { net, largest = [], counterparties = [] } = uncategorised;
  return (
    <section>
      <h2 id="not-categorized">{say('console.reports.notCategorized')}</h2>
      <p>{say('console.reports.uncategorised', { count: uncategorised.count, amount: money(net, currency) })}</p>
      <Table
        caption={say('console.reports.largest')}
        rows={largest}
        empty={<p>{say('console.reports.allCategorized')}</p>}
        columns={[
          [say('console.reports.line'), (place) => <LineLink ctx={ctx} place={place} />],
          [say('report.columns.counterparty'), ({ counterparty }) => (counterparty ? <code>{counterparty}</code> : '')],
          [say('report.columns.amount'), (line) => amount(line.amount), 'number'],
          [say('console.reports.rule.title'), ruleOf(ctx, id)],
        ]}
      />
      {counterparties.length === 0 ? null : (
        <Table
          caption={say('console.reports.counterparties')}
          rows={counterparties}
          empty=""
          columns={[
            [say('report.columns.counterparty'), ({ counterparty }) => <code>{counterparty}</code>],
            [say('console.reports.linesOf'), (one) => <LineLink ctx={ctx} place={one.example} count={one.count} />, 'number'],
            [say('console.reports.spent'), (one) => amount(one.net), 'number'],
            [say('console.reports.rule.title'), ({ example }) => ruleOf(ctx, id)(example)],
          ]}
        />
      )}
    </section>
  );
}

function Sources({ ctx, result: { statements }, files }: Shown) {
  const more = statements.length - MAX_STATEMENTS;
  return (
    <section>
      <h2>{say('report.columns.statements')}</h2>
      <Table
        caption={say('console.reports.statementsOfRun')}
        rows={statements.slice(0, MAX_STATEMENTS)}
        empty={
          <Sentence
            text={say('console.reports.noStatement', { statements: FIRST })}
            parts={[<a href={pathOf(ctx, 'statements')}>{say('console.reports.theStatements')}</a>]}
          />
        }
        columns={[
          [say('console.reports.statement'), ({ id }) => <StatementLink ctx={ctx} id={id} files={files} />],
          [say('report.columns.certainty'), ({ certainty }) => <Sure of={certainty ?? null} />],
          [say('console.reports.linesOf'), ({ linesRead }) => count(linesRead), 'number'],
          [say('report.columns.used'), ({ linesUsed }) => count(linesUsed), 'number'],
          [say('console.reports.twice'), ({ duplicates }) => count(duplicates), 'number'],
        ]}
      />
      {more > 0 ? <p class="hint">{say('console.reports.more', { count: more })}</p> : null}
    </section>
  );
}

export function KeyListView({ ctx, run, list: { entries, isCut } }: { ctx: PageContext; run: ClaimReport; list: KeyList }) {
  const named = entries.filter(({ name }) => name !== null).length;
  const people = isCut ? say('console.reports.keys.moreThan', { count: entries.length }) : count(entries.length);
  return (
    <>
      <p>{say('console.reports.keys.about')}</p>
      <Facts
        facts={[
          [say('console.reports.keys.people'), people],
          [say('console.reports.keys.kept'), count(named)],
        ]}
      />
      {named < entries.length ? <p class="hint">{say('console.reports.keys.others')}</p> : null}
      <p>{say('console.reports.keys.audited')}</p>
      <ConsoleForm ctx={ctx} submit={say('console.reports.keys.save')} cancel={pathOf(ctx, 'reports', run.id)} />
    </>
  );
}
