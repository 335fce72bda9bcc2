import { describe, expect, it } from 'vitest';
import { compareResults } from './compare-results.js';
import { categoryOf, claiming, compute, idOf, inputsOf, lineOf, statementOf } from './engine/fixtures/run.js';
import type { ClaimReportResultDto } from './result.dto.js';

const made = async (...[inputs, lines]: Parameters<typeof compute>): Promise<ClaimReportResultDto> => ({
  ...(await compute(inputs, lines)),
  outputs: [],
});
const lines = [lineOf(1, '-20.00', { description: 'rail' }), lineOf(1, '-10.00', { description: 'hotel' })];

describe('two results', () => {
  it('are compared by totals, categories, statements and warnings', async () => {
    const from = await made(inputsOf({ categories: [categoryOf('RAIL', [claiming('rail')])] }), lines);
    const to = await made(
      inputsOf({
        categories: [categoryOf('RAIL', [claiming('rail', 50)]), categoryOf('HOTEL', [claiming('hotel')])],
        statements: [statementOf(1), statementOf(2, { warnings: [{ code: 'currency_unknown', message: 'No currency.' }] })],
      }),
      [...lines, lineOf(2, '-5.50', { description: 'hotel' })],
    );
    const comparison = compareResults(from, to);
    expect(comparison).toMatchObject({
      sameInputs: false,
      totals: {
        net: { from: '30.00', to: '35.50', difference: '5.50' },
        claimable: { from: '20.00', to: '25.50', difference: '5.50' },
        uncategorised: { from: '10.00', to: '0.00', difference: '-10.00' },
      },
      categories: [
        { code: 'RAIL', from: '20.00', to: '10.00', difference: '-10.00' },
        { code: 'HOTEL', from: null, to: '15.50', difference: '15.50' },
      ],
      statements: [{ id: idOf(2), linesUsed: { from: null, to: 1 } }],
    });
    expect(comparison.warnings.added.map(({ code }) => code)).toContain('currency_unknown');
  });

  it('are compared by their taxes if one of them has any', async () => {
    const [untaxed, taxed] = await Promise.all(
      [claiming('rail'), { ...claiming('rail'), taxPercent: 7 }].map((one) =>
        made(inputsOf({ categories: [categoryOf('RAIL', [one])] }), lines),
      ),
    );
    expect(compareResults(untaxed!, taxed!).totals.claimableTax).toEqual({ from: null, to: '1.31', difference: '1.31' });
    expect(compareResults(untaxed!, untaxed!).totals).not.toHaveProperty('claimableTax');
  });

  it('have no differences if their inputs are the same', async () => {
    const result = await made(inputsOf({ categories: [categoryOf('RAIL', [claiming('rail')])] }), lines);
    expect(compareResults(result, result)).toMatchObject({
      sameInputs: true,
      categories: [],
      statements: [],
      warnings: { gone: [], added: [] },
    });
  });

  it('in two currencies are shown without a difference', async () => {
    const from = await made(inputsOf(), lines);
    const to = await made(
      inputsOf(),
      lines.map((line) => ({ ...line, currency: 'USD' })),
    );
    expect(compareResults(from, to)).toMatchObject({
      currency: { from: 'EUR', to: 'USD' },
      totals: { net: { from: '30.00', to: '30.00', difference: null } },
    });
  });

  it('may have two categories with one code, of two projects', async () => {
    const inputs = inputsOf({
      categories: [categoryOf('RAIL', [], { id: idOf(7) }), categoryOf('RAIL', [claiming('rail')], { id: idOf(8) })],
    });
    const without = inputsOf({ categories: [categoryOf('RAIL', [], { id: idOf(7) }), categoryOf('RAIL', [], { id: idOf(8) })] });
    expect(compareResults(await made(inputs, lines), await made(without, lines)).categories).toMatchObject([
      { code: 'RAIL', from: '20.00', to: '0.00' },
    ]);
  });
});
