import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DateRange, monthsOf, type RunStatement } from '../inputs.js';
import { AccountIdentities, evidenceOf as evidenceWith } from './evidence.js';
import { idOf, statementOf } from '../fixtures/run.js';

const evidenceOf = (statements: readonly RunStatement[], period: DateRange | null) =>
  evidenceWith(statements, period, new AccountIdentities(statements));
const balanceOf = (account: string | null) => ({ account, currency: 'EUR', opening: null, closing: null });
const covering = (number: number, periodStart: string | null, periodEnd: string | null, ...accounts: string[]) =>
  statementOf(number, { periodStart, periodEnd, balances: accounts.map(balanceOf) });
const QUARTER = { start: '2026-01-01', end: '2026-03-31' };
const shown = ({ coveragePercent, months }: ReturnType<typeof evidenceOf>) => [coveragePercent, ...months.map(({ status }) => status)];

describe('evidence', () => {
  it('says for each month whether statements cover it, and which ones', () => {
    const evidence = evidenceOf([covering(1, '2025-12-01', '2026-01-31'), covering(2, '2026-02-01', '2026-02-10')], QUARTER);
    expect(evidence).toEqual({
      coveragePercent: '45.5',
      months: [
        { month: '2026-01', status: 'covered', statementIds: [idOf(1)] },
        { month: '2026-02', status: 'partial', statementIds: [idOf(2)] },
        { month: '2026-03', status: 'missing', statementIds: [] },
      ],
    });
  });

  it('counts only days in the period: half a month can be fully covered', () => {
    expect(shown(evidenceOf([covering(1, '2026-01-10', '2026-02-03')], { start: '2026-01-15', end: '2026-02-03' }))).toEqual([
      '100.0',
      'covered',
      'covered',
    ]);
  });

  it('requires every account that appears', () => {
    const statements = [covering(1, '2026-01-01', '2026-03-31', 'A'), covering(2, '2026-01-01', '2026-01-31', 'B')];
    expect(shown(evidenceOf(statements, QUARTER))).toEqual(['67.2', 'covered', 'partial', 'partial']);
    expect(shown(evidenceOf([covering(1, '2026-01-01', '2026-03-31', 'A', 'B')], QUARTER))).toEqual([
      '100.0',
      'covered',
      'covered',
      'covered',
    ]);
  });

  it('takes the days of each account, where a file states them', () => {
    const balances = [
      { ...balanceOf('A'), period: { start: '2026-01-01', end: '2026-03-31' } },
      { ...balanceOf('B'), period: { start: '2026-02-01', end: '2026-02-28' } },
    ];
    const statement = statementOf(1, { periodStart: '2026-01-01', periodEnd: '2026-03-31', balances });
    expect(shown(evidenceOf([statement], QUARTER))).toEqual(['65.5', 'partial', 'covered', 'partial']);
  });

  it('counts a day once, even if several statements cover it', () => {
    expect(
      shown(
        evidenceOf(
          [covering(1, '2026-01-01', '2026-01-20'), covering(2, '2026-01-10', '2026-01-31'), covering(3, '2026-01-02', '2026-01-03')],
          QUARTER,
        ),
      ),
    ).toEqual(['34.4', 'covered', 'missing', 'missing']);
  });

  it('is never 100 percent if a day is missing', () => {
    expect(evidenceOf([covering(1, '2001-01-01', '2026-12-30')], { start: '2001-01-01', end: '2026-12-31' }).coveragePercent).toBe('99.9');
  });

  it('is zero without statements, or if the statements have no period', () => {
    expect(shown(evidenceOf([], QUARTER))).toEqual(['0.0', 'missing', 'missing', 'missing']);
    expect(shown(evidenceOf([covering(1, null, null)], QUARTER))).toEqual(['0.0', 'missing', 'missing', 'missing']);
    expect(evidenceOf([], null)).toEqual({ coveragePercent: '0.0', months: [] });
  });

  it('equals a count day by day', () => {
    const day = fc.integer({ min: 0, max: 120 });
    const spans = fc.array(fc.record({ account: fc.constantFrom('A', 'B'), span: fc.tuple(day, day) }), { maxLength: 6 });
    fc.assert(
      fc.property(spans, fc.tuple(day, day), (parts, bounds) => {
        const [first, last] = ordered(bounds);
        const statements = parts.map(({ account, span }, index) =>
          covering(index, dateOf(ordered(span)[0]), dateOf(ordered(span)[1]), account),
        );
        const accounts = new Set(parts.map(({ account }) => account));
        let [there, all] = [0, 0];
        for (let at = first; at <= last; at += 1) {
          for (const account of accounts.size > 0 ? accounts : ['A']) {
            all += 1;
            if (parts.some((part) => part.account === account && ordered(part.span)[0] <= at && at <= ordered(part.span)[1])) there += 1;
          }
        }
        expect(evidenceOf(statements, { start: dateOf(first), end: dateOf(last) }).coveragePercent).toBe(
          (Math.floor((there * 1000) / all) / 10).toFixed(1),
        );
      }),
    );
  });
});

describe('the months of a period', () => {
  it('start and end with the period, even in the year 9999', () => {
    expect(monthsOf({ start: '2025-12-31', end: '2026-01-01' }).map(({ days }) => days)).toEqual([
      { start: '2025-12-31', end: '2025-12-31' },
      { start: '2026-01-01', end: '2026-01-01' },
    ]);
    expect(monthsOf({ start: '2024-02-01', end: '2024-03-31' }).map(({ days }) => days.end)).toEqual(['2024-02-29', '2024-03-31']);
    expect(monthsOf({ start: '9999-11-02', end: '9999-12-31' }).map(({ month }) => month)).toEqual(['9999-11', '9999-12']);
    expect(monthsOf({ start: '0001-01-01', end: '0001-01-31' })).toHaveLength(1);
  });
});

const ordered = ([a, b]: [number, number]): [number, number] => (a <= b ? [a, b] : [b, a]);
const dateOf = (day: number): string => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
