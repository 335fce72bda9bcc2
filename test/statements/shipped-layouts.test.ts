import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { JobFailure } from '../../src/kernel/failure.js';
import { fingerprintOfLayout } from '../../tools/bank-tables/index.js';
import { parseLayout, SHIPPED } from '../../src/modules/statements/formats/csv/layouts/written-layout.js';
import { readAll } from '../../src/modules/statements/formats/fixtures/reading.js';
import { layoutSchema } from '../support/layout-schema.js';
import { samples } from './corpus.js';

const isOfSchema = new Ajv2020().compile(layoutSchema());
const LEAST_BANKS = 60;

const all = await samples();
const names = SHIPPED.map(({ name }) => name);

describe('the shipped layouts', () => {
  it('have each a name of its own', () => expect(new Set(names).size).toBe(names.length));

  it(`are of ${LEAST_BANKS} banks at least, without the variants of an export`, () => {
    const banks = new Set(names.map((name) => /^[^/]+\/[a-z0-9]+/.exec(name)![0]));
    expect(banks.size).toBeGreaterThanOrEqual(LEAST_BANKS);
  });

  it('have each a sample that is read by it', () => {
    const read = all.flatMap(({ expected }) => [expected.layout, expected.withLayout?.layout]);
    expect(names.filter((name) => !read.includes(name))).toEqual([]);
  });

  it('have each a header of its own', () => {
    const fingerprints = SHIPPED.map(fingerprintOfLayout).filter((fingerprint) => fingerprint !== null);
    expect(new Set(fingerprints).size).toBe(fingerprints.length);
  });

  it.each(SHIPPED)('$name is one that people could have written', (layout) => {
    const own = { ...layout, name: layout.name.replace('/', ' ') };
    expect(parseLayout(JSON.stringify(own))).toEqual(own);
    expect(isOfSchema(own), JSON.stringify(isOfSchema.errors)).toBe(true);
  });

  // Each value of each field is replaced by one of another kind, too many or too few: what the schema refuses, the command refuses.
  it.each(SHIPPED)('$name is refused by the command if the schema refuses a change of it', (layout) => {
    const own = { ...layout, name: layout.name.replace('/', ' ') };
    let refused = 0;
    for (const field of [...Object.keys(layoutSchema().properties), 'other'])
      for (const value of [null, 0, 101, 1.5, '', 'x.json', 'EUR', true, [], ['a'], [1], {}, { out: ['a'] }, { 'Any column': 'money' }]) {
        const changed = { ...own, [field]: value };
        if (isOfSchema(changed)) continue;
        refused += 1;
        expect(() => parseLayout(JSON.stringify(changed)), JSON.stringify(changed)).toThrow();
      }
    expect(refused).toBeGreaterThan(100);
  });

  it.each(SHIPPED.filter(({ width }) => width !== undefined))('$name reads any other file, or refuses it with a code', async (layout) => {
    for (const { name, bytes } of all)
      await readAll(bytes, name, undefined, { layout }).catch((error: unknown) => expect(error).toBeInstanceOf(JobFailure));
  });

  it('say no currency, because banks have accounts in others, too', () => {
    expect(SHIPPED.filter(({ currency }) => currency !== undefined)).toEqual([]);
  });
});
