import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_REPORT_LIMITS } from '../../../../kernel/report-limits.js';
import { categoryOf, claiming, configurationOf, idOf, inputsOf, lineOf } from '../../engine/fixtures/run.js';
import makeReport from '../../run/make-report.computation.js';
import { textsOfPdf } from '../fixtures/pdf-text.js';
import { unpacked } from '../fixtures/files.js';

const PERCENTS = [1, 33.3333, 50, 100];

/** The PDF of a run whose lines have these amounts, in cents, and shares; and what the run claims. */
async function documentOf(amounts: readonly (readonly [number, number])[]): Promise<{ words: string[]; claimed: string }> {
  const lines = amounts.map(([cents, percent], index) =>
    lineOf(1, (cents / 100).toFixed(2), { description: `at ${percent} of`, bookedOn: `2026-0${1 + (index % 2)}-15` }),
  );
  async function* batches() {
    yield await Promise.resolve({ statementId: idOf(1), lines });
  }
  const inputs = inputsOf({
    configuration: configurationOf({ outputOptions: { formats: ['pdf'], locale: 'en-GB' } }),
    categories: [
      categoryOf(
        'ALL',
        PERCENTS.map((percent) => claiming(`at ${percent} of`, percent)),
      ),
    ],
  });
  const run = { id: idOf(700), startedAt: '2026-07-03T09:41:27.518Z' };
  const made = makeReport({ run, inputs, tokenKey: Buffer.alloc(32), limits: DEFAULT_REPORT_LIMITS }, batches());
  const file = await made.next();
  if (file.done) throw new Error('No file was made.');
  const result = await made.next();
  if (!result.done) throw new Error('More than one file was made.');
  const words = textsOfPdf(unpacked(file.value)).flatMap((page) => page.map(({ text }) => text));
  return { words, claimed: result.value.computed.totals.claimable };
}

describe('the items of a PDF', () => {
  /** Figures as an accountant reads them. As whole numbers, to be exact. */
  const figureOf = (text: string) => {
    const [whole, decimals = ''] = text.replaceAll(',', '').replace('\u2212', '').split('.');
    return Number(whole + decimals.padEnd(8, '0')) * (text.startsWith('\u2212') ? -1 : 1);
  };

  it('add up to the subtotals as the document explains it', async () => {
    const amount = fc.tuple(fc.integer({ min: -50_000, max: 50_000 }), fc.constantFrom(...PERCENTS));
    await fc.assert(
      fc.asyncProperty(fc.array(amount, { minLength: 1, maxLength: 60 }), async (amounts) => {
        const { words, claimed } = await documentOf(amounts);
        const start = words.lastIndexOf('Claimed items');
        let [amountSum, claimSum, total] = [0, 0, 0];
        words.slice(start, words.indexOf('Statements and accounts', start)).forEach((word, index, all) => {
          const next = (offset: number) => figureOf(all[index + offset]!);
          if (word.endsWith('%')) [amountSum, claimSum] = [amountSum + next(-1), claimSum + next(1)];
          else if (/^Total \w+ 2026$/.test(word)) {
            expect([next(1), next(2)]).toEqual([amountSum, claimSum]);
            [total, amountSum, claimSum] = [total + claimSum, 0, 0];
          } else if (word.endsWith('2026: sum, not rounded')) expect([next(1), next(2)]).toEqual([amountSum, claimSum]);
          else if (word.endsWith('2026: rounded once')) {
            expect(Math.abs(next(1) - claimSum)).toBeLessThanOrEqual(500_000);
            [total, amountSum, claimSum] = [total + next(1), 0, 0];
          } else if (word === 'Total Category ALL') expect(next(2)).toBe(total);
        });
        expect(total).toBe(figureOf(claimed));
      }),
      { numRuns: 15 },
    );
  });
});
