import { expect, it } from 'vitest';
import { categoryOf, claiming, compute, configurationOf, idOf, inputsOf, lineOf, statementOf } from '../fixtures/run.js';
import type { DecidedPart, RunDecision } from '../inputs.js';
import type { ClaimedLine } from '../line-accumulator.js';

const RUNS = 5;
const LINES = 4000;
const DECISIONS_PER_RUN = 20_000;
const MONTHS = ['2026-01', '2026-02', '2026-03'];
const CODES = ['A', 'B', 'RAIL'];
const PERCENTS = ['100', '50', '33.3333', '0'];

/** Numbers from 0 to below `below`, the same for the same seed (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

interface Item {
  readonly code: string | null;
  readonly cents: number;
  /** In ten-thousandths of a percent. */
  readonly percent: number;
}

const amountOf = (cents: number): string => `${cents < 0 ? '-' : ''}${(Math.abs(cents) / 100).toFixed(2)}`;
const idsOf = new Map(CODES.map((code) => [code, categoryOf(code).id]));

/** What somebody decides about a line; undefined takes it back. */
function anyDecision(random: (below: number) => number, cents: number): readonly Item[] | undefined {
  const item = (part: number): Item => {
    const code = [...CODES, null][random(4)]!;
    return { code, cents: part, percent: code === null ? 0 : Math.round(Number(PERCENTS[random(4)]) * 10_000) };
  };
  const kind = random(4);
  if (kind === 0) return undefined;
  if (kind === 1) return [];
  if (kind === 2 || Math.abs(cents) < 3) return [item(cents)];
  const first = Math.sign(cents) * (1 + random(Math.abs(cents) - 2));
  const second = Math.sign(cents) * 1;
  return [item(first), item(second), item(cents - first - second)].filter((part) => part.cents !== 0);
}

const partOf = ({ code, cents, percent }: Item, isWhole: boolean): DecidedPart => ({
  categoryId: code === null ? null : idsOf.get(code)!,
  amount: isWhole ? null : amountOf(cents),
  claimablePercent: String(percent / 10_000),
  taxPercent: null,
});

it.each(Array.from({ length: RUNS }, (_, index) => index + 1))(
  'after 20,000 decisions, splits and undos, sums and controls hold, and every item names its rule or its person (run %i)',
  async (seed) => {
    const random = randomOf(seed);
    const lines = Array.from({ length: LINES }, (_, index) => ({
      cents: (random(10) === 0 ? 1 : -1) * (1 + random(100_000)),
      month: MONTHS[random(3)]!,
      isRail: random(2) === 0,
      fingerprint: `f${index >> 1}`,
      occurrence: (index % 2) + 1,
    }));
    const decided = new Map<number, readonly Item[]>();
    for (let count = 0; count < DECISIONS_PER_RUN; count += 1) {
      const index = random(LINES);
      const items = anyDecision(random, lines[index]!.cents);
      if (items) decided.set(index, items);
      else decided.delete(index);
    }
    const decisions = [...decided].map(([index, items]): RunDecision => {
      const { fingerprint, occurrence } = lines[index]!;
      const parts = items.map((item) => partOf(item, items.length === 1));
      return { id: idOf(index), fingerprint, occurrence, parts, by: 'Jane', at: '2026-07-01T00:00:00.000Z', reason: null };
    });

    const seen: ClaimedLine[] = [];
    const result = await compute(
      inputsOf({
        configuration: configurationOf(),
        categories: [categoryOf('A'), categoryOf('B'), categoryOf('RAIL', [claiming('rail')])],
        statements: [statementOf(1)],
        decisions,
      }),
      lines.map(({ cents, month, isRail, fingerprint }) =>
        lineOf(1, amountOf(cents), { bookedOn: `${month}-15`, description: isRail ? 'Rail ticket' : 'Lunch', fingerprint }),
      ),
      (line) => seen.push(line),
    );

    // Computed again in whole numbers of cents, from what was decided.
    const items = lines.flatMap(({ cents, month, isRail }, index) => {
      const own = decided.get(index) ?? [isRail ? { code: 'RAIL', cents, percent: 1_000_000 } : { code: null, cents, percent: 0 }];
      return (own.length === 0 ? [{ code: null, cents, percent: 0 }] : own).map((item) => ({ ...item, month }));
    });
    const total = (some: readonly { readonly cents: number }[]): number => -some.reduce((sum, { cents }) => sum + cents, 0);
    const claimOf = (some: typeof items): number => {
      const exact = -some.reduce((sum, { cents, percent }) => sum + cents * percent, 0);
      return Math.sign(exact) * Math.floor((Math.abs(exact) + 500_000) / 1_000_000);
    };
    let claimed = 0;
    for (const code of CODES) {
      const own = items.filter((item) => item.code === code);
      const claim = MONTHS.map((month) => claimOf(own.filter((item) => item.month === month))).reduce((sum, part) => sum + part, 0);
      claimed += claim;
      const expected = { count: own.length, net: amountOf(total(own)), claimable: amountOf(claim) };
      expect(result.categories.find((category) => category.code === code)).toMatchObject(expected);
    }
    const without = items.filter(({ code }) => code === null);
    expect(result.uncategorised).toMatchObject({ count: without.length, net: amountOf(total(without)) });
    expect(result.totals).toMatchObject({ count: LINES, net: amountOf(total(items)), claimable: amountOf(claimed) });
    expect(result.controls.filter(({ ok }) => !ok)).toEqual([]);
    expect(seen).toHaveLength(items.length);
    const named = seen.filter(({ category }) => category !== null);
    expect(named.filter(({ rule, decidedBy }) => (rule === null) === (decidedBy === undefined))).toEqual([]);
  },
);
