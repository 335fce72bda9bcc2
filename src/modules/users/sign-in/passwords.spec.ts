import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Passwords, makePassword } from './passwords.js';

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

  it('that is generated is valid, and never generated twice', async () => {
    const made = Array.from({ length: 100 }, makePassword);
    expect(new Set(made).size).toBe(100);
    expect(await passwords.isRight(made[0]!, await passwords.hash(made[0]!, JANE))).toBe(true);
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
