import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ConsoleSessions, type PageContext } from '../../../api/console/page.js';
import { letter } from '../../../api/mail/letter.js';
import { changesBetween } from '../../../kernel/changes.js';
import { type Actor, type ChangeContext, changeContext } from '../../../kernel/context.js';
import { Problem } from '../../../kernel/problems.js';
import { API_NAME } from '../../../kernel/product.js';
import { isStorableText } from '../../../kernel/text.js';
import { Clock } from '../../../kernel/time.js';
import { type AuditAction, AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { type InTransaction, UnitOfWork, type Unit } from '../../../store/database/unit-of-work.js';
import { Ports } from '../../../store/discovery/ports.js';
import { MailOutbox } from '../../../store/mail/mail-outbox.js';
import { type PasskeyAnswer, Passkeys, usePasskey } from '../sign-in/passkeys.js';
import { Passwords, hashOfRecoveryCode, makeRecoveryCodes, type ProposedSecret, SecondFactor } from '../sign-in/passwords.js';
import { SignInAttempts, type Attempt, type Step } from '../sign-in/sign-in.service.js';
import { emailKeyOf, factsOf, hasSecondFactor, type UserFacts, userNotFound } from '../user-rules.js';
import { type Credentials, NO_APP, NO_SECOND_FACTOR, type Passkey, type User } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';

export interface Security {
  readonly hasPassword: boolean;
  readonly totp: boolean;
  /** Those that were not used yet. */
  readonly recoveryCodes: number;
  readonly passkeys: readonly Passkey[];
}

/**
 * Every change of what people sign in by: the users of one account change together, and each organization finds it in its audit log.
 * What was begun with the credentials of before ends, and the person gets a mail: a thief of a session is signed out and noticed.
 */
@Injectable()
export class CredentialChanges {
  constructor(
    private readonly users: UsersRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly mail: MailOutbox,
    private readonly ports: Ports,
    private readonly clock: Clock,
  ) {}

  /** `changed` returns undefined if there is nothing to change. */
  async change(
    actor: Actor,
    id: string,
    action: AuditAction,
    changed: (user: User) => Partial<Credentials> | undefined,
    { keptSession, also }: Around = {},
  ): Promise<UserFacts> {
    const { accountId, organizationId } = await this.users.existing(id);
    return this.unitOfWork.run(changeContext(organizationId, actor), async (ctx) => {
      const users = await this.users.lockAccount(accountId, ctx.unit);
      const user = users.find((one) => one.id === id);
      if (!user) throw userNotFound(id);
      const change = changed(user);
      if (!change) return factsOf(user);
      const updatedAt = this.clock.timestamp();
      await this.users.updateAccount(accountId, { ...user, ...change }, ctx.unit, updatedAt);
      for (const one of users) this.record(ctx, action, one, { ...one, ...change, updatedAt });
      await also?.(ctx.unit);
      await this.endSessions(users, ctx.unit, keptSession);
      const letter = credentialLetter(action, { at: updatedAt, actor });
      if (letter) this.mail.queue(ctx, { to: user.email, ...letter });
      return factsOf({ ...user, ...change, updatedAt });
    });
  }

  async endSessions(users: readonly User[], unit: Unit, keptSession?: string): Promise<void> {
    const userIds = users.map(({ id }) => id);
    await this.ports.only(ConsoleSessions)?.endAfterChange(userIds, unit, keptSession);
  }

  record(ctx: InTransaction<ChangeContext>, action: AuditAction, before: User, after: User): void {
    const { organizationId, id } = before;
    // Elsewhere the person is the user of that organization.
    const actor = ctx.actor.type === 'user' ? { ...ctx.actor, id } : ctx.actor;
    const changes = changesBetween(factsOf(before), factsOf(after));
    this.audit.record({ ...ctx, organizationId, actor }, { action, resourceId: id, changes });
  }
}

/** What people sign in by: the users of one account share it, in whichever organizations they are. */
@Injectable()
export class Accounts {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: Passwords,
    private readonly secondFactor: SecondFactor,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly changes: CredentialChanges,
  ) {}

  async findUsers(accountId: string): Promise<UserFacts[]> {
    return (await this.users.ofAccount(accountId)).filter(({ status }) => status === 'active').map(factsOf);
  }

  async withEmail(email: string): Promise<UserFacts[][]> {
    const found = isStorableText(email) ? await this.users.findOrganizations(emailKeyOf(email), '') : [];
    const accounts = [...new Set(found.map(({ accountId }) => accountId))];
    return Promise.all(accounts.map((id) => this.findUsers(id)));
  }

  /** Signing in then needs a code as well. Replaces an earlier secret. This one is shown once: only the user's app needs it afterwards. */
  async enableTotp(actor: Actor, id: string) {
    const { encrypted, ...shown } = this.secondFactor.make(await this.users.existing(id));
    const enable = () => ({ ...NO_APP, recoveryCodes: [], totpSecret: encrypted });
    const user = await this.changes.change(actor, id, 'user.totp_enabled', enable);
    return { user, ...shown };
  }

  /** By the operator, for somebody who has lost their device: their passkeys end with the app and the recovery codes. */
  disableTotp(actor: Actor, id: string): Promise<UserFacts> {
    const disable = (user: User) => (hasSecondFactor(factsOf(user)) ? NO_SECOND_FACTOR : undefined);
    return this.changes.change(actor, id, 'user.totp_disabled', disable);
  }

  /** Proposes a secret for the user's app. Nothing is stored before the app has shown that it knows it. */
  async proposeTotp(id: string): Promise<ProposedSecret> {
    return this.secondFactor.propose(await this.users.existing(id));
  }

  /** The secret that was proposed to this user; undefined if it was not, some minutes ago, or if the password has changed since. */
  async proposedTotp(id: string, proposal: string): Promise<ProposedSecret | undefined> {
    return this.secondFactor.proposed(await this.users.existing(id), proposal);
  }

  /** Turns the second factor on by its first code. Returns the recovery codes, which are shown once. */
  async confirmTotp(actor: Actor, id: string, { secret }: ProposedSecret, code: string, around: Around): Promise<string[]> {
    const codes = makeRecoveryCodes();
    const confirm = (user: User): Partial<Credentials> => {
      if (user.totpSecret !== null) throw Problem.invalidField('code', 'not_allowed', 'is not needed: a second factor is set up already');
      const confirmed = this.secondFactor.confirm(user, secret, code);
      if (!confirmed) throw wrongCode();
      return { ...confirmed, recoveryCodes: codes.map((one) => hashOfRecoveryCode(user.accountId, one)) };
    };
    await this.changes.change(actor, id, 'user.totp_enabled', confirm, around);
    return codes;
  }

  async renewRecoveryCodes(actor: Actor, id: string, around: Around): Promise<string[]> {
    const codes = makeRecoveryCodes();
    const renew = (user: User): Partial<Credentials> => {
      if (!hasSecondFactor(factsOf(user))) throw wrongCode();
      return { recoveryCodes: codes.map((one) => hashOfRecoveryCode(user.accountId, one)) };
    };
    await this.changes.change(actor, id, 'user.recovery_codes_made', renew, around);
    return codes;
  }

  async turnTotpOff(actor: Actor, id: string, around: Around): Promise<void> {
    // Recovery codes also stand in for a lost passkey.
    const off = (user: User): Partial<Credentials> => (user.passkeys.length > 0 ? NO_APP : { ...NO_APP, recoveryCodes: [] });
    await this.changes.change(actor, id, 'user.totp_disabled', off, around);
  }

  async readSecurity(id: string): Promise<Security> {
    const { passwordHash, totpSecret, recoveryCodes, passkeys } = await this.users.existing(id);
    return { hasPassword: passwordHash !== null, totp: totpSecret !== null, recoveryCodes: recoveryCodes.length, passkeys };
  }

  /** The second factor stays as it is. */
  async setPassword(actor: Actor, id: string, password: string, around: Around = {}): Promise<UserFacts> {
    const passwordHash = await this.passwords.hash(password, await this.users.existing(id));
    return this.changes.change(actor, id, 'user.password_changed', () => ({ passwordHash }), around);
  }

  /** The other account's users sign in by this one. What was begun with their old credentials ends: it would reach this account now. */
  async join(actor: Actor, id: string, other: UserFacts): Promise<void> {
    const { accountId, organizationId } = await this.users.existing(id);
    if (other.accountId === accountId) return;
    await this.unitOfWork.run(changeContext(organizationId, actor), async (ctx) => {
      const locked = new Map<string, User[]>();
      for (const account of [accountId, other.accountId].sort()) locked.set(account, await this.users.lockAccount(account, ctx.unit));
      const [own, joining] = [locked.get(accountId)!, locked.get(other.accountId)!];
      const credentials = own.find((user) => user.id === id);
      if (!credentials || joining.some((user) => user.emailKey !== credentials.emailKey)) throw userNotFound(other.id);
      if (!hasSecondFactor(factsOf(credentials)) && joining.some((user) => hasSecondFactor(factsOf(user)))) throw needsSecondFactor();
      await this.users.updateAccount(other.accountId, credentials, ctx.unit, this.clock.timestamp());
      for (const user of joining) this.changes.record(ctx, 'user.account_joined', user, { ...user, accountId });
      await this.changes.endSessions(joining, ctx.unit);
    });
  }
}

const needsSecondFactor = (): Problem =>
  Problem.invalidField('organization', 'not_allowed', 'asks for your second factor: set one up for this account first');

const wrongPasskey = (): Problem => Problem.invalidField('passkey', 'not_allowed', 'is not one of yours, or answered too late');

const wrongCode = (field = 'code'): Problem => Problem.invalidField(field, 'not_allowed', 'is wrong or was used before');

/** Of somebody who is signed in already. Wrong ones count as failed sign-ins: nobody can guess at a browser that was left open. */
@Injectable()
export class AskedAgain {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: Passwords,
    private readonly secondFactor: SecondFactor,
    private readonly passkeys: Passkeys,
    private readonly attempts: SignInAttempts,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Before anything that decides who gets in from then on: by their password and a code, or a passkey in place of both. Without a field
   * for the code the password is enough. Throws if what was shown is wrong.
   */
  async proveBy({ form, actor, user: { id } }: PageContext, request: FastifyRequest, field: string, codeField?: string): Promise<void> {
    const passkey = this.passkeys.answerIn(request, form.text('passkey'));
    const user = await this.users.existing(id);
    if (passkey) return this.proveFactor(actor, user, '', passkey);
    await this.check(actor, user, 'password', async () => {
      if (!(await this.passwords.isRight(form.text(field), user.passwordHash)))
        throw Problem.invalidField(field, 'not_allowed', 'is wrong');
    });
    if (codeField !== undefined) await this.proveFactor(actor, user, form.text(codeField), undefined, codeField);
  }

  /** After a link, which stands for the password. */
  async proveBesideLink(actor: Actor & { readonly id: string }, form: URLSearchParams, request: FastifyRequest): Promise<void> {
    const passkey = this.passkeys.answerIn(request, form.get('passkey'));
    await this.proveFactor(actor, await this.users.existing(actor.id), form.get('code') ?? '', passkey);
  }

  /** Those without a second factor need none. */
  private async proveFactor(actor: Actor, user: User, code: string, passkey?: PasskeyAnswer, field?: string): Promise<void> {
    if (passkey) {
      const shown = await this.passkeys.verify(user, passkey);
      const use = (locked: User) => shown && usePasskey(locked, shown);
      return this.check(actor, user, 'password', () => this.use(actor, user, wrongPasskey, use));
    }
    if (!hasSecondFactor(factsOf(user))) return;
    const use = (locked: User) => this.secondFactor.use(locked, code);
    await this.check(actor, user, 'code', () => this.use(actor, user, () => wrongCode(field), use));
  }

  /** Neither a code nor an answer of a passkey counts twice. */
  private use(actor: Actor, { id, accountId, organizationId }: User, wrong: () => Problem, used: (user: User) => Credentials | undefined) {
    return this.unitOfWork.run(changeContext(organizationId, actor), async ({ unit }) => {
      const user = (await this.users.lockAccount(accountId, unit)).find((one) => one.id === id);
      const after = user && used(user);
      if (!after) throw wrong();
      await this.users.updateAccount(accountId, after, unit);
    });
  }

  /** Throws what `work` throws; a field error for the answer counts. */
  private async check<Result>(actor: Actor, user: User, step: Step, work: () => Promise<Result>): Promise<Result> {
    const attempt = attemptOf(actor, user);
    if ((await this.attempts.wait(attempt, step)) > 0) throw tooMany();
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
      await this.attempts.count(attempt, step);
      this.attempts.recordFailure(attempt, user, step === 'code' ? 'code_wrong' : 'credentials');
      throw error;
    }
  }
}

function attemptOf({ call }: Actor, { organizationId, accountId, email }: User): Attempt {
  return { organizationId, accountId, emailKey: emailKeyOf(email), address: call?.ipAddress ?? '', requestId: call?.requestId ?? '' };
}

const tooMany = (): Problem => new Problem('rate_limited', { detail: 'Too many wrong answers. Wait a few minutes and try again.' });

const CHANGED: Partial<Record<AuditAction, string>> = {
  'user.password_changed': 'Your password was changed',
  'user.totp_enabled': 'A second factor was set up',
  'user.totp_disabled': 'Your second factor was turned off',
  'user.recovery_codes_made': 'Your recovery codes were replaced',
  'user.passkey_added': 'A passkey was added',
  'user.passkey_removed': 'A passkey was removed',
};

function credentialLetter(action: AuditAction, { at, actor }: { readonly at: string; readonly actor: Actor }) {
  const changed = CHANGED[action];
  if (changed === undefined) return undefined;
  const who =
    actor.type === 'user' ? [['From the address', actor.call?.ipAddress ?? 'unknown'] as const] : [['By', 'the operator'] as const];
  return letter(`${changed} at ${API_NAME}`, [
    `${changed}, and other browsers were signed out.`,
    { facts: [['When', `${at.slice(0, 16).replace('T', ' ')} UTC`], ...who] },
    'If it was you, there is nothing to do.',
    'If it was not you, somebody else has used your account: choose a new password at once (“Forgot your password?” at the sign-in), ' +
      'and tell an owner of your organization.',
  ]);
}

export interface Around {
  /** The session in which somebody changes it. All others end. */
  readonly keptSession?: string;
  /** Done in the same transaction. */
  readonly also?: (unit: Unit) => Promise<unknown>;
}
