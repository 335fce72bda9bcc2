import { Injectable } from '@nestjs/common';
import { type AuditAction, AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { changesBetween } from '../../../kernel/changes.js';
import { type Actor, type ChangeContext, changeContext } from '../../../kernel/context.js';
import { Problem } from '../../../kernel/problems.js';
import { isStorableText } from '../../../kernel/text.js';
import { Clock } from '../../../kernel/time.js';
import { type InTransaction, type Unit, UnitOfWork } from '../../../store/database/unit-of-work.js';
import { Passwords } from '../sign-in/passwords.js';
import { makeRecoveryCodes, hashOfRecoveryCode } from '../sign-in/recovery-codes.js';
import { SecondFactor } from '../sign-in/second-factor.js';
import { factsOf, type UserFacts } from '../user-facts.js';
import type { Credentials, User } from '../user.entity.js';
import { emailKeyOf, userNotFound } from '../user-rules.js';
import { UsersRepository } from '../users.repository.js';

/** The secret is shown once. Only the user's app needs it afterwards. */
export interface IssuedSecondFactor {
  readonly user: UserFacts;
  readonly secret: string;
  /** The content of a QR code for an authenticator app. */
  readonly uri: string;
}

export interface Security {
  readonly hasPassword: boolean;
  readonly totp: boolean;
  /** Those that were not used yet. */
  readonly recoveryCodes: number;
}

/** Done in the same transaction, such as to end the sessions that were begun with what has changed. */
export type AlsoDone = (unit: Unit) => Promise<unknown>;

const nothing: AlsoDone = () => Promise.resolve();

/** What people sign in by: the users of one account share it, in whichever organizations they are. */
@Injectable()
export class Accounts {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: Passwords,
    private readonly secondFactor: SecondFactor,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
  ) {}

  /** The users of an account who have access. */
  async usersOf(accountId: string): Promise<UserFacts[]> {
    return (await this.users.ofAccount(accountId)).filter(({ status }) => status === 'active').map(factsOf);
  }

  /** The accounts with an e-mail address, with their active users: who has to be written to. */
  async withEmail(email: string): Promise<UserFacts[][]> {
    const found = isStorableText(email) ? await this.users.organizationsOf(emailKeyOf(email), '') : [];
    const accounts = [...new Set(found.map(({ accountId }) => accountId))];
    return Promise.all(accounts.map((id) => this.usersOf(id)));
  }

  /** Signing in then needs a code as well. Replaces an earlier secret. */
  async enableTotp(actor: Actor, id: string): Promise<IssuedSecondFactor> {
    const { encrypted, ...shown } = this.secondFactor.make(await this.users.existing(id));
    const user = await this.change(actor, id, 'user.totp_enabled', () => ({
      totpSecret: encrypted,
      totpLastStep: null,
      recoveryCodes: [],
    }));
    return { user, ...shown };
  }

  disableTotp(actor: Actor, id: string): Promise<UserFacts> {
    return this.change(actor, id, 'user.totp_disabled', ({ totpSecret }) =>
      totpSecret === null ? undefined : { totpSecret: null, totpLastStep: null, recoveryCodes: [] },
    );
  }

  /** A secret for the user's app. Nothing is stored before the app has shown that it knows it. */
  async proposeTotp(id: string): Promise<string> {
    return this.secondFactor.make(await this.users.existing(id)).secret;
  }

  /** Turns the second factor on by its first code. Returns the recovery codes, which are shown once. */
  async confirmTotp(actor: Actor, id: string, secret: string, code: string): Promise<string[]> {
    const codes = makeRecoveryCodes();
    await this.change(actor, id, 'user.totp_enabled', (user) => {
      if (user.totpSecret !== null) throw Problem.invalidField('code', 'not_allowed', 'is not needed: a second factor is set up already');
      const confirmed = this.secondFactor.confirm(user, secret, code);
      if (!confirmed) throw wrongCode();
      return { ...confirmed, recoveryCodes: codes.map((one) => hashOfRecoveryCode(user.accountId, one)) };
    });
    return codes;
  }

  /** New recovery codes in place of the old ones, for a code of the app. */
  async renewRecoveryCodes(actor: Actor, id: string, code: string): Promise<string[]> {
    const codes = makeRecoveryCodes();
    await this.change(actor, id, 'user.recovery_codes_made', (user) => ({
      ...this.used(user, code),
      recoveryCodes: codes.map((one) => hashOfRecoveryCode(user.accountId, one)),
    }));
    return codes;
  }

  /** By the user, who has to show a code once more. */
  async turnTotpOff(actor: Actor, id: string, code: string): Promise<void> {
    await this.change(actor, id, 'user.totp_disabled', (user) => ({
      ...this.used(user, code),
      totpSecret: null,
      totpLastStep: null,
      recoveryCodes: [],
    }));
  }

  /** How somebody signs in. */
  async securityOf(id: string): Promise<Security> {
    const { passwordHash, totpSecret, recoveryCodes } = await this.users.existing(id);
    return { hasPassword: passwordHash !== null, totp: totpSecret !== null, recoveryCodes: recoveryCodes.length };
  }

  /** Whether it is the password of the account. */
  async knows(id: string, password: string): Promise<boolean> {
    return this.passwords.isRight(password, (await this.users.existing(id)).passwordHash);
  }

  /** The second factor stays as it is. */
  async setPassword(actor: Actor, id: string, password: string, also: AlsoDone = nothing): Promise<UserFacts> {
    const passwordHash = await this.passwords.hash(password, (await this.users.existing(id)).email);
    return this.change(actor, id, 'user.password_changed', () => ({ passwordHash }), also);
  }

  /**
   * The users of another account with the same e-mail address become users of this one, and sign in by its credentials. `also` ends what
   * was begun with those that they had: it would reach this account now.
   */
  async join(
    actor: Actor,
    id: string,
    other: UserFacts,
    also: (userIds: readonly string[], unit: Unit) => Promise<unknown>,
  ): Promise<void> {
    const { accountId, organizationId } = await this.users.existing(id);
    if (other.accountId === accountId) return;
    await this.unitOfWork.run(changeContext(organizationId, actor), async (ctx) => {
      const locked = await this.lock(ctx, [accountId, other.accountId].sort());
      const [own, joining] = [locked.get(accountId)!, locked.get(other.accountId)!];
      const credentials = own.find((user) => user.id === id);
      if (!credentials || joining.some((user) => user.emailKey !== credentials.emailKey)) throw userNotFound(other.id);
      if (credentials.totpSecret === null && joining.some((user) => user.totpSecret !== null)) throw needsSecondFactor();
      await this.users.updateAccount(other.accountId, credentials, ctx.unit, this.clock.timestamp());
      for (const user of joining) this.record(ctx, 'user.account_joined', user, { ...user, accountId });
      await also(
        joining.map((user) => user.id),
        ctx.unit,
      );
    });
  }

  private async lock(ctx: InTransaction<ChangeContext>, accountIds: readonly string[]): Promise<Map<string, User[]>> {
    const locked = new Map<string, User[]>();
    for (const id of accountIds) locked.set(id, await this.users.lockAccount(id, ctx.unit));
    return locked;
  }

  private used(user: User, code: string): Credentials {
    const credentials = this.secondFactor.use(user, code);
    if (!credentials) throw wrongCode();
    return credentials;
  }

  /** Every organization of the account finds it in its audit log. */
  private async change(
    actor: Actor,
    id: string,
    action: AuditAction,
    changed: (user: User) => Partial<Credentials> | undefined,
    also: AlsoDone = nothing,
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
      await also(ctx.unit);
      return factsOf({ ...user, ...change, updatedAt });
    });
  }

  private record(ctx: InTransaction<ChangeContext>, action: AuditAction, before: User, after: User): void {
    const { organizationId, id } = before;
    // Elsewhere the person is the user of that organization.
    const actor = ctx.actor.type === 'user' ? { ...ctx.actor, id } : ctx.actor;
    const changes = changesBetween(factsOf(before), factsOf(after));
    this.audit.record({ ...ctx, organizationId, actor }, { action, resourceId: id, changes });
  }
}

const needsSecondFactor = (): Problem =>
  Problem.invalidField('organization', 'not_allowed', 'asks for your second factor: set one up for this account first');

const wrongCode = (): Problem => Problem.invalidField('code', 'not_allowed', 'is wrong or was used before');
