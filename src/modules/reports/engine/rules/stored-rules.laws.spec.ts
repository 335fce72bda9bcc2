import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyCategoryFilter, anyOutputOptions, anySourceMapping } from '../../../../../test/support/rule-documents.js';
import { CATEGORY_FILTER, OUTPUT_OPTIONS, SOURCE_MAPPING } from '../../../rules/index.js';
import { categoryOf, compute, configurationOf, inputsOf, lineOf } from '../fixtures/run.js';

it('every document that requests accept is computed without failure', async () => {
  const someLines = [lineOf(1, '-12.50'), lineOf(1, '7', { currency: null, description: '', counterparty: 'Straße', reference: 'x' })];
  await fc.assert(
    fc.asyncProperty(
      anySourceMapping,
      anySourceMapping,
      anyCategoryFilter,
      anyOutputOptions,
      async (one, other, categoryFilter, outputOptions) => {
        for (const [grammar, document] of [
          [SOURCE_MAPPING, one],
          [SOURCE_MAPPING, other],
          [CATEGORY_FILTER, categoryFilter],
          [OUTPUT_OPTIONS, outputOptions],
        ] as const)
          expect(grammar.problemsOf(document)).toEqual([]);
        const categories = [categoryOf('RAIL', [], { sourceMapping: one }), categoryOf('CLOUD-A', [], { sourceMapping: other })];
        const inputs = inputsOf({ categories, configuration: configurationOf({ categoryFilter, outputOptions }) });
        expect(await compute(inputs, someLines)).toMatchObject({ schema: 'claim-report/1' });
      },
    ),
    { numRuns: 300 },
  );
});
