import { Injectable } from '@nestjs/common';
import { changeContext } from '../../../kernel/context.js';
import { Clock } from '../../../kernel/time.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import type { User } from '../user.entity.js';
import { actorOf } from '../user-rules.js';
import { UsersRepository } from '../users.repository.js';
import { SecondFactor } from './second-factor.js';
import { SignInAttempts, type Attempt } from './sign-in-attempts.js';

/** The end of a sign-in: its code is used up, and it is written down. */
@Injectable()
export class Admission {
  constructor(
    private readonly users: UsersRepository,
    private readonly secondFactor: SecondFactor,
    private readonly attempts: SignInAttempts,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Locks the account: a code works for only one of two concurrent sign-ins, and not for a user who was removed meanwhile. */
  admit({ organizationId, address, requestId }: Attempt, found: User, code: string): Promise<User | 'credentials' | 'code_wrong'> {
    const context = { ...changeContext(organizationId, actorOf(found)), ipAddress: address, requestId };
    return this.unitOfWork.run(context, async (ctx) => {
      const user = (await this.users.lockAccount(found.accountId, ctx.unit)).find(({ id }) => id === found.id);
      if (!user || user.passwordHash !== found.passwordHash) return 'credentials';
      const now = this.clock.now();
      const used = user.totpSecret === null ? user : this.secondFactor.use(user, code);
      if (!used) return 'code_wrong';
      if (used !== user) await this.users.updateAccount(user.accountId, used, ctx.unit);
      const signedIn = { ...user, ...used, lastSignInAt: now.toISOString() };
      await this.users.update(signedIn, ctx.unit);
      this.attempts.recordSuccess(ctx, user, used.recoveryCodes.length);
      return signedIn;
    });
  }
}
