import { Injectable } from '@nestjs/common';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { Clock } from '../../../kernel/time.js';
import { changeContext } from '../../../kernel/context.js';
import { UnitOfWork, type Unit } from '../../../store/database/unit-of-work.js';
import { hashToken } from './invitations.service.js';
import { Passwords } from '../sign-in/passwords.js';
import { type Credentials, credentialsOf, type User } from '../user.entity.js';
import { actorOf, factsOf, type UserFacts } from '../user-rules.js';
import { UsersRepository } from '../users.repository.js';
import type { Attempt } from '../sign-in/sign-in-attempts.js';
import { SignInRulesService } from '../sign-in/sign-in.service.js';

type CallOrigin = Pick<Attempt, 'address' | 'requestId'>;

export interface OpenInvitation {
  readonly email: string;
  readonly organizationName: string;
  /** The short name of an organization that has switched passwords off; undefined for others. */
  readonly company: string | undefined;
}

/** The invited user's side of an invitation. The token in the link proves who they are. */
@Injectable()
export class AcceptanceService {
  constructor(
    private readonly users: UsersRepository,
    private readonly rules: SignInRulesService,
    private readonly passwords: Passwords,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
  ) {}

  /** Undefined when unknown, used, replaced or expired: callers cannot tell which. Reading does not use it up: mail scanners open links. */
  async find(token: string): Promise<OpenInvitation | undefined> {
    const user = await this.users.invited(hashToken(token), this.clock.timestamp());
    if (!user) return undefined;
    const { name, slug, allowsPasswords } = await this.rules.read(user.organizationId);
    return { email: user.email, organizationName: name, company: allowsPasswords ? undefined : slug };
  }

  /** Lets the user sign in. Undefined as in `find`. An invalid password does not use up the invitation. */
  async accept(token: string, password: string, origin: CallOrigin): Promise<UserFacts | undefined> {
    const invited = await this.users.invited(hashToken(token), this.clock.timestamp());
    if (!invited) return undefined;
    const passwordHash = await this.passwords.hash(password, invited);
    return this.admit(token, invited, origin, () => Promise.resolve({ ...invited, passwordHash }));
  }

  /** The same for somebody who has an account with the same e-mail address, and is signed in to it: they keep its credentials. */
  async join(token: string, memberId: string, origin: CallOrigin): Promise<UserFacts | undefined> {
    const invited = await this.users.invited(hashToken(token), this.clock.timestamp());
    if (!invited) return undefined;
    return this.admit(token, invited, origin, async (unit) => {
      const { accountId } = await this.users.existing(memberId);
      const member = (await this.users.lockAccount(accountId, unit)).find(({ id }) => id === memberId);
      return member?.status === 'active' && member.emailKey === invited.emailKey ? member : undefined;
    });
  }

  private admit(
    token: string,
    invited: User,
    { address, requestId }: CallOrigin,
    credentials: (unit: Unit) => Promise<Credentials | undefined>,
  ): Promise<UserFacts | undefined> {
    const context = { ...changeContext(invited.organizationId, actorOf(invited)), ipAddress: address, requestId };
    return this.unitOfWork.run(context, async (ctx) => {
      const given = await credentials(ctx.unit);
      const user = (await this.users.lock(invited.id, ctx.unit))!;
      const now = this.clock.timestamp();
      if (!given || !(await this.users.useInvitation(hashToken(token), now, ctx.unit))) return undefined;
      const accepted: User = { ...user, ...credentialsOf(given), status: 'active', updatedAt: now };
      await this.users.update(accepted, ctx.unit);
      this.audit.record(ctx, {
        action: 'user.accepted',
        resourceId: user.id,
        changes: { status: { from: user.status, to: accepted.status } },
      });
      return factsOf(accepted);
    });
  }
}
