import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { type ChangeContext, changeContext, type Actor } from '../../../kernel/context.js';
import type { InTransaction } from '../../../store/database/transaction.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import { Events } from '../../../store/events/events.js';
import { Mailer } from './mailer.js';
import { Ports } from '../../../store/discovery/ports.js';
import { hashToken, INVITATION_DAYS, invitationMail, makeToken } from './invitation-token.js';
import { factsOf, type UserFacts } from '../user-facts.js';
import { UserDto } from '../user.dto.js';
import type { User } from '../user.entity.js';
import { aNewUser, alreadyThere, explainDuplicate, type NewUser } from '../user-rules.js';
import { UserInvited } from '../users.events.js';
import { UsersRepository } from '../users.repository.js';

/** The link is known once; afterwards only its hash is. */
export interface Invitation {
  readonly user: UserFacts;
  readonly link: string;
  readonly expiresAt: string;
  /** Whether the link is on its way by mail. */
  readonly mailed: boolean;
}

@Injectable()
export class InvitationsService {
  constructor(
    private readonly users: UsersRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: Events,
    private readonly ports: Ports,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** Whoever was invited and has not accepted may be invited again, also in another role: then only the newest link is good. */
  async invite(actor: Actor, wanted: NewUser): Promise<Invitation> {
    const createdAt = this.clock.timestamp();
    const expiresAt = new Date(Date.parse(createdAt) + INVITATION_DAYS * 86_400_000).toISOString();
    const token = makeToken();
    const { organizationId } = wanted;
    const user = await this.unitOfWork.run({ ...changeContext(organizationId, actor), emits: [UserInvited] }, async (ctx) => {
      const { before, after } = await this.invited(ctx, aNewUser(wanted, createdAt));
      await this.users.replaceInvitation({ userId: after.id, organizationId, tokenHash: hashToken(token), expiresAt, createdAt }, ctx.unit);
      this.events.appendToAll(ctx, UserInvited, { before: before && UserDto.from(before), after: UserDto.from(after) });
      return after;
    });
    const link = `${this.settings.publicUrl}/invitations/${token}`;
    return {
      user: factsOf(user),
      link,
      expiresAt,
      mailed: (await this.ports.only(Mailer)?.send(invitationMail(user.email, link))) ?? false,
    };
  }

  private async invited({ unit }: InTransaction<ChangeContext>, user: User): Promise<{ before: User | null; after: User }> {
    const known = await this.users.byEmail(user.organizationId, user.emailKey);
    const before = known && (await this.users.lock(known.id, unit));
    if (!before) {
      await this.users.insert(user, unit).catch(explainDuplicate);
      return { before: null, after: user };
    }
    if (before.status !== 'invited') throw alreadyThere();
    const after = { ...before, role: user.role, updatedAt: user.updatedAt };
    await this.users.update(after, unit);
    return { before, after };
  }
}
