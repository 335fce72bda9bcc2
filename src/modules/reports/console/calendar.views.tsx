import { pathOf, type PageContext } from '../../../api/console/page.js';
import { Badge, type Tone, PlainLink } from '../../../api/console/parts/facts.js';
import { Table } from '../../../api/console/parts/list.js';
import { count, period, say, wordingNow } from '../../../api/console/say.js';
import type { CalendarMonth } from '../preview/calendar.computation.js';
import type { ShownCalendar } from '../preview/previews.js';
import type { ClaimReportResultDto } from '../result.dto.js';

type Status = CalendarMonth['status'];
/** What the numbers of a table count. */
type What = 'statements' | 'lines';

/** A mark and a word tell what the colour repeats. */
const MARKS: Record<Status, string> = { covered: '✓', partial: '◐', missing: '✗' };
const TONES: Record<Status, Tone> = { covered: 'good', partial: 'busy', missing: 'bad' };
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

function CellOf({ cell, what }: { cell: Cell | undefined; what: What }) {
  if (!cell) return <span class="hint">·</span>;
  const status = say(`console.reports.months.status.${cell.status}`);
  return (
    <Badge tone={TONES[cell.status]}>
      <span aria-hidden="true">{MARKS[cell.status]} </span>
      {cell.count === 0 ? status : count(cell.count)}
      <span class="unseen">{cell.count === 0 ? '' : ` ${say(`console.reports.counted.${what}`, { count: cell.count, status })}`}</span>
    </Badge>
  );
}

function Years({ title, rows, months, what }: { title: string; rows: readonly Row[]; months: readonly string[]; what: What }) {
  const years = [...new Set(months.map((month) => month.slice(0, 4)))];
  return (
    <>
      <p class="hint">{say('console.reports.months.legend', { what })}</p>
      {years.length > MAX_YEARS ? <p class="hint">{say('console.reports.months.years', { count: MAX_YEARS })}</p> : null}
      {years.slice(-MAX_YEARS).map((year) => (
        <>
          <h3>{year}</h3>
          <Table
            caption={say('console.reports.months.inYear', { title, year })}
            rows={rows}
            empty={<p>{say('console.reports.months.none')}</p>}
            columns={[
              [say('report.columns.account'), ({ label }) => label],
              ...Array.from({ length: 12 }, (_none, index) => {
                const month = `${year}-${String(index + 1).padStart(2, '0')}`;
                return [
                  wordingNow().formats.shortMonth(index + 1),
                  ({ cells }: Row) => <CellOf cell={cells.get(month)} what={what} />,
                ] as const;
              }),
            ]}
          />
        </>
      ))}
    </>
  );
}

export function Evidence({ ctx, id, result: { evidence } }: { ctx: PageContext; id: string; result: ClaimReportResultDto }) {
  const cells = evidence.months.map(({ month, status, statementIds }) => ({ month, status, count: statementIds.length }));
  const [title, all] = [say('console.reports.months.title'), rowOf(say('console.reports.months.all'), cells)];
  return (
    <section>
      <h2>{title}</h2>
      {cells.length === 0 ? (
        <p class="empty">{say('console.reports.months.noPeriod')}</p>
      ) : (
        <Years title={title} rows={[all]} months={cells.map(({ month }) => month)} what="statements" />
      )}
      <p>
        <PlainLink to={pathOf(ctx, 'reports', id, 'evidence')} label={say('console.reports.months.byAccount')} />
      </p>
    </section>
  );
}

export function AccountCalendar({ ctx, shown: { calendar, statements, isCounted } }: { ctx: PageContext; shown: ShownCalendar }) {
  const { evidence, accounts, moreAccounts, moreMonths } = calendar;
  const moreStatements = statements.length - MAX_STATEMENTS;
  const cellOf = ({ lines, ...month }: CalendarMonth): Cell => ({ ...month, count: lines });
  const rows = accounts.map((one) => rowOf(one.label ?? say('console.reports.months.notNamed'), one.months.map(cellOf)));
  const months = evidence.months.slice(moreMonths > 0 ? moreMonths : 0).map(({ month }) => month);
  return (
    <>
      <h2>{say('console.reports.months.accounts')}</h2>
      {months.length === 0 ? (
        <p class="empty">{say('console.reports.months.none')}</p>
      ) : (
        <Years
          title={say('console.reports.evidence')}
          rows={rows.length === 0 ? [rowOf(say('console.reports.months.all'), withoutLines(evidence.months))] : rows}
          months={months}
          what="lines"
        />
      )}
      {isCounted ? null : <p class="hint">{say('console.reports.months.tooManyLines')}</p>}
      {moreAccounts > 0 ? <p class="hint">{say('console.reports.months.moreAccounts', { count: moreAccounts })}</p> : null}
      <h2>{say('report.columns.statements')}</h2>
      <Table
        caption={say('report.columns.statements')}
        rows={statements.slice(0, MAX_STATEMENTS)}
        empty={
          <p>
            {say('console.reports.months.noStatement')}{' '}
            <a href={pathOf(ctx, 'statements', 'new')}>{say('console.reports.months.upload')}</a>
          </p>
        }
        columns={[
          [say('console.reports.statement'), ({ id, fileName }) => <a href={pathOf(ctx, 'statements', id)}>{fileName || id}</a>],
          [say('report.columns.account'), ({ accountLabel }) => accountLabel ?? ''],
          [say('report.fields.period'), ({ periodStart: start, periodEnd: end }) => (start && end ? period(start, end) : '')],
        ]}
      />
      {moreStatements > 0 ? <p class="hint">{say('console.reports.more', { count: moreStatements })}</p> : null}
    </>
  );
}

const withoutLines = (months: readonly { readonly month: string; readonly status: Status }[]): Cell[] =>
  months.map((month) => ({ ...month, count: 0 }));
