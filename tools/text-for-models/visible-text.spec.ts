import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visible, visibleText } from './visible-text.js';

describe('a text before a model', () => {
  it.each([
    ['a direction', 'Berlin \u202eeciffo', 'Berlin [U+202E]eciffo'],
    ['tags that spell an instruction', `Rent\u{e0064}\u{e0065}\u{e006c}`, 'Rent[U+E0064][U+E0065][U+E006C]'],
    ['blanks without width', 'a\u200bb\u2060c\ufeff', 'a[U+200B]b[U+2060]c[U+FEFF]'],
    ['many selectors after an emoji', '😀\ufe01\ufe02', '😀[U+FE01][U+FE02]'],
    ['selectors of the supplement', 'a\u{e0100}\u{e0101}', 'a[U+E0100][U+E0101]'],
    ['joiners in a row', 'a\u200c\u200d\u200cb', 'a[U+200C][U+200D][U+200C]b'],
    ['fillers', 'x\u3164', 'x[U+3164]'],
  ])('names %s', (_what, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it.each([
    'Büro Berlin',
    'می\u200cخواهم',
    '👨\u200d👩\u200d👧',
    '\ufeffDate;Text',
    '❤\ufe0f',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    'क्\u200dष',
  ])('is unchanged if it needs them: %s', (text) => {
    expect(visibleText(text)).toBe(text);
  });

  it('has nothing invisible in any value, and values without it are equal', () => {
    const invisible = fc.constantFrom('\u202e', '\u200b', '\u{e0041}', '\u2066', '\u061c');
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ unit: 'grapheme-ascii' }), invisible)),
        fc.jsonValue({ stringUnit: 'grapheme-ascii' }),
        (parts, value) => {
          expect(JSON.stringify(visible({ [parts.join('')]: [parts.join('')] }))).not.toMatch(/[\u202e\u200b\u{e0041}\u2066\u061c]/u);
          expect(visible(value)).toEqual(value);
        },
      ),
    );
  });
});
