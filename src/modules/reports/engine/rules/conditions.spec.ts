import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import type { RunLine } from '../inputs.js';
import { comparableLine, Patterns, TextFinder } from './conditions.js';

function lineWith(description: string): RunLine {
  return {
    statementId: 's',
    lineNumber: 1,
    account: null,
    currency: null,
    amount: '1.00',
    bookedOn: '2026-01-01',
    description,
    counterparty: null,
    counterpartyAccount: null,
    reference: null,
    fingerprint: 'f',
  };
}

describe('patterns', () => {
  it('hold exactly for the texts that each of them matches alone', () => {
    // Letters that become other letters, or several, when their case changes or when they are composed.
    const letter = fc.constantFrom(
      'r',
      'a',
      'i',
      'l',
      'I',
      'k',
      's',
      'S',
      'ß',
      'ẞ',
      'İ',
      'ı',
      'ſ',
      'K',
      '\u0307',
      '\u0308',
      'ü',
      'ŉ',
      'ﬁ',
      'ǰ',
      '中',
      ' ',
    );
    const text = fc.array(letter, { minLength: 1, maxLength: 10 }).map((letters) => letters.join(''));
    const pattern = fc
      .tuple(
        fc.constantFrom('', '\\b', '^', '[a-z]'),
        fc.array(fc.constantFrom('r', 'a', 'i', 'l', 'k', 's', 'ai', 'ss', 'ü'), { minLength: 3, maxLength: 4 }),
        fc.constantFrom('', '.*', '(a|b)?', '|kss'),
      )
      .map(([before, letters, after]) => `${before}${letters.join('')}${after}`);
    fc.assert(
      fc.property(pattern, fc.array(fc.tuple(text, fc.boolean()), { maxLength: 6 }), (source, texts) => {
        const patterns = new Patterns('description', new TextFinder('description'));
        const alone = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
        const condition = patterns.matching({ source, compiled: alone });
        const word = source.replace(/^\\b|^\^|\[a-z\]|\W.*$/g, '');
        for (const [given, isAmong] of texts) {
          const line = comparableLine(lineWith(isAmong ? given + word + given : given), 1n);
          expect(condition(line), line.written.description[0]).toBe(alone.test(line.written.description[0]!));
        }
      }),
      { numRuns: 4000 },
    );
  });
});
