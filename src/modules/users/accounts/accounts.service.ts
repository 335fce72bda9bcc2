import { Injectable } from '@nestjs/common';
import { type Actor, type ChangeContext, changeContext } from '../../../kernel/context.js';
import { Problem } from '../../../kernel/problems.js';
import { isStorableText } from '../../../kernel/text.js';
import { Clock } from '../../../kernel/time.js';
import { type InTransaction, UnitOfWork } from '../../../store/database/unit-of-work.js';
import { Passwords } from '../sign-in/passwords.js';
import { hashOfRecoveryCode, makeRecoveryCodes, type ProposedSecret, SecondFactor } from '../sign-in/second-factor.js';
import { type Credentials, NO_SECOND_FACTOR, type User } from '../user.entity.js';
import { emailKeyOf, factsOf, type UserFacts, userNotFound } from '../user-rules.js';
import { UsersRepository } from '../users.repository.js';
import { CredentialChanges, type Around } from './credential-changes.js';

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

  /** The accounts with an e-mail address, with their active users: who has to be written to. */
  async withEmail(email: string): Promise<UserFacts[][]> {
    const found = isStorableText(email) ? await this.users.findOrganizations(emailKeyOf(email), '') : [];
    const accounts = [...new Set(found.map(({ accountId }) => accountId))];
    return Promise.all(accounts.map((id) => this.findUsers(id)));
  }

  /** Signing in then needs a code as well. Replaces an earlier secret. */
  async enableTotp(actor: Actor, id: string): Promise<IssuedSecondFactor> {
    const { encrypted, ...shown } = this.secondFactor.make(await this.users.existing(id));
    const enable = () => ({ ...NO_SECOND_FACTOR, totpSecret: encrypted });
    const user = await this.changes.change(actor, id, 'user.totp_enabled', enable);
    return { user, ...shown };
  }

  disableTotp(actor: Actor, id: string): Promise<UserFacts> {
    const disable = ({ totpSecret }: User) => (totpSecret === null ? undefined : NO_SECOND_FACTOR);
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

  /** New recovery codes in place of the old ones, for a code of the app. */
  async renewRecoveryCodes(actor: Actor, id: string, code: string, around: Around): Promise<string[]> {
    const codes = makeRecoveryCodes();
    const renew = (user: User): Partial<Credentials> => ({
      ...this.used(user, code),
      recoveryCodes: codes.map((one) => hashOfRecoveryCode(user.accountId, one)),
    });
    await this.changes.change(actor, id, 'user.recovery_codes_made', renew, around);
    return codes;
  }

  /** By the user, who has to show a code once more. */
  async turnTotpOff(actor: Actor, id: string, code: string, around: Around): Promise<void> {
    const off = (user: User): Partial<Credentials> => ({ ...this.used(user, code), ...NO_SECOND_FACTOR });
    await this.changes.change(actor, id, 'user.totp_disabled', off, around);
  }

  async readSecurity(id: string): Promise<Security> {
    const { passwordHash, totpSecret, recoveryCodes } = await this.users.existing(id);
    return { hasPassword: passwordHash !== null, totp: totpSecret !== null, recoveryCodes: recoveryCodes.length };
  }

  async knows(id: string, password: string): Promise<boolean> {
    return this.passwords.isRight(password, (await this.users.existing(id)).passwordHash);
  }

  /** The second factor stays as it is. */
  async setPassword(actor: Actor, id: string, password: string, around: Around = {}): Promise<UserFacts> {
    const passwordHash = await this.passwords.hash(password, await this.users.existing(id));
    return this.changes.change(actor, id, 'user.password_changed', () => ({ passwordHash }), around);
  }

  /**
   * The users of another account with the same e-mail address become users of this one, and sign in by its credentials. What was begun with
   * those that they had ends: it would reach this account now.
   */
  async join(actor: Actor, id: string, other: UserFacts): Promise<void> {
    const { accountId, organizationId } = await this.users.existing(id);
    if (other.accountId === accountId) return;
    await this.unitOfWork.run(changeContext(organizationId, actor), async (ctx) => {
      const locked = await this.lock(ctx, [accountId, other.accountId].sort());
      const [own, joining] = [locked.get(accountId)!, locked.get(other.accountId)!];
      const credentials = own.find((user) => user.id === id);
      if (!credentials || joining.some((user) => user.emailKey !== credentials.emailKey)) throw userNotFound(other.id);
      if (credentials.totpSecret === null && joining.some((user) => user.totpSecret !== null)) throw needsSecondFactor();
      await this.users.updateAccount(other.accountId, credentials, ctx.unit, this.clock.timestamp());
      for (const user of joining) this.changes.record(ctx, 'user.account_joined', user, { ...user, accountId });
      await this.changes.endSessions(joining, ctx.unit);
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
}

const needsSecondFactor = (): Problem =>
  Problem.invalidField('organization', 'not_allowed', 'asks for your second factor: set one up for this account first');

const wrongCode = (): Problem => Problem.invalidField('code', 'not_allowed', 'is wrong or was used before');
