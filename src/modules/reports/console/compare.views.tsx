import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Facts, Time } from '../../../api/console/parts/facts.js';
import { Table } from '../../../api/console/parts/list.js';
import type { Change, ResultComparison } from '../compare-results.js';
import type { ClaimReport } from '../report.entity.js';

interface Shown {
  readonly ctx: PageContext;
  readonly before: ClaimReport;
  readonly run: ClaimReport;
  readonly comparison: ResultComparison;
}

export const NothingToCompare = ({ ctx, run }: Pick<Shown, 'ctx' | 'run'>) => (
  <>
    <p>
      {run.result
        ? 'There is no run before it with the same project and configuration that has succeeded.'
        : 'Only a run that has succeeded can be compared.'}
    </p>
    <p>
      <a href={pathOf(ctx, 'reports', run.id)}>Back to the run</a>
    </p>
  </>
);

const TOTALS: Readonly<Record<keyof ResultComparison['totals'], string>> = {
  net: 'Spent',
  claimable: 'Claimable',
  claimableTax: 'Tax in it',
  uncategorised: 'Of no category',
};

const CHANGE = [
  ['Before', ({ from }: Change) => from ?? 'None', 'number'],
  ['Now', ({ to }: Change) => to ?? 'None', 'number'],
  ['Difference', ({ difference }: Change) => difference ?? '', 'number'],
] as const;

export function ComparisonView({ ctx, before, run, comparison }: Shown) {
  const { sameInputs, period, currency, totals, categories } = comparison;
  const runLink = ({ id, queuedAt }: ClaimReport) => (
    <a href={pathOf(ctx, 'reports', id)}>
      <Time ctx={ctx} at={queuedAt} />
    </a>
  );
  return (
    <>
      <Facts
        facts={[
          ['Run before', runLink(before)],
          ['This run', runLink(run)],
          ['Inputs', sameInputs ? 'The same, and so the results are' : 'Different'],
          ['Period', fromTo(period)],
          ['Currency', fromTo(currency)],
        ]}
      />
      <Table
        caption="Totals of both runs"
        rows={Object.entries(totals).map(([name, change]) => ({ name: TOTALS[name as keyof typeof TOTALS], ...change }))}
        empty=""
        columns={[['Total', ({ name }) => name], ...CHANGE]}
      />
      <h2>Categories whose claims differ</h2>
      <Table
        caption="Categories whose claims differ"
        rows={categories}
        empty={<p>The claim of every category is the same.</p>}
        columns={[['Code', ({ code }) => code], ['Name', ({ name }) => name], ...CHANGE]}
      />
      <Differences ctx={ctx} comparison={comparison} />
    </>
  );
}

function Differences({ ctx, comparison: { statements, warnings } }: Pick<Shown, 'ctx' | 'comparison'>) {
  const changed = [
    ...warnings.added.map(({ message }) => ['New', message] as const),
    ...warnings.gone.map(({ message }) => ['Gone', message] as const),
  ];
  return (
    <>
      <h2>Statements of which other lines are used</h2>
      <Table
        caption="Statements of which other lines are used"
        rows={statements}
        empty={<p>Both runs use the same lines.</p>}
        columns={[
          ['Statement', ({ id }) => <a href={pathOf(ctx, 'statements', id)}>{id}</a>],
          ['Lines before', ({ linesUsed }) => linesUsed.from ?? 'None', 'number'],
          ['Lines now', ({ linesUsed }) => linesUsed.to ?? 'None', 'number'],
        ]}
      />
      <h2>Warnings</h2>
      <Table
        caption="Warnings of one of the runs"
        rows={changed}
        empty={<p>Both runs have the same warnings.</p>}
        columns={[
          ['Change', ([kind]) => kind],
          ['Warning', ([, message]) => message],
        ]}
      />
    </>
  );
}

const fromTo = ({ from, to }: { from: string | null; to: string | null }): string =>
  from === to ? (to ?? 'None') : `${from ?? 'None'}, now ${to ?? 'none'}`;
