import { describe, expect, it } from 'vitest';
import { personIn } from './sign-in-ways.js';

const RULES = {
  emailDomains: ['acme.example'],
  defaultRole: 'member' as const,
  roleClaim: null,
  adminValues: [],
  memberValues: [],
};
const CLAIMS = { iss: 'https://id.example', sub: '1', email: 'Jane@ACME.example', email_verified: true, name: ' Jane ' };

describe('somebody whom a provider vouches for', () => {
  it('has the e-mail address and name of the claims', () => {
    expect(personIn(CLAIMS, RULES)).toEqual({
      issuer: 'https://id.example',
      subject: '1',
      email: 'Jane@ACME.example',
      name: 'Jane',
      role: undefined,
    });
  });

  it.each([
    ['no e-mail address', { email: undefined }, 'email_missing'],
    ['an e-mail address that is none', { email: 'jane' }, 'email_missing'],
    ['several e-mail addresses', { email: ['jane@acme.example'] }, 'email_missing'],
    ['an unverified address', { email_verified: false }, 'email_unverified'],
    ['an unverified address, as text', { email_verified: 'false' }, 'email_unverified'],
    ['an address of which nobody says whether it is verified', { email_verified: undefined }, 'email_unverified'],
    ['an address that is verified by 0', { email_verified: 0 }, 'email_unverified'],
    ['an address that is verified by 1', { email_verified: 1 }, 'email_unverified'],
    ['an address that is verified by "no"', { email_verified: 'no' }, 'email_unverified'],
    ['an address that is verified by "True"', { email_verified: 'True' }, 'email_unverified'],
    ['an address in full-width letters', { email: 'ｏwner@acme.example' }, 'email_missing'],
    ['an address with the Kelvin sign', { email: 'jac\u212a@acme.example' }, 'email_missing'],
    ['a domain in other letters', { email: 'jane@аcme.example' }, 'domain_not_allowed'],
    ['another domain', { email: 'jane@evil.example' }, 'domain_not_allowed'],
    ['a domain that ends like an allowed one', { email: 'jane@not-acme.example' }, 'domain_not_allowed'],
    ['a domain below an allowed one', { email: 'jane@mail.acme.example' }, 'domain_not_allowed'],
    ['an account of nobody at Google', { iss: 'https://accounts.google.com' }, 'domain_not_allowed'],
    ['an account of another company at Google', { iss: 'https://accounts.google.com', hd: 'evil.example' }, 'domain_not_allowed'],
    ['a subject that is too long', { sub: 'x'.repeat(256) }, 'provider_refused'],
    ['a subject that cannot be stored', { sub: 'a\u0000' }, 'provider_refused'],
  ])('is refused with %s', (_what, changed, refusal) => {
    expect(personIn({ ...CLAIMS, ...changed }, RULES)).toBe(refusal);
  });

  it('may have an account of the company at Google', () => {
    expect(personIn({ ...CLAIMS, iss: 'https://accounts.google.com', hd: 'acme.example' }, RULES)).toMatchObject({ subject: '1' });
  });

  it('may have an address that is verified by a text', () => {
    expect(personIn({ ...CLAIMS, email_verified: 'true' }, RULES)).toMatchObject({ subject: '1' });
  });

  it.each(['', 'x'.repeat(201), 'a\u0000b', 7])('has no name of this kind: %s', (name) => {
    expect(personIn({ ...CLAIMS, name }, RULES)).toMatchObject({ name: undefined });
  });
});

describe('the role claim', () => {
  const rules = { ...RULES, roleClaim: 'groups', adminValues: ['boss'], memberValues: ['staff'], defaultRole: 'admin' as const };

  it.each([
    ['boss', 'admin'],
    [['staff', 'boss'], 'admin'],
    [['staff'], 'member'],
    ['staff', 'member'],
    [['owner'], 'admin'],
    [undefined, 'admin'],
    [{ boss: true }, 'admin'],
  ])('%j gives the role %s; what is not listed gives the default', (groups, role) => {
    expect(personIn({ ...CLAIMS, groups }, rules)).toMatchObject({ role });
  });

  it('is not looked for in what every object has', () => {
    expect(personIn(CLAIMS, { ...rules, roleClaim: 'constructor' })).toMatchObject({ role: 'admin' });
  });
});
