import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { samples, type Sample } from './corpus.js';
import { isNeverWrongSilently, readOrRefused, type Mutant } from './mutants.js';

/** Where the record of a booking begins and ends, and what states a balance. */
interface Shape {
  readonly starts: RegExp;
  /** The first line that does not belong to the record any more, if that has no end of its own. */
  readonly next?: RegExp;
  readonly ends?: RegExp;
  readonly balance: RegExp;
}

const SHAPES: readonly (readonly [ext: RegExp, shape: Shape])[] = [
  [/\.sta$/, { starts: /^:61:/, next: /^(:(?!86:)|-)/, balance: /^:6[02][FM]:/ }],
  [/\.xml$/, { starts: /^<Ntry>/, ends: /^<\/Ntry>/, balance: /^<Bal>/ }],
  [/\.(ofx|qfx)$/, { starts: /^<STMTTRN>/, ends: /^<\/STMTTRN>/, balance: /^<LEDGERBAL>/ }],
  [/\.cod$/, { starts: /^21.{4}0000/, next: /^(21.{4}0000|8)/, balance: /^[18]/ }],
  [/\.n43$/, { starts: /^22/, next: /^(22|33)/, balance: /^(11|33)/ }],
  [/\.bai$/, { starts: /^16,/, next: /^(16|49),/, balance: /^03,/ }],
  [/\.qif$/, { starts: /^D/, ends: /^\^/, balance: /^POpening Balance/ }],
];

const shapeOf = ({ name }: Sample): Shape | undefined => SHAPES.find(([ext]) => ext.test(name))?.[1];

interface Place {
  readonly from: number;
  /** After its last line. */
  readonly to: number;
}

function recordsOf(lines: readonly string[], { starts, next, ends }: Shape): Place[] {
  return lines.flatMap((line, from) => {
    if (!starts.test(line)) return [];
    const length = next
      ? lines.slice(from + 1).findIndex((later) => next.test(later)) + 1
      : lines.slice(from).findIndex((later) => ends!.test(later)) + 1;
    return length > 0 ? [{ from, to: from + length }] : [];
  });
}

/** The statement with a booking missing, twice, or in another place; with balances and without. */
function* recordMutantsOf(lines: readonly string[], shape: Shape): Generator<Mutant<readonly string[]>> {
  for (const { from, to } of recordsOf(lines, shape)) {
    const [record, rest] = [lines.slice(from, to), lines.toSpliced(from, to - from)];
    yield { how: `the booking of line ${from + 1} missing`, content: rest };
    yield { how: `the booking of line ${from + 1} twice`, content: lines.toSpliced(from, 0, ...record) };
    yield {
      how: `the booking of line ${from + 1} missing, and the balances`,
      content: rest.filter((line) => !shape.balance.test(line)),
    };
    for (const at of [from - 1, from + 1, from + 2, rest.length].filter((place) => place >= 0 && place <= rest.length))
      yield { how: `the booking of line ${from + 1} moved to line ${at + 1}`, content: rest.toSpliced(at, 0, ...record) };
  }
}

/** The statement with a line, which has a field of a booking or of the statement, missing, twice, or after the next. */
function* lineMutantsOf(lines: readonly string[]): Generator<Mutant<readonly string[]>> {
  for (const [index, line] of lines.entries()) {
    yield { how: `line ${index + 1} missing`, content: lines.toSpliced(index, 1) };
    yield { how: `line ${index + 1} twice`, content: lines.toSpliced(index, 0, line) };
    yield { how: `line ${index + 1} after the next`, content: lines.toSpliced(index, 2, lines[index + 1] ?? '', line) };
  }
}

/** An MT940 has most of a booking in one line: the dates, the mark of the direction, the amount, and what follows. */
const CELLS = /^(:61:\s*\d{6})(\d{4}| {4})?(R?[CD][A-Z]?)([\d.,]+)(.*)$/;

/** The statement with a part of such a line missing, twice, or in the place of the next. */
function* cellMutantsOf(lines: readonly string[]): Generator<Mutant<readonly string[]>> {
  for (const [index, line] of lines.entries()) {
    const cells = (CELLS.exec(line) ?? []).slice(1).map((cell: string | undefined) => cell ?? '');
    for (const [at, cell] of cells.entries()) {
      const put = (how: string, changed: readonly string[]) => ({
        how: `cell ${at + 1} of line ${index + 1} ${how}`,
        content: lines.toSpliced(index, 1, changed.join('')),
      });
      yield put('missing', cells.toSpliced(at, 1));
      yield put('twice', cells.toSpliced(at, 0, cell));
      yield put('after the next', cells.toSpliced(at, 2, cells[at + 1] ?? '', cell));
    }
  }
}

/** Each takes time, so some are chosen, always the same. */
const CHOSEN = 30;
function chosen<T>(mutants: readonly T[]): readonly T[] {
  const count = Math.min(CHOSEN, mutants.length);
  return fc.sample(fc.shuffledSubarray([...mutants], { minLength: count, maxLength: count }), { seed: 17, numRuns: 1 })[0]!;
}

const all = await samples();
const withRecords = all.filter((sample) => sample.expected.lines && shapeOf(sample));

describe('a booking or a field that is missing, doubled or moved never leads to another sum without a warning', () => {
  it.each(withRecords)('$name', async (sample) => {
    const lines = sample.bytes.toString(/windows-1252|rbc/.test(sample.name) ? 'latin1' : 'utf8').split('\n');
    const whole = await readOrRefused(lines.join('\n'), sample.name);
    expect(whole?.lines).toHaveLength(sample.expected.lines!.length);
    const some = chosen([...lineMutantsOf(lines), ...cellMutantsOf(lines)]);
    for (const { how, content } of [...recordMutantsOf(lines, shapeOf(sample)!), ...some]) {
      const found = await readOrRefused(content.join('\n'), sample.name);
      expect(isNeverWrongSilently(found, whole!), how).toBe(true);
    }
  });

  it('in each format that has records', () => {
    expect(withRecords.length).toBeGreaterThan(40);
    for (const [ext] of SHAPES) expect(withRecords.some(({ name }) => ext.test(name))).toBe(true);
  });
});
