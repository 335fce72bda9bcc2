import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import * as bounds from './bounds.js';
import { CATEGORY_FILTER, bookingAccountsOf, SOURCE_MAPPING } from './source-mapping.js';
import { anyCategoryFilter, anyOutputOptions, anySourceMapping } from '../../../test/support/rule-documents.js';
import type { Grammar } from './shapes.js';
import { OUTPUT_OPTIONS } from './output-options.js';

const GRAMMARS: [name: string, grammar: Grammar<unknown>, documents: fc.Arbitrary<Record<string, unknown>>][] = [
  ['sourceMapping', SOURCE_MAPPING, anySourceMapping],
  ['categoryFilter', CATEGORY_FILTER, anyCategoryFilter],
  ['outputOptions', OUTPUT_OPTIONS, anyOutputOptions],
];

const DATEV = { consultantNumber: 29098, clientNumber: 55003, fiscalYearStart: '2026-01-01' };

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
const schemas = Object.assign({}, ...GRAMMARS.map(([, { components }]) => components)) as object;
ajv.addSchema({ $id: 'document', components: { schemas } });
const validatorOf = ({ ref }: Grammar<unknown>) => ajv.getSchema(`document${ref}`)!;

describe.each(GRAMMARS)('the grammar of %s', (_name, grammar, documents) => {
  it('accepts every document that follows it, and so does its schema', () => {
    const validate = validatorOf(grammar);
    fc.assert(
      fc.property(documents, (document) => {
        expect(grammar.problemsOf(document)).toEqual([]);
        expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('never fails on any other JSON: it reads it, or says where it is wrong', () => {
    const keys = fc.constantFrom('rules', 'priority', 'all', 'field', 'op', 'value', 'include', 'status', 'formats', 'locale', '__proto__');
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 5 },
        fc.jsonValue(),
        fc.constantFrom('amount', 'is', 'matches', '('),
        fc.array(tie('json'), { maxLength: 4 }),
        fc.dictionary(keys, tie('json')),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(keys, json), (document) => {
        const { findings } = grammar.read(document);
        for (const { path, code, message } of findings)
          expect([path, code, message]).toEqual([
            expect.stringMatching(/^[.[]/),
            expect.stringMatching(/^[a-z_]+$/),
            expect.stringMatching(/^must /),
          ]);
        expect(grammar.read(document).parsed === undefined).toBe(findings.length > 0);
      }),
      { numRuns: 500 },
    );
  });

  it('refuses every document in which one of our keys is one edit, a change of case or snake case away, and names the right key', () => {
    fc.assert(
      fc.property(
        documents.filter((document) => pathsOf(document).length > 0),
        fc.nat(),
        anEdit,
        (document, which, edit) => {
          const paths = pathsOf(document);
          const path = paths[which % paths.length]!;
          const key = path.at(-1) as string;
          const wrong = edit(key);
          fc.pre(wrong !== key);
          const findings = grammar.problemsOf(renamed(document, path, wrong));
          expect(findings, wrong).toContainEqual({
            path: expect.any(String),
            code: 'unknown_property',
            message: expect.stringMatching(`^must be spelled ${key}(,|$)`),
          });
        },
      ),
      { numRuns: 1000 },
    );
  });
});

type Path = readonly (string | number)[];

/**
 * The paths of our keys in a document that no other key may look like. Free keys are not among them: the arbitraries call them
 * `yours…`. Nor is `datev`, which looks like `date`.
 */
function pathsOf(value: unknown, before: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((inner, index) => pathsOf(inner, [...before, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key.startsWith('yours') ? [] : [...(key === 'datev' ? [] : [[...before, key]]), ...pathsOf(inner, [...before, key])],
  );
}

function renamed(value: unknown, [first, ...rest]: Path, key: string): Record<string, unknown> {
  const change = (name: string | number, inner: unknown) => (name === first && rest.length > 0 ? renamed(inner, rest, key) : inner);
  if (Array.isArray(value)) return value.map((inner, index) => change(index, inner)) as unknown as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(value as object).map(([name, inner]) => [name === first && rest.length === 0 ? key : name, change(name, inner)]),
  );
}

type Edit = (key: string) => string;
const at = (key: string, position: number): number => position % key.length;
const anEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc
    .tuple(
      fc.nat(),
      fc.string({ unit: 'grapheme-composite', minLength: 1, maxLength: 1 }).filter((unit) => [...unit].length === 1),
    )
    .chain(([position, unit]) =>
      fc.constantFrom<Edit>(
        (key) => key.slice(0, at(key, position)) + unit + key.slice(at(key, position)),
        (key) => key.slice(0, at(key, position)) + unit + key.slice(at(key, position) + 1),
        (key) => key.slice(0, at(key, position)) + key.slice(at(key, position) + 1),
        (key) =>
          key.slice(0, at(key, position)) +
          [...key.slice(at(key, position), at(key, position) + 2)].reverse().join('') +
          key.slice(at(key, position) + 2),
      ),
    ),
  fc.constantFrom<Edit>(
    (key) => key.toUpperCase(),
    (key) => key[0]!.toUpperCase() + key.slice(1),
    (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    (key) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  ),
);

it('keys that look like datev are the integrator’s own', () => {
  expect(OUTPUT_OPTIONS.problemsOf({ date: '2026-03-31', datev: { ...DATEV } })).toEqual([]);
  expect(OUTPUT_OPTIONS.problemsOf({ datev: { ...DATEV, clientnumber: 5 } })).toMatchObject([{ code: 'unknown_property' }]);
});

it('the format datev needs the numbers for its header', () => {
  expect(OUTPUT_OPTIONS.problemsOf({ formats: ['datev'], datev: DATEV })).toEqual([]);
  expect(OUTPUT_OPTIONS.problemsOf({ formats: ['datev'] })).toMatchObject([{ path: '.datev', code: 'required' }]);
  expect(OUTPUT_OPTIONS.problemsOf({ datev: { consultantNumber: 1000, clientNumber: 1 } })).toMatchObject([
    { path: '.datev.consultantNumber', message: 'must be a whole number from 1001 to 9999999' },
    { path: '.datev.fiscalYearStart', code: 'required' },
  ]);
});

it('the tax of a rule is a percentage with at most four decimals, or null', () => {
  const ruleWith = (taxPercent: unknown) => ({ rules: [{ taxPercent, all: [{ field: 'direction', op: 'is', value: 'out' }] }] });
  for (const taxPercent of [0, 19, 8.1, '5.5000', 100, null]) expect(SOURCE_MAPPING.problemsOf(ruleWith(taxPercent))).toEqual([]);
  for (const taxPercent of [-1, 100.1, '19 %', '5.00001', true, {}])
    expect(SOURCE_MAPPING.problemsOf(ruleWith(taxPercent))).toMatchObject([{ path: '.rules[0].taxPercent', code: 'not_allowed' }]);
});

it('accounts of a mapping are texts or whole numbers', () => {
  expect(bookingAccountsOf({ rules: [], account: ' 0650 ', contraAccount: 1590 })).toEqual({
    account: '0650',
    contraAccount: '1590',
    taxKey: null,
  });
  for (const account of ['', ' ', 'x'.repeat(51), 1.5, -1, ['4660']])
    expect(SOURCE_MAPPING.problemsOf({ account })).toMatchObject([{ path: '.account', code: 'not_allowed' }]);
  expect(SOURCE_MAPPING.problemsOf({ contra_account: '1590' })).toMatchObject([{ message: 'must be spelled contraAccount' }]);
});

it('docs/claim-reports.md and docs/report-files.md state every bound', async () => {
  const page = (await Promise.all(['claim-reports', 'report-files'].map((name) => readFile(`docs/${name}.md`, 'utf8')))).join('\n');
  const isStated = (bound: number) => new RegExp(`\\b${bound.toLocaleString('en')}\\b`).test(page);
  expect(Object.entries(bounds).filter(([, bound]) => !isStated(bound))).toEqual([]);
});
