import { Injectable } from '@nestjs/common';
import { ConsoleSessions } from '../../../api/console/page-context.js';
import { letter } from '../../../api/mail/letter.js';
import { changesBetween } from '../../../kernel/changes.js';
import { type Actor, type ChangeContext, changeContext } from '../../../kernel/context.js';
import { API_NAME } from '../../../kernel/product.js';
import { Clock } from '../../../kernel/time.js';
import { type AuditAction, AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { type InTransaction, type Unit, UnitOfWork } from '../../../store/database/unit-of-work.js';
import { Ports } from '../../../store/discovery/ports.js';
import { MailOutbox } from '../../../store/mail/mail-outbox.js';
import { factsOf, type UserFacts, userNotFound } from '../user-rules.js';
import type { Credentials, User } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';

const CHANGED: Partial<Record<AuditAction, string>> = {
  'user.password_changed': 'Your password was changed',
  'user.totp_enabled': 'A second factor was set up',
  'user.totp_disabled': 'Your second factor was turned off',
  'user.recovery_codes_made': 'Your recovery codes were replaced',
};

interface Circumstances {
  readonly at: string;
  readonly actor: Actor;
}

/** What a person reads after what they sign in by was changed, by them or by somebody else. */
function credentialLetter(action: AuditAction, { at, actor }: Circumstances) {
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
