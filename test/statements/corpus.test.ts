import { describe, expect, it } from 'vitest';
import { JobFailure } from '../../src/kernel/failure.js';
import { shippedByName } from '../../src/modules/statements/formats/csv/layouts/written-layout.js';
import { readAll, type Read } from '../../src/modules/statements/formats/fixtures/reading.js';
import type { ImportOptions } from '../../src/modules/statements/formats/statement-reader.js';
import { samples, type Expected, type Sample } from './corpus.js';

/** What was read, in the form of what is expected. */
function foundIn({ lines, warnings, layout, certainty }: Read, expected: Expected): Expected {
  return {
    ...(layout && { layout: layout.name }),
    lines: lines.map(({ bookedOn, amount, currency, description, counterparty }, index) => {
      const { says, counterparty: party } = expected.lines?.[index] ?? {};
      return {
        date: bookedOn,
        amount,
        currency,
        ...(says !== undefined && { says: description.includes(says) ? says : description }),
        ...(party !== undefined && { counterparty: counterparty ?? '' }),
      };
    }),
    warnings: warnings.map(({ code }) => code).sort(),
    certainty,
  };
}

const all = await samples();

async function found({ name, bytes }: Sample, expected: Expected, options?: ImportOptions): Promise<Expected> {
  try {
    return foundIn(await readAll(bytes, name, undefined, options), expected);
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    return { failure: error.code };
  }
}

describe('the statements of the corpus are read completely, or refused', () => {
  it.each(all)('$name', async (sample) => {
    const { withLayout: _other, ...expected } = sample.expected;
    expect(await found(sample, expected)).toEqual(expected);
  });
});

describe('the statements without a header are read by the layout that the importer names', () => {
  it.each(all.filter(({ expected }) => expected.withLayout))('$name', async (sample) => {
    const expected = sample.expected.withLayout!;
    const layout = shippedByName(expected.layout!);
    expect(layout, expected.layout).toBeDefined();
    expect(await found(sample, expected, { layout })).toEqual(expected);
  });
});

/** Files that were made to be odd, and those that are refused, are no ordinary ones. */
const isOrdinary = ({ name, expected }: Sample): boolean => !name.startsWith('oddities/') && expected.certainty !== undefined;

it('at most three in a hundred of the ordinary files are doubtful, so that people look at those that are', () => {
  const ordinary = all.filter(isOrdinary);
  const doubtful = ordinary.filter(({ expected }) => expected.certainty === 'doubtful').map(({ name }) => name);
  expect(ordinary.length).toBeGreaterThan(150);
  expect(doubtful.length / ordinary.length, doubtful.join('\n')).toBeLessThanOrEqual(0.03);
});
