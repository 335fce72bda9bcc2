import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textDetectors } from '../detectors/all.js';
import { keyOf } from '../fixtures/lines.js';
import { firstKindFound } from '../masking.js';
import { SearchableText } from '../finding.js';
import { tokenOf } from './tokens.js';

const key = keyOf('a');
const person = (name: string) => tokenOf(key, 'person', name);
const account = (number: string) => tokenOf(key, 'account', number);

describe('a token', () => {
  it('names its kind and has 60 bits in Crockford base32', () => {
    expect(person('Jane Doe')).toMatch(/^PERSON-[0-9A-HJKMNP-TV-Z]{12}$/);
    expect(account('20-00-00 55779911')).toMatch(/^ACCOUNT-[0-9A-HJKMNP-TV-Z]{12}$/);
  });

  it('of a name is the same whatever its case, spacing, punctuation and order around a comma', () => {
    for (const name of ['JANE DOE', ' jane  doe ', 'Jane-Doe', 'Jane. Doe', 'Ｊａｎｅ Doe', 'Doe, Jane', 'DOE,JANE'])
      expect(person(name)).toBe(person('Jane Doe'));
    expect(person('STRASSER, MAX')).toBe(person('Max Straßer'));
    expect(person('Jane Do')).not.toBe(person('Jane Doe'));
  });

  it('of an account is the same however the number is written', () => {
    for (const number of ['de02 1203 0000 0000 2020 51', 'DE02-1203-0000-0000-2020-51'])
      expect(account(number)).toBe(account('DE02120300000000202051'));
  });

  it('is different for another kind, and with another key', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (value) => {
        expect(tokenOf(key, 'person', value)).toBe(tokenOf(keyOf('a'), 'person', value));
        expect(tokenOf(key, 'person', value)).not.toBe(tokenOf(keyOf('b'), 'person', value));
        expect(person('12345').slice(-12)).not.toBe(account('12345').slice(-12));
      }),
    );
  });

  it('never looks like personal data to the detectors', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('person' as const, 'account' as const), (value, kind) => {
        const token = tokenOf(key, kind, value);
        expect(token).not.toMatch(/\d{4}/);
        expect(firstKindFound(new SearchableText(`from ${token} (3000)`), textDetectors())).toBeUndefined();
      }),
      { numRuns: 2_000 },
    );
  });
});
