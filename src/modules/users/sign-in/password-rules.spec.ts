import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { requirePassword } from './password-rules.js';
import { makePassword } from './passwords.js';

const EMAIL = 'jane.miller@accountants.example';
const OWNER = { email: EMAIL, name: 'Jane Miller', organization: { name: 'Berlin Tax Partners', slug: 'berlin-tax' } };

/** The code of the only error of a refusal. */
function refusalOf(password: string): string | undefined {
  try {
    requirePassword(password, OWNER);
    return undefined;
  } catch (error) {
    const { errors, message } = error as { errors: { field: string; code: string }[]; message: string };
    expect(errors.map(({ field }) => field)).toEqual(['password']);
    if (password.length > 3) expect(message).not.toContain(password);
    return errors[0]!.code;
  }
}

const LONG = 'correct horse battery staple '.repeat(5);

describe('the length of a password', () => {
  it.each([
    ['11 characters are too short', 'tin ox grape', 'too_short', 11],
    ['12 are allowed', 'tin ox grape', undefined, 12],
    ['128 are allowed', LONG, undefined, 128],
    ['129 are too long', LONG, 'too_long', 129],
  ])('%s', (_name, text, code, length) => {
    expect(refusalOf(text.slice(0, length))).toBe(code);
  });

  it('counts code points: eleven emoji are too short', () => {
    expect(refusalOf('\u{1f600}'.repeat(11))).toBe('too_short');
  });
});

// `password1234` was accepted.
describe('a password that is among the first that others try is refused:', () => {
  it.each([
    'password1234',
    'Password1234!',
    'p@ssw0rd2026',
    '1234password',
    'passwordpassword',
    'pass-word-1234',
    'qwertyuiop12',
    'QWERTYqwerty',
    'letmein12345',
    'iloveyou2026!',
    'Passwort2026',
    'motdepasse123',
    'Sommer2026!!',
    'aaaaaaaaaaaa',
    'abababababab',
    '\u{1f600}'.repeat(128),
    '123456789012',
    '112233445566',
    '2026-11-25-12',
    'claimsapi2026',
    'Claims API 123',
    'Jane Miller 1',
    'janemiller1985',
    'miller-jane-7',
    'berlintax2026',
    'Berlin Tax Partners!',
    'accountants.example',
    'accountants123',
    EMAIL.toUpperCase(),
    'BerlinPassword1',
    'ｐａｓｓｗｏｒｄ１２３４',
  ])('%s', (password) => {
    expect(refusalOf(password)).toBe('not_allowed');
  });
});

describe('a password that others do not guess is allowed:', () => {
  it.each([
    'correct horse battery staple',
    'a new and much better password',
    'caf\u00e9 caf\u00e9 caf\u00e9',
    'Jane likes tall ships',
    'über den Wolken 7',
    '我喜欢在柏林吃早餐和苹果派',
    '83926104857261940352',
  ])('%s', (password) => {
    expect(refusalOf(password)).toBeUndefined();
  });

  it('whatever is random, unless it has hardly any letters', () => {
    for (let i = 0; i < 2000; i += 1) {
      const random = [randomBytes(9).toString('base64url'), randomBytes(8).toString('base64')];
      // Enough of them, also where a short word of the owner, such as "tax", is among them by chance.
      for (const made of [makePassword(), ...random.filter((text) => text.replace(/\P{L}/gu, '').length >= 8)])
        expect([made, refusalOf(made)]).toEqual([made, undefined]);
    }
  });
});
