import type { ComponentChildren, JSX } from 'preact';
import { type KnownOfPage, formOf } from '../page.js';
import { type PageOf, type PageRequest, totalOf } from '../../../store/tenant/page.js';
import { count, say, wordingNow } from '../say.js';
import { TabLinks } from './facts.js';
import { SelectField, TextField, type Choice } from './fields.js';

export type Column<Row> = readonly [
  heading: string,
  cell: (row: Row) => ComponentChildren,
  kind?: 'number' | undefined,
  /** What the list is sorted by at its heading. */
  by?: ((row: Row) => string | number | null) | undefined,
];

interface TableProps<Row> {
  /** What the table shows, for people who do not see it. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Shown instead of a table without rows. In a list with filters, only if none of them is set. */
  readonly empty: ComponentChildren;
  /** The list that is sorted by its headings, as `readList` has read it. */
  readonly list?: { readonly ctx: KnownOfPage; readonly counted: Counted };
  /** Rows can be chosen by this value, for a form around the table. */
  readonly choose?: (row: Row) => string;
}

/**
 * Rows under headings, which can be moved sideways where they have no room. On a phone each row is a block, in which the headings stand
 * before the cells.
 */
export function Table<Row>({ caption, columns, rows, empty, list, choose }: TableProps<Row>): JSX.Element {
  if (rows.length === 0) return <div class="empty">{list ? <Nothing ctx={list.ctx}>{empty}</Nothing> : empty}</div>;
  const sorting = list && isSortable(list.counted) ? list.ctx : undefined;
  return (
    <div class="table">
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(([heading, , kind, by], index) => (
              <Heading heading={heading} kind={kind} ctx={by && sorting} index={index} />
            ))}
          </tr>
        </thead>
        <tbody>
          {(sorting ? sorted(sorting, columns, rows) : rows).map((row) => (
            <tr>
              {columns.map(([heading, cell, kind], index) => (
                <td data-heading={heading} class={kind}>
                  <div>
                    {choose && index === 0
                      ? [<input type="checkbox" name="chosen" value={choose(row)} aria-label={say('console.list.choose')} />, ' ']
                      : null}
                    {withWholeDays(cell(row))}
                  </div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** How the address says that a list is sorted: by the number of the column, with a minus from the end. */
function sortIn({ query }: KnownOfPage): { readonly index: number; readonly isDown: boolean } {
  const [, minus = '', index] = /^(-?)(\d+)$/.exec(query.get('sort') ?? '') ?? [];
  return { index: Number(index), isDown: minus !== '' };
}

type HeadingProps = { heading: string; kind: string | undefined; ctx: KnownOfPage | undefined; index: number };
/** With a link that sorts by it, first up, then down. */
function Heading({ heading, kind, ctx, index }: HeadingProps) {
  const { index: current, isDown } = ctx ? sortIn(ctx) : { index: undefined, isDown: false };
  const isUp = current === index && !isDown;
  const link = ctx && <a href={hrefWith(ctx, 'sort', `${isUp ? '-' : ''}${index}`)}>{heading}</a>;
  return (
    <th scope="col" class={kind} aria-sort={current !== index ? undefined : isDown ? 'descending' : 'ascending'}>
      {link ?? heading}
    </th>
  );
}

/** One page of all rows, in the order that the address asks for. */
function sorted<Row>(ctx: KnownOfPage, columns: readonly Column<Row>[], rows: readonly Row[]): readonly Row[] {
  if (!ctx.query.has('sort')) return rows;
  const { index, isDown } = sortIn(ctx);
  // An address may name a column by which nothing is sorted: then all rows were read as well.
  const by = columns[index]?.[3] ?? (() => null);
  const texts = new Intl.Collator(wordingNow().language, { numeric: true });
  const compare = (a: string | number | null, b: string | number | null): number => {
    // What has no value comes last, both ways.
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return (typeof a === 'number' ? a - Number(b) : texts.compare(a, String(b))) * (isDown ? -1 : 1);
  };
  const end = pageNumberIn(ctx) * PAGE_SIZE;
  return rows.toSorted((one, other) => compare(by(one), by(other))).slice(end - PAGE_SIZE, end);
}

/** Browsers break a day after its hyphens, unless it is told to be one. */
const withWholeDays = (content: ComponentChildren): ComponentChildren =>
  typeof content === 'string'
    ? content.split(/(\d{4}-\d{2}-\d{2})/).map((part, index) => (index % 2 === 1 ? <time>{part}</time> : part))
    : content;

type Counted = Omit<PageOf<unknown>, 'rows'>;

export const PAGE_SIZE = 50;
/** Longer lists are not sorted by their headings: they would be read whole for each page. */
const SORTED_AT_MOST = 200;
const isSortable = ({ total }: Counted): boolean => total <= SORTED_AT_MOST;

/** What the address of a list asks for: a page of it, the newest first, or all of it, which `Table` sorts. */
export async function readList<Row>(ctx: KnownOfPage, read: (page: PageRequest) => Promise<PageOf<Row>>): Promise<PageOf<Row>> {
  if (ctx.query.has('sort')) {
    const all = await read({ page: 1, page_size: SORTED_AT_MOST });
    if (isSortable(all)) return all;
  }
  return read({ page: pageNumberIn(ctx), page_size: PAGE_SIZE });
}

/** The address of the page with another value; a list that is sorted begins with its first page. */
export function hrefWith(ctx: KnownOfPage, name: string, value: string): string {
  const query = new URLSearchParams(ctx.query);
  query.delete('page');
  query.set(name, value);
  return `${ctx.path}?${query.toString()}`;
}

/** The page that an address asks for. What is no number is the first page. */
export function pageNumberIn({ query }: Pick<KnownOfPage, 'query'>): number {
  const page = Number(query.get('page') ?? '1');
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
}

/** How many there are, and the way to the pages before and after. */
export function Pager({ ctx, counted }: { ctx: KnownOfPage; counted: Counted }): JSX.Element {
  const current = pageNumberIn(ctx);
  const hrefOf = (page: number): string => hrefWith(ctx, 'page', String(page));
  const total = counted.totalRelation === 'at_least' ? say('console.list.moreThan', { count: counted.total }) : count(counted.total);
  const first = (current - 1) * PAGE_SIZE + 1;
  // A list that is sorted was read whole.
  const hasMore = counted.hasMore || current * PAGE_SIZE < counted.total;
  const last = hasMore ? current * PAGE_SIZE : counted.total;
  if (counted.total === 0) return <></>;
  return (
    <nav class="pager" aria-label={say('console.list.pages')}>
      {current > 1 ? (
        <a rel="prev" href={hrefOf(current - 1)}>
          {say('console.list.previous')}
        </a>
      ) : null}
      <span>
        {last < first
          ? say('console.list.nothingHere', { total })
          : say('console.list.shown', { first: count(first), last: count(last), total })}
      </span>
      {hasMore ? (
        <a rel="next" href={hrefOf(current + 1)}>
          {say('console.list.next')}
        </a>
      ) : null}
    </nav>
  );
}

interface FilterProps {
  readonly ctx: KnownOfPage;
  /** The label of the search; none: no search. */
  readonly search?: string;
  readonly selects?: readonly (readonly [name: string, label: string, choices: readonly Choice[]])[];
  /** There are none. By filters, what is hidden from somebody could be found out. */
  readonly isHidden?: boolean;
  readonly children?: ComponentChildren;
}

/** The search and the filters of a list. They are in its address, so that it can be shared. */
export function Filters({ ctx, search, selects = [], isHidden, children }: FilterProps): JSX.Element {
  if (isHidden) return <></>;
  const state = formOf(Object.fromEntries(ctx.query));
  return (
    <form method="get" action={ctx.path} class="filters" role="search" aria-label={say('console.list.this')}>
      {search === undefined ? null : <TextField state={state} name="search" label={search} type="search" />}
      {selects.map(([name, label, choices]) => (
        <SelectField state={state} name={name} label={label} choices={allOr(choices)} />
      ))}
      {children}
      <button class="plain">{say('console.list.apply')}</button>
    </form>
  );
}

/** One of them, or none: then all are meant. */
export const allOr = (choices: readonly Choice[]): readonly Choice[] => [['', say('console.list.all')], ...choices];

interface CountsProps {
  readonly ctx: KnownOfPage;
  readonly name: string;
  readonly choices: readonly Choice[];
  readonly counts: ReadonlyMap<string, number>;
}

/** A filter by one click, with how many there are of each. A value that no row has is not offered. */
export function Counts({ ctx, name, choices, counts }: CountsProps): JSX.Element {
  const offered = choices.filter(([value]) => counts.has(value) || ctx.query.get(name) === value);
  // Other filters make the list shorter, and the counts untrue.
  const isWhole = [...ctx.query].every(([key, value]) => value === '' || [name, 'sort', 'page'].includes(key));
  const countOf = (value: string): number => (value === '' ? totalOf(counts) : (counts.get(value) ?? 0));
  const links = allOr(offered).map(([value, label]) => {
    const text = isWhole ? `${label} ${count(countOf(value))}` : label;
    return [hrefWith(ctx, name, value), text, (ctx.query.get(name) ?? '') === value] as const;
  });
  return <TabLinks label={say('console.list.narrow')} links={links} />;
}

/** In the place of a table without rows: what to do first, or the way back from a search that finds nothing. */
export const Nothing = ({ ctx, children }: { ctx: KnownOfPage; children: ComponentChildren }): JSX.Element =>
  [...ctx.query.values()].some(Boolean) ? (
    <p>
      {say('console.list.noMatch')} <a href={ctx.path}>{say('console.list.clear')}</a>
    </p>
  ) : (
    <>{children}</>
  );

/** A filter of the address, if it is one of those that exist. */
export const chosenIn = <Value extends string>(
  { query }: Pick<KnownOfPage, 'query'>,
  name: string,
  values: readonly Value[],
): Value | undefined => values.find((value) => value === query.get(name));

export const chosenAmong = (ctx: Pick<KnownOfPage, 'query'>, name: string, choices: readonly Choice[]): string | undefined =>
  chosenIn(
    ctx,
    name,
    choices.map(([id]) => id),
  );
