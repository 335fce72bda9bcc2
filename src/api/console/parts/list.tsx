import type { ComponentChildren, JSX } from 'preact';
import type { PageContext } from '../page-context.js';
import { count } from '../say.js';
import { SelectField, TextField, type Choice } from './fields.js';
import { formOf } from '../form.js';

interface TableProps<Row> {
  /** What the table shows, for people who do not see it. */
  readonly caption: string;
  readonly columns: readonly (readonly [heading: string, cell: (row: Row) => ComponentChildren, kind?: 'number'])[];
  readonly rows: readonly Row[];
  /** Shown instead of a table without rows. */
  readonly empty: ComponentChildren;
}

/**
 * Rows under headings, which can be moved sideways where they have no room. On a phone each row is a block, in which the headings stand
 * before the cells.
 */
export function Table<Row>({ caption, columns, rows, empty }: TableProps<Row>): JSX.Element {
  if (rows.length === 0) return <div class="empty">{empty}</div>;
  return (
    <div class="table">
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(([heading, , kind]) => (
              <th scope="col" class={kind}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {columns.map(([heading, cell, kind]) => (
                <td data-heading={heading} class={kind}>
                  <div>{withWholeDays(cell(row))}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Browsers break a day after its hyphens, unless it is told to be one. */
const withWholeDays = (content: ComponentChildren): ComponentChildren =>
  typeof content === 'string'
    ? content.split(/(\d{4}-\d{2}-\d{2})/).map((part, index) => (index % 2 === 1 ? <time>{part}</time> : part))
    : content;

/** What a page of a list says of the whole list. */
interface Counted {
  readonly total: number;
  readonly totalRelation: 'exact' | 'at_least';
  readonly hasMore: boolean;
}

export const PAGE_SIZE = 50;

/** The page that an address asks for. What is no number is the first page. */
export function pageNumberIn({ query }: Pick<PageContext, 'query'>): number {
  const page = Number(query.get('page') ?? '1');
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
}

/** How many there are, and the way to the pages before and after. */
export function Pager({ ctx, counted }: { ctx: PageContext; counted: Counted }): JSX.Element {
  const current = pageNumberIn(ctx);
  const hrefOf = (page: number): string => {
    const query = new URLSearchParams(ctx.query);
    query.set('page', String(page));
    return `${ctx.path}?${query.toString()}`;
  };
  const total = `${counted.totalRelation === 'at_least' ? 'more than ' : ''}${count(counted.total)}`;
  const first = (current - 1) * PAGE_SIZE + 1;
  const last = counted.hasMore ? current * PAGE_SIZE : counted.total;
  if (counted.total === 0) return <></>;
  return (
    <nav class="pager" aria-label="Pages">
      {current > 1 ? (
        <a rel="prev" href={hrefOf(current - 1)}>
          Previous
        </a>
      ) : null}
      <span>{last < first ? `Nothing here: ${total} in all` : `${count(first)}–${count(last)} of ${total}`}</span>
      {counted.hasMore ? (
        <a rel="next" href={hrefOf(current + 1)}>
          Next
        </a>
      ) : null}
    </nav>
  );
}

interface FilterProps {
  readonly ctx: PageContext;
  /** The label of the search; none: no search. */
  readonly search?: string;
  readonly selects?: readonly (readonly [name: string, label: string, choices: readonly Choice[]])[];
  readonly children?: ComponentChildren;
}

/** The search and the filters of a list. They are in its address, so that it can be shared. */
export function Filters({ ctx, search, selects = [], children }: FilterProps): JSX.Element {
  const state = formOf(Object.fromEntries(ctx.query));
  return (
    <form method="get" action={ctx.path} class="filters" role="search" aria-label="This list">
      {search === undefined ? null : <TextField state={state} name="search" label={search} type="search" />}
      {selects.map(([name, label, choices]) => (
        <SelectField state={state} name={name} label={label} choices={[['', 'All'], ...choices]} />
      ))}
      {children}
      <button class="plain">Apply</button>
    </form>
  );
}

/** In the place of a table without rows: what to do first, or the way back from a search that finds nothing. */
export const Nothing = ({ ctx, of, children }: { ctx: PageContext; of: string; children: ComponentChildren }): JSX.Element =>
  [...ctx.query.values()].some(Boolean) ? (
    <p>
      No {of} matches. <a href={ctx.path}>Clear the filters</a>
    </p>
  ) : (
    <>{children}</>
  );

/** A filter of the address, if it is one of those that exist. */
export const chosenIn = <Value extends string>(
  { query }: Pick<PageContext, 'query'>,
  name: string,
  values: readonly Value[],
): Value | undefined => values.find((value) => value === query.get(name));

/** The same of a choice between records. */
export const chosenAmong = (ctx: Pick<PageContext, 'query'>, name: string, choices: readonly Choice[]): string | undefined =>
  chosenIn(
    ctx,
    name,
    choices.map(([id]) => id),
  );
