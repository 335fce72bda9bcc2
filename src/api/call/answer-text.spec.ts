import fc from 'fast-check';
import { expect, it } from 'vitest';
import { answerText } from './executor.js';

const textOf = async (list: object): Promise<string> => [(await answerText({}, {}, list)) ?? []].flat().join('');

it('a list is the text that JSON has for it, also in many slices', async () => {
  const record = fc.record({ id: fc.uuid(), text: fc.string({ unit: 'grapheme' }), size: fc.integer({ min: 0, max: 300_000 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 12 }), fc.option(fc.jsonValue()), async (records, pagination) => {
      const data = records.map(({ size, ...others }) => ({ ...others, large: 'é'.repeat(size) }));
      const list = { data, ...(pagination !== null && { pagination }) };
      expect((await textOf(list)) === JSON.stringify(list)).toBe(true);
    }),
    { numRuns: 40 },
  );
});

it('other calls are answered while a large list is made', async () => {
  const list = { data: Array.from({ length: 200 }, () => ({ text: 'x'.repeat(40_000) })) };
  let turns = 0;
  const count = (): void => {
    turns += 1;
    pending = setImmediate(count);
  };
  let pending = setImmediate(count);
  await textOf(list);
  clearImmediate(pending);
  expect(turns).toBeGreaterThan(10);
});
