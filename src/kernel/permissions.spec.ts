import { describe, expect, it } from 'vitest';
import { lackOf } from './permissions.js';
import { isAtLeast, USER_ROLES } from './roles.js';

const READ = 'claim_projects:read';
const scoped = new Set([READ]);

describe('what a caller lacks', () => {
  it.each(USER_ROLES.flatMap((has) => USER_ROLES.map((needs) => [has, needs] as const)))(
    'a person with the role %s, where %s is needed: the role if it is less, whatever the scopes',
    (has, needs) => {
      const lack = isAtLeast(has, needs) ? undefined : 'role';
      for (const scopes of [undefined, scoped]) {
        expect(lackOf({ scopes, user: { role: has } }, { scope: READ, role: needs })).toBe(lack);
        expect(lackOf({ scopes, user: { role: has } }, { role: needs })).toBe(lack);
      }
    },
  );

  it('every role is enough where none is named', () => {
    for (const role of USER_ROLES) expect(lackOf({ user: { role } }, {})).toBeUndefined();
  });

  it('a credential has the scopes that it has, and no role binds it where it speaks for no person', () => {
    expect(lackOf({ scopes: scoped, user: null }, { scope: READ, role: 'owner' })).toBeUndefined();
    expect(lackOf({ scopes: scoped, user: null }, { scope: 'webhooks:write' })).toBe('scope');
    expect(lackOf({ scopes: new Set(), user: null }, { scope: READ })).toBe('scope');
    expect(lackOf({ scopes: new Set(), user: null }, {})).toBeUndefined();
  });

  it('a person by an application lacks what either of both lacks, and the role is told first', () => {
    expect(lackOf({ scopes: scoped, user: { role: 'owner' } }, { scope: 'webhooks:write', role: 'admin' })).toBe('scope');
    expect(lackOf({ scopes: scoped, user: { role: 'member' } }, { scope: 'webhooks:write', role: 'admin' })).toBe('role');
  });

  it('no scopes bind somebody in the console', () => {
    expect(lackOf({ scopes: undefined, user: { role: 'admin' } }, { scope: 'webhooks:write', role: 'admin' })).toBeUndefined();
  });
});
