import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MASK, plainText } from './finding.js';

describe('a plain text', () => {
  it('has letters and digits in their usual form', () => {
    expect(plainText('ＤＥ１２ ①')).toBe('DE12 1');
  });

  it('has no invisible characters, and not the code point that stands for a mask', () => {
    expect(plainText(`D\u200bE1\u20602\ufeff3\ufe0f4${MASK}`)).toBe('DE1234');
  });

  it('has hyphens for all dashes and single spaces for all white space', () => {
    expect(plainText(' 10\u00ad06–2010\r\n\tRent  ')).toBe('10-06-2010 Rent');
  });

  it('does not change when it is converted again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(plainText(plainText(text))).toBe(plainText(text));
      }),
    );
  });
});
