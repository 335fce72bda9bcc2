import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { Passwords } from '../../../src/modules/users/sign-in/passwords.js';
import type { SignIn } from '../../../src/modules/users/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { aNetwork } from '../../support/addresses.js';
import { startApp, type TestApp } from '../../support/app.js';
import { atTime } from '../../support/audit.js';
import { anOrganization } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import {
  accountsOf,
  actionsOf,
  anAddress,
  anEmail,
  anInvitation,
  aUser,
  codeAt,
  entriesOf,
  PASSWORD,
  REQUEST_ID,
  signIn,
  usersOf,
} from '../../support/users.js';

let app: TestApp;
let organizationId: string;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  organizationId = (await anOrganization(app)).id;
});

const WRONG = { password: 'incorrect horse battery' };
const REFUSED: SignIn = { refused: 'credentials' };
const THROTTLED = { refused: 'throttled', retryAfterSeconds: expect.any(Number) };

async function failTimes(
  times: number,
  user: Parameters<typeof signIn>[1],
  wanted: Parameters<typeof signIn>[2] = {},
  on = app,
): Promise<SignIn[]> {
  const answers: SignIn[] = [];
  for (let count = 0; count < times; count += 1) answers.push(await signIn(on, user, { ...WRONG, ...wanted }));
  return answers;
}

const failuresOf = async () => (await entriesOf(app, organizationId)).filter(({ action }) => action === 'user.sign_in_failed');

describe('a user', () => {
  it('signs in with the e-mail address in any spelling', async () => {
    const user = await aUser(app, organizationId);
    for (const email of [user.email, user.email.toUpperCase(), ` ${user.email} `])
      expect(await signIn(app, { ...user, email })).toMatchObject({ user: { id: user.id } });
  });

  it('is recorded in the audit log with the time of the sign-in', async () => {
    const user = await aUser(app, organizationId);
    await atTime(app, '2026-03-01T09:30:00.000Z', () => signIn(app, user, { address: '203.0.113.7' }));
    expect((await entriesOf(app, organizationId)).at(-1)).toEqual({
      action: 'user.signed_in',
      environment: null,
      actor: `user ${user.id} ${user.name}`,
      resource: `user ${user.id}`,
      ip_address: '203.0.113.7',
      request_id: REQUEST_ID,
      changes: {},
    });
    expect(await usersOf(app).byId(user.id)).toEqual({ ...user, lastSignInAt: '2026-03-01T09:30:00.000Z' });
  });

  it('who is removed while the password is checked is refused', async () => {
    const user = await aUser(app, organizationId);
    const isRight = vi.spyOn(app.app.get(Passwords), 'isRight').mockImplementationOnce(async () => {
      await usersOf(app).remove(OPERATOR, user.id);
      return true;
    });
    expect(await signIn(app, user)).toEqual(REFUSED);
    isRight.mockRestore();
    expect(await actionsOf(app, organizationId)).not.toContain('user.signed_in');
  });
});

describe('an unknown user', () => {
  it('is refused like a wrong password, after the same work', async () => {
    const user = await aUser(app, organizationId);
    const removed = await aUser(app, organizationId);
    await usersOf(app).remove(OPERATOR, removed.id);
    const { user: invited } = await anInvitation(app, organizationId);
    const elsewhere = await aUser(app, (await anOrganization(app)).id);
    const isRight = vi.spyOn(app.app.get(Passwords), 'isRight');
    const tries = [
      signIn(app, user, WRONG),
      signIn(app, { organizationId, email: anEmail() }),
      signIn(app, removed),
      signIn(app, invited),
      signIn(app, { ...elsewhere, organizationId }),
    ];
    const odd = ['', ' ', '\u0000', '\ud800', 'x'.repeat(100_000)].map((email) => signIn(app, { organizationId, email }));
    for (const answer of await Promise.all([...tries, ...odd])) expect(answer).toEqual(REFUSED);
    expect(isRight).toHaveBeenCalledTimes(tries.length + odd.length);
    // That the comparison takes equally long without a stored hash is tested in passwords.spec.ts.
    expect(isRight.mock.calls.filter(([, stored]) => stored !== null)).toHaveLength(1);
    isRight.mockRestore();
  });
});

describe('a failed sign-in', () => {
  it('is in the audit log with the user and the address, without the password', async () => {
    const user = await aUser(app, organizationId);
    await signIn(app, user, { ...WRONG, address: '203.0.113.7' });
    const failures = await eventually(async () => {
      const found = await failuresOf();
      expect(found).toHaveLength(1);
      return found;
    });
    expect(failures[0]).toMatchObject({
      environment: null,
      actor: `user ${user.email}`,
      resource: `user ${user.id}`,
      ip_address: '203.0.113.7',
      request_id: REQUEST_ID,
      changes: { reason: { from: null, to: 'credentials' } },
    });
    expect(JSON.stringify(failures)).not.toContain(WRONG.password);
  });

  it('of an unknown user is recorded without what was typed, which may be a password', async () => {
    await signIn(app, { organizationId, email: PASSWORD });
    const failures = await eventually(async () => {
      const found = await failuresOf();
      expect(found).toHaveLength(1);
      return found;
    });
    expect(failures[0]).toMatchObject({ actor: 'user unknown', resource: 'user 00000000-0000-0000-0000-000000000000' });
    expect(JSON.stringify(failures)).not.toContain(PASSWORD);
  });

  it('is recorded once a minute for each account and address', async () => {
    const [user, other] = [await aUser(app, organizationId), await aUser(app, organizationId)];
    const address = anAddress();
    for (const tried of [user, other]) await failTimes(2, tried, { address });
    await failTimes(1, user);
    await eventually(async () =>
      expect((await failuresOf()).map(({ resource }) => resource).sort()).toEqual([user, user, other].map(({ id }) => `user ${id}`).sort()),
    );
  });
});

describe('an account', () => {
  it('is blocked for whoever fails ten times with it, for every password, and the answer says how long', async () => {
    const user = await aUser(app, organizationId);
    const address = anAddress();
    expect(await failTimes(10, user, { address })).toEqual(Array(10).fill(REFUSED));
    const answers = [await signIn(app, user, { ...WRONG, address }), await signIn(app, user, { address })];
    expect(answers).toEqual([THROTTLED, THROTTLED]);
    for (const { retryAfterSeconds } of answers as { retryAfterSeconds: number }[]) {
      expect(retryAfterSeconds).toBeGreaterThan(60);
      expect(retryAfterSeconds).toBeLessThanOrEqual(90);
    }
    expect(await signIn(app, await aUser(app, organizationId), { address })).toHaveProperty('user');
  });

  it('stays open for its owner elsewhere while somebody guesses its password', async () => {
    const user = await aUser(app, organizationId);
    const network = aNetwork();
    const guesses = [...Array(30).keys()].map((host) => signIn(app, user, { ...WRONG, address: `${network}::${host + 1}` }));
    const answers = await Promise.all(guesses);
    // The guesser uses another address of the same network each time.
    expect(answers.filter((answer) => 'refused' in answer && answer.refused === 'credentials')).toHaveLength(10);
    expect(await signIn(app, user)).toHaveProperty('user');
  });

  it('that does not exist is limited in the same way', async () => {
    const nobody = { organizationId, email: anEmail() };
    expect(await failTimes(11, nobody, { address: anAddress() })).toEqual([...Array<SignIn>(10).fill(REFUSED), THROTTLED]);
  });

  it('does not count successful sign-ins', async () => {
    const user = await aUser(app, organizationId);
    for (let count = 0; count < 12; count += 1) expect(await signIn(app, user)).toHaveProperty('user');
  });

  it('allows no more attempts if they are concurrent', async () => {
    const user = await aUser(app, organizationId);
    const address = anAddress();
    const wrong = Array.from({ length: 30 }, () => signIn(app, user, { ...WRONG, address }));
    expect(await signIn(app, user, { address })).toEqual(THROTTLED);
    expect((await Promise.all(wrong)).filter((answer) => 'refused' in answer && answer.refused === 'credentials')).toHaveLength(10);
  });
});

describe('an address', () => {
  it('can fail sixty times with any accounts; other addresses are not affected', async () => {
    const user = await aUser(app, organizationId);
    const address = anAddress();
    const failures = await Promise.all(Array.from({ length: 60 }, () => signIn(app, { organizationId, email: anEmail() }, { address })));
    expect(failures).toEqual(Array(60).fill(REFUSED));
    // One attempt per second becomes available again, and the sixty took some seconds.
    const further = await Promise.all(Array.from({ length: 40 }, () => signIn(app, { organizationId, email: anEmail() }, { address })));
    expect(further).toContainEqual({ refused: 'throttled', retryAfterSeconds: 1 });
    expect(await signIn(app, user)).toHaveProperty('user');
  });
});

const redisUrl = inject('redisUrl');
if (redisUrl)
  it('is counted by all replicas together', async () => {
    const replicas = [await startApp({ REDIS_URL: redisUrl }), await startApp({ REDIS_URL: redisUrl })] as const;
    const user = await aUser(app, organizationId);
    const address = anAddress();
    expect(await failTimes(5, user, { address }, replicas[0])).toEqual(Array(5).fill(REFUSED));
    expect(await failTimes(5, user, { address }, replicas[1])).toEqual(Array(5).fill(REFUSED));
    for (const replica of replicas) expect(await signIn(replica, user, { address })).toEqual(THROTTLED);
    await Promise.all(replicas.map((replica) => replica.close()));
  });

describe('a user with a second factor', () => {
  const TIME = new Date('2026-03-01T09:30:10.000Z');
  const later = (seconds: number): Date => new Date(TIME.getTime() + seconds * 1000);
  const at = <T>(time: Date, work: () => Promise<T>) => atTime(app, time.toISOString(), work);

  async function aCarefulUser() {
    const user = await aUser(app, organizationId);
    const { secret } = await accountsOf(app).enableTotp(OPERATOR, user.id);
    return { user, secret };
  }

  it('needs the code as well, and is asked for it only after the right password', async () => {
    const { user, secret } = await aCarefulUser();
    expect(await signIn(app, user)).toMatchObject({ refused: 'code_needed' });
    expect(await signIn(app, user, WRONG)).toEqual(REFUSED);
    expect(await signIn(app, user, { ...WRONG, code: codeAt(secret, new Date()) })).toEqual(REFUSED);
    expect(await at(TIME, () => signIn(app, user, { code: codeAt(secret, TIME) }))).toMatchObject({ user: { id: user.id, totp: true } });
  });

  it('cannot use a code twice or use an older one', async () => {
    const { user, secret } = await aCarefulUser();
    const tryCodeOf = (shown: Date, time: Date) => at(time, () => signIn(app, user, { code: codeAt(secret, shown) }));
    expect(await tryCodeOf(TIME, TIME)).toHaveProperty('user');
    expect(await tryCodeOf(TIME, later(5))).toEqual({ refused: 'code_wrong' });
    expect(await tryCodeOf(later(-30), later(5))).toEqual({ refused: 'code_wrong' });
    expect(await tryCodeOf(later(30), later(30))).toHaveProperty('user');
  });

  it('cannot use a code twice concurrently', async () => {
    const { user, secret } = await aCarefulUser();
    const code = codeAt(secret, TIME);
    const answers = await at(TIME, () => Promise.all([1, 2, 3].map(() => signIn(app, user, { code }))));
    expect(answers.filter((answer) => 'user' in answer)).toHaveLength(1);
  });

  it('is limited after wrong codes as after wrong passwords', async () => {
    const { user, secret } = await aCarefulUser();
    const right = codeAt(secret, TIME);
    const code = right === '000000' ? '000001' : '000000';
    await at(TIME, async () => {
      expect(await failTimes(10, user, { password: PASSWORD, code })).toEqual(Array(10).fill({ refused: 'code_wrong' }));
      expect(await signIn(app, user, { code: right })).toEqual(THROTTLED);
    });
    await eventually(async () =>
      expect((await failuresOf())[0]).toMatchObject({ resource: `user ${user.id}`, changes: { reason: { to: 'code_wrong' } } }),
    );
  });

  it('needs the newest secret, and no code once it is disabled', async () => {
    const { user, secret } = await aCarefulUser();
    const renewed = await accountsOf(app).enableTotp(OPERATOR, user.id);
    expect(await at(TIME, () => signIn(app, user, { code: codeAt(secret, TIME) }))).toEqual({ refused: 'code_wrong' });
    expect(await at(TIME, () => signIn(app, user, { code: codeAt(renewed.secret, TIME) }))).toHaveProperty('user');
    await accountsOf(app).disableTotp(OPERATOR, user.id);
    expect(await signIn(app, user)).toHaveProperty('user');
  });
});
