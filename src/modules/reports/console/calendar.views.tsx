import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Badge, type Tone } from '../../../api/console/parts/facts.js';
import { Table } from '../../../api/console/parts/list.js';
import { count, period } from '../../../api/console/say.js';
import type { CalendarMonth } from '../preview/calendar.computation.js';
import type { ShownCalendar } from '../preview/previews.js';
import type { ClaimReportResultDto } from '../result.dto.js';

type Status = CalendarMonth['status'];

/** A mark and a word tell what the colour repeats. */
const MARKS: Record<Status, readonly [mark: string, word: string, tone: Tone]> = {
  covered: ['✓', 'covered', 'good'],
  partial: ['◐', 'in part', 'busy'],
  missing: ['✗', 'none', 'bad'],
};
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MAX_YEARS = 10;
const MAX_STATEMENTS = 50;

interface Cell {
  readonly month: string;
  readonly status: Status;
  readonly count: number;
}

interface Row {
  readonly label: string;
  readonly cells: ReadonlyMap<string, Cell>;
}

const rowOf = (label: string, cells: readonly Cell[]): Row => ({ label, cells: new Map(cells.map((cell) => [cell.month, cell])) });

function CellOf({ cell, what }: { cell: Cell | undefined; what: string }) {
  if (!cell) return <span class="hint">·</span>;
  const [mark, word, tone] = MARKS[cell.status];
  return (
    <Badge tone={tone}>
      <span aria-hidden="true">{mark} </span>
      {cell.count === 0 ? word : count(cell.count)}
      <span class="unseen">{cell.count === 0 ? '' : ` ${what}${cell.count === 1 ? '' : 's'}, ${word}`}</span>
    </Badge>
  );
}

/** A table for each year, and what its marks mean. */
function Years({ title, rows, months, what }: { title: string; rows: readonly Row[]; months: readonly string[]; what: string }) {
  const years = [...new Set(months.map((month) => month.slice(0, 4)))];
  return (
    <>
      <p class="hint">✓ statements cover each day of the month, ◐ some days, ✗ none. The number is that of {what}s.</p>
      {years.length > MAX_YEARS ? <p class="hint">The last {MAX_YEARS} years are shown.</p> : null}
      {years.slice(-MAX_YEARS).map((year) => (
        <>
          <h3>{year}</h3>
          <Table
            caption={`${title} in ${year}`}
            rows={rows}
            empty={<p>No statement has days in the period.</p>}
            columns={[
              ['Account', ({ label }) => label],
              ...MONTHS.map((name, index) => {
                const month = `${year}-${String(index + 1).padStart(2, '0')}`;
                return [name, ({ cells }: Row) => <CellOf cell={cells.get(month)} what={what} />] as const;
              }),
            ]}
          />
        </>
      ))}
    </>
  );
}

/** Which months the statements of a run cover, as its result says it. */
export function Evidence({ ctx, id, result: { evidence } }: { ctx: PageContext; id: string; result: ClaimReportResultDto }) {
  const cells = evidence.months.map(({ month, status, statementIds }) => ({ month, status, count: statementIds.length }));
  return (
    <section>
      <h2>Months with statements</h2>
      {cells.length === 0 ? (
        <p class="empty">The run has no period, since it read no statement.</p>
      ) : (
        <Years title="Months with statements" rows={[rowOf('All', cells)]} months={cells.map(({ month }) => month)} what="statement" />
      )}
      <p>
        <a class="button plain" href={pathOf(ctx, 'reports', id, 'evidence')}>
          Evidence calendar by account
        </a>
      </p>
    </section>
  );
}

/** Which months statements cover, by account, and the statements. */
export function AccountCalendar({ ctx, shown: { calendar, statements, isCounted } }: { ctx: PageContext; shown: ShownCalendar }) {
  const { evidence, accounts, moreAccounts, moreMonths } = calendar;
  const rows = accounts.map(({ label, months }) =>
    rowOf(
      label ?? 'Not named',
      months.map(({ lines, ...month }) => ({ ...month, count: lines })),
    ),
  );
  const months = evidence.months.slice(moreMonths > 0 ? moreMonths : 0).map(({ month }) => month);
  return (
    <>
      <h2>Months by account</h2>
      {months.length === 0 ? (
        <p class="empty">No statement has days in the period.</p>
      ) : (
        <Years
          title="Evidence"
          rows={rows.length === 0 ? [rowOf('All', withoutLines(evidence.months))] : rows}
          months={months}
          what="line"
        />
      )}
      {isCounted ? null : <p class="hint">The lines are too many to be counted here.</p>}
      {moreAccounts > 0 ? <p class="hint">{moreAccounts} more accounts are not shown.</p> : null}
      <h2>Statements</h2>
      <Table
        caption="Statements"
        rows={statements.slice(0, MAX_STATEMENTS)}
        empty={
          <p>
            There is no redacted statement of the project and period. <a href={pathOf(ctx, 'statements', 'new')}>Upload statements</a>
          </p>
        }
        columns={[
          ['Statement', ({ id, fileName }) => <a href={pathOf(ctx, 'statements', id)}>{fileName || id}</a>],
          ['Account', ({ accountLabel }) => accountLabel ?? ''],
          ['Period', ({ periodStart, periodEnd }) => (periodStart === null || periodEnd === null ? '' : period(periodStart, periodEnd))],
        ]}
      />
      {statements.length > MAX_STATEMENTS ? <p class="hint">{statements.length - MAX_STATEMENTS} more are not shown.</p> : null}
    </>
  );
}

const withoutLines = (months: readonly { readonly month: string; readonly status: Status }[]): Cell[] =>
  months.map((month) => ({ ...month, count: 0 }));
