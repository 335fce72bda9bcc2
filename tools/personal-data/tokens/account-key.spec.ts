import { describe, expect, it } from 'vitest';
import { keyOf } from '../fixtures/lines.js';
import { accountKeyOf } from './account-key.js';

const key = keyOf('a');
const same = (one: string, other: string) => accountKeyOf(one, key) === accountKeyOf(other, key);

describe('the key of an account', () => {
  it.each([
    ['DE89 3704 0044 0532 0130 00', '37040044/532013000'],
    ['DE89370400440532013000', '532013000'],
    ['DE89370400440532013000', 'de89370400440532013000'],
    ['NL91ABNA0417164300', '417164300'],
    ['GB29NWBK60161331926819', '60-16-13/31926819'],
    ['BE68539007547034', '539-0075470-34'],
  ])('is the same for %s and %s', (one, other) => {
    expect(same(one, other)).toBe(true);
  });

  it('is another one for another account, and with another key', () => {
    expect(same('DE89370400440532013000', 'DE02120300000000202051')).toBe(false);
    expect(accountKeyOf('532013000', key)).not.toBe(accountKeyOf('532013000', keyOf('b')));
    expect(accountKeyOf('532013000', key)).toMatch(/^[0-9a-f]{32}$/);
  });

  it('is none for a number that is masked or too short to tell accounts apart', () => {
    for (const account of ['•••• 3000', 'xxxx-xxxx-3000', 'ACCOUNT-7Q2M4XKD9ABC (3000)', '12345', '000012', ''])
      expect(accountKeyOf(account, key)).toBeNull();
  });
});
