import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoints, digestOf, foldText, isStorableText, oneOf } from './text.js';

/** Any UTF-16, lone surrogates included. */
const utf16 = fc.array(fc.nat({ max: 0xffff }), { maxLength: 30 }).map((units) => String.fromCharCode(...units));

it('counts a surrogate pair as one code point', () => {
  expect([codePoints(''), codePoints('abc'), codePoints('👩'), codePoints('👩‍👧'), codePoints('e\u0301'), codePoints('\ud800')]).toEqual([
    0, 3, 1, 3, 2, 1,
  ]);
  fc.assert(
    fc.property(utf16, (text) => {
      expect(codePoints(text)).toBe(text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g) ?? []).length);
    }),
  );
});

it('accepts as storable all text that UTF-8 can hold, except NUL', () => {
  fc.assert(
    fc.property(utf16, (text) => {
      const survives = Buffer.from(text).toString() === text;
      expect(isStorableText(text)).toBe(survives && !text.includes('\u0000'));
    }),
  );
  expect(isStorableText('a\u0000')).toBe(false);
});

describe('folding', () => {
  it.each([
    ['Straße', 'STRASSE', 'straße', 'STRAẞE'],
    ['ΟΔΟΣ', 'οδος', 'οδοσ'],
    ['Ångström', 'A\u030angstro\u0308m', '\u212bngström'],
    ['ﬁnance', 'FINANCE', 'Finance'],
    ['ＡＢＣ１', 'abc1'],
    ['x²', 'X2'],
  ])('makes %s and %s equal', (...spellings) => {
    expect(new Set(spellings.map(foldText)).size).toBe(1);
  });

  it('keeps different texts different', () => {
    const texts = ['a', 'ä', 'b', 'a ', ' a', '', '0', 'o', 'É', 'e'];
    expect(new Set(texts.map(foldText)).size).toBe(texts.length);
  });

  it('ignores case and Unicode form of every character, and changes nothing when applied twice', () => {
    const differing: string[] = [];
    for (let code = 0; code <= 0xffff; code += 1) {
      const text = String.fromCharCode(code);
      const folded = foldText(text);
      const others = [text.toLowerCase(), text.toUpperCase(), text.normalize('NFD'), text.normalize('NFKC'), folded];
      if (others.some((other) => foldText(other) !== folded)) differing.push(code.toString(16));
    }
    expect(differing).toEqual([]);
  });
});

it('makes equal digests only for equal parts in the same order', () => {
  const digests = [
    digestOf('a', 'b'),
    digestOf('ab', ''),
    digestOf('a', null),
    digestOf('a', 'null'),
    digestOf('a', ''),
    digestOf('a'),
    digestOf('b', 'a'),
    digestOf('a","b'),
  ];
  expect(new Set(digests).size).toBe(digests.length);
  expect(digestOf('a', 'b')).toBe(digestOf('a', 'b'));
  expect(digestOf('x'.repeat(10_000))).toHaveLength(43);
});

it('one record is called by the name of its table', () => {
  const tables = ['claim_projects', 'expense_categories', 'receipts', 'statement_layouts', 'staff'];
  expect(tables.map(oneOf)).toEqual(['claim project', 'expense category', 'receipt', 'statement layout', 'staff']);
});
