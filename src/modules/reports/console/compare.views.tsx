import { pathOf, type PageContext } from '../../../api/console/page.js';
import { Facts, Time, Way } from '../../../api/console/parts/facts.js';
import { Table } from '../../../api/console/parts/list.js';
import { amount, period, say } from '../../../api/console/say.js';
import type { Change, ResultComparison } from '../compare-results.js';
import type { ClaimReport } from '../report.entity.js';
import { sentenceOf } from './warning-sentences.js';

interface Shown {
  readonly ctx: PageContext;
  readonly before: ClaimReport;
  readonly run: ClaimReport;
  readonly comparison: ResultComparison;
}

export const NothingToCompare = ({ ctx, run }: Pick<Shown, 'ctx' | 'run'>) => (
  <>
    <p>{run.result ? say('console.reports.compare.noneBefore') : say('console.reports.compare.noResult')}</p>
    <Way to={pathOf(ctx, 'reports', run.id)} label={say('console.reports.back')} />
  </>
);

const TOTALS = {
  net: 'console.reports.spent',
  claimable: 'console.reports.claimable',
  claimableTax: 'console.reports.compare.tax',
  uncategorised: 'console.reports.compare.uncategorised',
} as const;

const orNone = (figure: string | number | null): string => (figure === null ? say('console.reports.compare.none') : amount(String(figure)));
const change = (): readonly (readonly [string, (row: Change) => string, 'number'])[] => [
  [say('console.reports.compare.before'), ({ from }) => orNone(from), 'number'],
  [say('console.reports.compare.now'), ({ to }) => orNone(to), 'number'],
  [say('workbook.difference'), ({ difference }) => (difference === null ? '' : amount(difference)), 'number'],
];

export function ComparisonView({ ctx, before, run, comparison }: Shown) {
  const { sameInputs, currency, totals, categories } = comparison;
  const runLink = ({ id, queuedAt }: ClaimReport) => (
    <a href={pathOf(ctx, 'reports', id)}>
      <Time ctx={ctx} at={queuedAt} />
    </a>
  );
  return (
    <>
      <Facts
        facts={[
          [say('console.reports.compare.runBefore'), runLink(before)],
          [say('console.reports.compare.thisRun'), runLink(run)],
          [say('console.reports.compare.inputs'), say(`console.reports.compare.${sameInputs ? 'same' : 'different'}`)],
          [say('report.fields.period'), fromTo({ from: daysOf(before), to: daysOf(run) })],
          [say('report.fields.currency'), fromTo(currency)],
        ]}
      />
      <Table
        caption={say('console.reports.compare.totals')}
        rows={Object.entries(totals).map(([name, total]) => ({ name: say(TOTALS[name as keyof typeof TOTALS]), ...total }))}
        empty=""
        columns={[[say('report.total'), ({ name }) => name], ...change()]}
      />
      <h2>{say('console.reports.compare.categories')}</h2>
      <Table
        caption={say('console.reports.compare.categories')}
        rows={categories}
        empty={<p>{say('console.reports.compare.noCategories')}</p>}
        columns={[[say('workbook.code'), ({ code }) => code], [say('report.signOff.name'), ({ name }) => name], ...change()]}
      />
      <Differences ctx={ctx} comparison={comparison} />
    </>
  );
}

function Differences({ ctx, comparison: { statements, warnings } }: Pick<Shown, 'ctx' | 'comparison'>) {
  const changed = [
    ...warnings.added.map((warning) => [say('console.reports.compare.new'), sentenceOf(warning)] as const),
    ...warnings.gone.map((warning) => [say('console.reports.compare.gone'), sentenceOf(warning)] as const),
  ];
  return (
    <>
      <h2>{say('console.reports.compare.statements')}</h2>
      <Table
        caption={say('console.reports.compare.statements')}
        rows={statements}
        empty={<p>{say('console.reports.compare.noStatements')}</p>}
        columns={[
          [say('console.reports.statement'), ({ id }) => <a href={pathOf(ctx, 'statements', id)}>{id}</a>],
          [say('console.reports.compare.linesBefore'), ({ linesUsed: { from } }) => orNone(from), 'number'],
          [say('console.reports.compare.linesNow'), ({ linesUsed: { to } }) => orNone(to), 'number'],
        ]}
      />
      <h2>{say('console.reports.warnings')}</h2>
      <Table
        caption={say('console.reports.compare.warnings')}
        rows={changed}
        empty={<p>{say('console.reports.compare.noWarnings')}</p>}
        columns={[
          [say('console.reports.compare.change'), ([kind]) => kind],
          [say('console.reports.compare.warning'), ([, sentence]) => sentence],
        ]}
      />
    </>
  );
}

const daysOf = ({ result }: ClaimReport): string | null => (result?.period ? period(result.period.start, result.period.end) : null);

const fromTo = ({ from, to }: { from: string | null; to: string | null }): string =>
  from === to ? (to ?? orNone(to)) : say('console.reports.compare.fromTo', { from: from ?? 'none', to: to ?? 'none' });
