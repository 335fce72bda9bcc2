import { describe, expect, it } from 'vitest';
import { type SignInWay, type Vouched, personOf } from './sign-in-ways.js';

const WAY: SignInWay = {
  key: 'one',
  emailDomains: ['acme.example'],
  defaultRole: 'member',
  begin: () => Promise.reject(new Error('not asked')),
  finish: () => Promise.reject(new Error('not asked')),
};
const JANE: Vouched = { issuer: 'https://gateway.example', subject: '1', email: 'Jane@ACME.example' };
const person = (said: object) => personOf({ ...JANE, ...said }, WAY);

describe('whom a way vouches for', () => {
  it('is a person with what was said, and a name only if it is one', () => {
    expect(person({ name: 'Jane', role: 'admin' })).toEqual({ ...JANE, name: 'Jane', role: 'admin' });
    for (const name of [' ', 'x'.repeat(201), 'a\0b', 5]) expect(person({ name })).toMatchObject({ name: undefined });
  });

  it.each([
    ['an owner', { role: 'owner' }, 'provider_refused'],
    ['somebody with a role that there is not', { role: 'operator' }, 'provider_refused'],
    ['somebody with the role null', { role: null }, 'provider_refused'],
    ['nobody', { subject: '' }, 'provider_refused'],
    ['somebody with a subject that is no text', { subject: 5 }, 'provider_refused'],
    ['somebody with an endless subject', { subject: 'x'.repeat(256) }, 'provider_refused'],
    ['somebody by no issuer', { issuer: undefined }, 'provider_refused'],
    ['somebody without an address', { email: undefined }, 'email_missing'],
    ['somebody with an address that is none', { email: 'jane' }, 'email_missing'],
    ['somebody with an address in full-width letters', { email: 'ｊane@acme.example' }, 'email_missing'],
    ['somebody of another domain', { email: 'jane@evil.example' }, 'domain_not_allowed'],
    ['somebody of a domain below', { email: 'jane@sub.acme.example' }, 'domain_not_allowed'],
  ])('is never %s', (_who, said, refusal) => {
    expect(person(said)).toBe(refusal);
  });
});
