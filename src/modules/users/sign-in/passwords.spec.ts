import { randomUUID, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Passwords, makePassword, makeRecoveryCodes, requirePassword } from './passwords.js';

const JANE = { email: 'jane@accountants.example', name: 'Jane Example', organizationId: randomUUID() };
const organization = { name: 'Example Accountants', slug: 'example-accountants' };
const passwords = new Passwords({ byId: () => Promise.resolve(organization) } as never);
/** As long as a password can be. */
const LONGEST = 'correct horse battery staple '.repeat(5).slice(0, 128);

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < 15; count += 1) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[7]!;
}

describe('the hash of a password', () => {
  it('is argon2id with the cost that OWASP recommends', async () => {
    expect(await passwords.hash('correct horse battery', JANE)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('is different each time, and matches only the password', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => passwords.hash('correct horse battery', JANE)));
    expect(one).not.toBe(other);
    expect(await passwords.isRight('correct horse battery', one!)).toBe(true);
    expect(await passwords.isRight('correct horse batterY', one!)).toBe(false);
    expect(await passwords.isRight('correct horse battery ', one!)).toBe(false);
  });

  it('matches the password in any Unicode form', async () => {
    const hash = await passwords.hash('caf\u00e9 caf\u00e9 caf\u00e9', JANE);
    expect(await passwords.isRight('cafe\u0301 cafe\u0301 cafe\u0301', hash)).toBe(true);
  });
});

describe('a password', () => {
  it('that is too long is wrong without being hashed', async () => {
    const stored = await passwords.hash(LONGEST, JANE);
    expect(await passwords.isRight(`${LONGEST}x`, stored)).toBe(false);
    expect(await medianMs(() => passwords.isRight('a'.repeat(16_384), stored))).toBeLessThan(
      await medianMs(() => passwords.isRight(LONGEST, stored)),
    );
  });

  it('that is generated has 128 random bits, is valid, and never generated twice', async () => {
    const made = Array.from({ length: 100 }, makePassword);
    for (const one of made) expect(Buffer.from(one, 'base64url')).toHaveLength(16);
    expect(new Set(made).size).toBe(100);
    expect(await passwords.isRight(made[0]!, await passwords.hash(made[0]!, JANE))).toBe(true);
  });
});

it('recovery codes have 140 random bits: 28 letters of 32', () => {
  const made = Array.from({ length: 100 }, makeRecoveryCodes).flat();
  expect(new Set(made).size).toBe(1000);
  for (const code of made) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){6}$/);
  for (const place of [0, 33]) expect(new Set(made.map((code) => code[place])).size).toBeGreaterThan(20);
});

describe('without a stored hash', () => {
  it('every password is wrong', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 130 }), async (password) => !(await passwords.isRight(password, null))),
      { numRuns: 20 },
    );
  });

  it('the comparison takes as long as with one', async () => {
    const stored = await passwords.hash(randomUUID(), JANE);
    const [known, unknown] = [
      await medianMs(() => passwords.isRight('correct horse battery', stored)),
      await medianMs(() => passwords.isRight('correct horse battery', null)),
    ];
    // A comparison without hashing would be a thousand times faster.
    expect(unknown / known).toBeGreaterThan(0.02);
    expect(unknown / known).toBeLessThan(50);
  });
});

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
    'capitals1234',
    'liverpoo2026!',
    'chickenwing101',
    'hd764nw5d7e1vb1',
    'qwaszxerdfcv',
    '12345678900987654321',
    '8392610485783926104857',
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

  it('one of several words, of which some are common', () => {
    for (const password of ['summer rain on a tin roof', 'dragon beside the bakery', 'monkeys prefer quiet gardens'])
      expect([password, refusalOf(password)]).toEqual([password, undefined]);
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
