import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencyOf, MAX_TEXT_LENGTH, tidy, tidyAccount, widened } from './statement-line.js';

describe('a tidy text', () => {
  it('has no control characters, no lone surrogates, no runs of white space, and at most the maximum length', () => {
    const wild = fc.string({
      unit: fc.oneof(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
        fc.constantFrom('\0', '\ud83d', '\ude00', '\t', '\u00a0', '  ', '\n'),
      ),
      maxLength: 3000,
    });
    fc.assert(
      fc.property(wild, (text) => {
        const tidied = tidy(text);
        expect(tidied.isWellFormed()).toBe(true);
        expect(tidied).not.toMatch(/\p{Cc}|\s\s|^\s|\s$/u);
        expect(tidied.length).toBeLessThanOrEqual(MAX_TEXT_LENGTH);
        expect(tidy(tidied)).toBe(tidied);
      }),
      { numRuns: 40 },
    );
  });

  it('keeps valid characters, and is cut between characters', () => {
    expect(tidy('  Café\t\0 😀 \r\n x ')).toBe('Café 😀 x');
    expect(tidy(`${'x'.repeat(MAX_TEXT_LENGTH - 1)}😀`)).toBe('x'.repeat(MAX_TEXT_LENGTH - 1));
  });
});

describe('an account', () => {
  it('is the same however its IBAN is grouped; other accounts stay as they are', () => {
    for (const text of ['DE89 3704 0044 0532 0130 00', 'de89370400440532013000', 'DE89-3704-0044-0532-0130-00'])
      expect(tidyAccount(text)).toBe('DE89370400440532013000');
    expect(tidyAccount(' 37040044/0532 013 ')).toBe('37040044/0532 013');
    expect(tidyAccount(' ')).toBeNull();
  });
});

it('a currency is three letters, returned in capitals', () => {
  expect(currencyOf(' eur ')).toBe('EUR');
  for (const text of ['', 'EURO', 'E1R', '€', undefined, null]) expect(currencyOf(text)).toBeNull();
});

it('periods are merged into one, from their first day to their last', () => {
  const first = widened(null, '2024-03-01', '2024-03-31');
  expect(widened(first, '2024-02-01', '2024-02-29')).toEqual({ start: '2024-02-01', end: '2024-03-31' });
  expect(widened(first, '2024-03-10', '2024-04-01')).toEqual({ start: '2024-03-01', end: '2024-04-01' });
});
