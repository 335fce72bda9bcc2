import { describe, expect, it } from 'vitest';
import { JobFailure } from '../../src/kernel/failure.js';
import { readAll, type Read } from '../../src/modules/statements/formats/fixtures/reading.js';
import { samples, type Expected } from './corpus.js';

/** What was read, in the form of what is expected. */
function foundIn({ lines, warnings }: Read, expected: Expected): Expected {
  return {
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
  };
}

const all = await samples();

describe('the statements of the corpus are read completely, or refused', () => {
  it.each(all)('$name', async ({ name, bytes, expected }) => {
    const found = await readAll(bytes, name).then(
      (read) => foundIn(read, expected),
      (error: unknown) => {
        if (!(error instanceof JobFailure)) throw error;
        return { failure: error.code };
      },
    );
    expect(found).toEqual(expected);
  });
});
