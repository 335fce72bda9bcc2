import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { expect, it } from 'vitest';
import type { PageContext } from '../page.js';
import { type Column, Table } from './list.js';

interface Row {
  readonly name: string;
  readonly lines: number | null;
}
const ROWS = Array.from({ length: 120 }, (_none, at): Row => ({ name: `r${(at * 7) % 120}`, lines: at % 10 === 0 ? null : at }));
const COLUMNS: readonly Column<Row>[] = [
  ['Name', ({ name }) => name, undefined, ({ name }) => name],
  ['Note', () => ''],
  ['Lines', ({ lines }) => String(lines), 'number', ({ lines }) => lines],
];

function shown(query: string, total = ROWS.length): { readonly names: string[]; readonly html: string } {
  const ctx = { path: '/console/test/rows', query: new URLSearchParams(query) } as PageContext;
  const list = { ctx, counted: { total, totalRelation: 'exact', hasMore: false } as const };
  const html = renderToString(h(Table<Row>, { caption: 'Rows', columns: COLUMNS, rows: ROWS, empty: '', list }));
  return { html, names: [...html.matchAll(/<div>(r\d+)/g)].map(([, name]) => name!) };
}

it('the pages of a sorted list have each row once, in order, and what has no value last both ways', () => {
  const pages = (sort: string) => ['1', '2', '3'].flatMap((page) => shown(`sort=${sort}&page=${page}`).names);
  const byName = Array.from({ length: 120 }, (_none, at) => `r${at}`);
  expect([pages('0'), pages('-0')]).toEqual([byName, byName.toReversed()]);
  const without = ROWS.filter(({ lines }) => lines === null).map(({ name }) => name);
  for (const sort of ['2', '-2']) expect(pages(sort).slice(-without.length).sort()).toEqual(without.sort());
});

it('an address that sorts by no column shows a page, and not all that was read', () => {
  for (const sort of ['1', '99', 'x', '']) {
    const pages = ['1', '2', '3'].map((page) => shown(`sort=${sort}&page=${page}`).names);
    expect(
      pages.map(({ length }) => length),
      sort,
    ).toEqual([50, 50, 20]);
    expect(new Set(pages.flat()).size).toBe(120);
  }
});

it('headings of a list that is too long to be read whole are no links', () => {
  expect([shown('').html.includes('sort=0'), shown('', 201).html.includes('sort=')]).toEqual([true, false]);
});
