import { describe, expect, it } from 'vitest';
import { categoryOf, claiming, comparableLineOf, tokenOf } from '../fixtures/run.js';
import type { RunCategory } from '../inputs.js';
import { Matcher } from './matcher.js';

const contest = (categories: readonly RunCategory[], projectId: string | null = null) => {
  const found = new Matcher(categories, tokenOf).claim(comparableLineOf(), projectId);
  return found && { winner: `${found.winner.category.code}/${found.winner.rule.name}`, losers: found.losers.map(({ code }) => code) };
};
const twice = {
  all: [
    { field: 'description', op: 'contains', value: 'rail' },
    { field: 'description', op: 'contains', value: 'ticket' },
  ],
};

describe('of the categories that would claim a line', () => {
  it('the one with the highest priority wins, then the most specific rule, then the first code', () => {
    expect(contest([categoryOf('A', [twice]), categoryOf('B', [claiming('rail')], { priority: 1 })])).toEqual({
      winner: 'B/rule 1',
      losers: ['A'],
    });
    expect(contest([categoryOf('A', [claiming('rail')]), categoryOf('B', [twice])])).toEqual({ winner: 'B/rule 1', losers: ['A'] });
    expect(contest([categoryOf('B', [claiming('rail')]), categoryOf('A', [claiming('ticket')])])).toEqual({
      winner: 'A/rule 1',
      losers: ['B'],
    });
  });

  it('with codes that sort alike in a language, code points decide', () => {
    const rules = [claiming('rail')];
    expect(contest([categoryOf('ä', rules), categoryOf('z', rules), categoryOf('Z', rules)])).toMatchObject({
      winner: 'Z/rule 1',
      losers: ['z', 'ä'],
    });
    // By code units, the emoji would come before the full-width letter.
    expect(contest([categoryOf('😀', rules), categoryOf('Ａ', rules)])).toMatchObject({ winner: 'Ａ/rule 1' });
  });

  it('each is listed once, and never with itself', () => {
    const rules = [claiming('bus'), claiming('rail'), claiming('ticket')];
    expect(contest([categoryOf('A', rules), categoryOf('B', rules)])).toEqual({ winner: 'A/rule 2', losers: ['B'] });
    expect(contest([categoryOf('A', [claiming('bus')])])).toBeNull();
  });

  it('those of a project only claim lines of its statements', () => {
    const categories = [
      categoryOf('A', [claiming('rail')], { projectId: 'one' }),
      categoryOf('B', [claiming('rail')], { projectId: 'two' }),
      categoryOf('C', [claiming('rail')]),
    ];
    expect(
      [contest(categories, 'one'), contest(categories, 'two'), contest(categories)].map((found) => [found?.winner, found?.losers]),
    ).toEqual([
      ['A/rule 1', ['C']],
      ['B/rule 1', ['C']],
      ['C/rule 1', []],
    ]);
  });
});
