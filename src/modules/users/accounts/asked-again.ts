import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/context.js';
import { Problem } from '../../../kernel/problems.js';
import { SignInAttempts, type Attempt, type Step } from '../sign-in/sign-in-attempts.js';
import { emailKeyOf } from '../user-rules.js';
import type { User } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';

/**
 * Passwords and codes of somebody who is signed in already, asked for before a step that matters. Wrong ones count as failed sign-ins:
 * nobody can guess at a browser that was left open.
 */
@Injectable()
export class AskedAgain {
  constructor(
    private readonly users: UsersRepository,
    private readonly attempts: SignInAttempts,
  ) {}

  /** Throws what `work` throws; a field error for the answer counts. */
  async check<Result>(actor: Actor, id: string, step: Step, work: () => Promise<Result>): Promise<Result> {
    const user = await this.users.existing(id);
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
