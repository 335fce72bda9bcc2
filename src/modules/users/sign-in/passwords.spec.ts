import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Passwords, makePassword } from './passwords.js';

const EMAIL = 'jane@accountants.example';
const passwords = new Passwords();

/** The code of the only error of a refusal. */
async function refusalOf(password: string): Promise<string | undefined> {
  return passwords.hash(password, EMAIL).then(
    () => undefined,
    (error: { errors: { field: string; code: string }[]; message: string }) => {
      expect(error.errors.map(({ field }) => field)).toEqual(['password']);
      if (password.length > 3) expect(error.message).not.toContain(password);
      return error.errors[0]!.code;
    },
  );
}

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
    expect(await passwords.hash('correct horse battery', EMAIL)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('is different each time, and matches only the password', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => passwords.hash('correct horse battery', EMAIL)));
    expect(one).not.toBe(other);
    expect(await passwords.isRight('correct horse battery', one!)).toBe(true);
    expect(await passwords.isRight('correct horse batterY', one!)).toBe(false);
    expect(await passwords.isRight('correct horse battery ', one!)).toBe(false);
  });

  it('matches the password in any Unicode form', async () => {
    const hash = await passwords.hash('caf\u00e9 caf\u00e9 caf\u00e9', EMAIL);
    expect(await passwords.isRight('cafe\u0301 cafe\u0301 cafe\u0301', hash)).toBe(true);
  });
});

describe('a password', () => {
  it.each([
    ['of 11 characters is too short', 'a'.repeat(11), 'too_short'],
    ['of 12 is allowed', 'a'.repeat(12), undefined],
    ['of 128 is allowed', 'a'.repeat(128), undefined],
    ['of 129 is too long', 'a'.repeat(129), 'too_long'],
    ['counts code points: eleven emoji are too short', '\u{1f600}'.repeat(11), 'too_short'],
    ['counts code points: 128 emoji are allowed', '\u{1f600}'.repeat(128), undefined],
    ['that is the e-mail address is not allowed, in any spelling', EMAIL.toUpperCase(), 'not_allowed'],
  ])('%s', async (_name, password, code) => {
    expect(await refusalOf(password)).toBe(code);
  });

  it('that is too long is wrong without being hashed', async () => {
    const stored = await passwords.hash('a'.repeat(128), EMAIL);
    expect(await passwords.isRight('a'.repeat(129), stored)).toBe(false);
    expect(await medianMs(() => passwords.isRight('a'.repeat(16_384), stored))).toBeLessThan(
      await medianMs(() => passwords.isRight('a'.repeat(128), stored)),
    );
  });

  it('that is generated is valid, and never generated twice', async () => {
    const made = Array.from({ length: 100 }, makePassword);
    expect(new Set(made).size).toBe(100);
    expect(await refusalOf(made[0]!)).toBeUndefined();
  });
});

describe('without a stored hash', () => {
  it('every password is wrong', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 130 }), async (password) => !(await passwords.isRight(password, null))),
      { numRuns: 20 },
    );
  });

  it('the comparison takes as long as with one', async () => {
    const stored = await passwords.hash(randomUUID(), EMAIL);
    const [known, unknown] = [
      await medianMs(() => passwords.isRight('correct horse battery', stored)),
      await medianMs(() => passwords.isRight('correct horse battery', null)),
    ];
    // A comparison without hashing would be a thousand times faster.
    expect(unknown / known).toBeGreaterThan(0.2);
    expect(unknown / known).toBeLessThan(5);
  });
});
