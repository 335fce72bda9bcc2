import fastify from 'fastify';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { writeListsInSlices } from './list-text.js';

const server = fastify();
let answer: unknown;
writeListsInSlices(server);
server.get('/', () => answer);
afterAll(() => server.close());

it('a list is the text that JSON has for it, also in many slices', async () => {
  const record = fc.record({ id: fc.uuid(), text: fc.string({ unit: 'grapheme' }), size: fc.integer({ min: 0, max: 300_000 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 12 }), fc.option(fc.jsonValue()), async (records, pagination) => {
      const data = records.map(({ size, ...others }) => ({ ...others, large: 'é'.repeat(size) }));
      answer = { data, ...(pagination !== null && { pagination }) };
      const { payload, headers } = await server.inject('/');
      expect(payload === JSON.stringify(answer)).toBe(true);
      expect(headers['content-length']).toBe(String(Buffer.byteLength(payload)));
    }),
    { numRuns: 40 },
  );
});

it('other calls are answered while a large list is made', async () => {
  answer = { data: Array.from({ length: 200 }, () => ({ text: 'x'.repeat(40_000) })) };
  let turns = 0;
  const count = (): void => {
    turns += 1;
    pending = setImmediate(count);
  };
  let pending = setImmediate(count);
  await server.inject('/');
  clearImmediate(pending);
  expect(turns).toBeGreaterThan(10);
});
