import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/time.js';
import { changeContext } from '../../../kernel/context.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import { digestOf, isStorableText } from '../../../kernel/text.js';
import { Passwords } from './passwords.js';
import { SecondFactor } from './second-factor.js';
import { NO_ORGANIZATION, SignInAttempts, type Attempt, type Failure, type Step } from './sign-in-attempts.js';
import { factsOf, type UserFacts } from '../user-facts.js';
import type { User } from '../user.entity.js';
import { actorOf, emailKeyOf } from '../user-rules.js';
import { UsersRepository } from '../users.repository.js';

export interface SignInRequest {
  readonly organizationId: string;
  readonly email: string;
  readonly password: string;
  /** The one-time code, for users with a second factor. */
  readonly code?: string;
  /** The proof of an attempt that only lacked the code. It takes the place of e-mail address and password. */
  readonly proof?: string;
  readonly address: string;
  readonly requestId: string;
}

/** `credentials`: the user is unknown or the password is wrong. Callers cannot tell which. */
export type SignIn =
  | { readonly user: UserFacts }
  | { readonly refused: Exclude<Failure, 'throttled'> | 'passwords_off' }
  | { readonly refused: 'code_needed'; readonly proof: string }
  | { readonly refused: 'throttled'; readonly retryAfterSeconds: number };

@Injectable()
export class SignInService {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: Passwords,
    private readonly secondFactor: SecondFactor,
    private readonly attempts: SignInAttempts,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  signIn({ proof, ...request }: SignInRequest): Promise<SignIn> {
    return proof === undefined ? this.withPassword(request) : this.withProof(request, proof);
  }

  private async withPassword({ email, password, code = '', ...where }: SignInRequest): Promise<SignIn> {
    // Postgres cannot compare with such a text, and no user has one as address.
    const attempt = { ...where, emailKey: isStorableText(email) ? emailKeyOf(email) : '' };
    const user = await this.users.byEmail(attempt.organizationId, attempt.emailKey);
    if ((await this.attempts.wait(attempt, 'password')) > 0) return this.throttled(attempt, user, 'password');
    const isRight = await this.passwords.isRight(password, user?.passwordHash ?? null);
    if (!user || !isRight) return this.failed(attempt, user, 'credentials');
    return this.withCode(attempt, user, code);
  }

  private async withProof({ code = '', ...where }: SignInRequest, text: string): Promise<SignIn> {
    const proof = this.secondFactor.provenBy(text, this.clock.now());
    const user = proof && (await this.users.byId(proof.id));
    const isValid =
      user?.status === 'active' && user.organizationId === where.organizationId && digestOf(user.passwordHash ?? '') === proof?.password;
    // The user begins again, with the password.
    if (!user || !isValid) return { refused: 'credentials' };
    return this.withCode({ ...where, emailKey: emailKeyOf(user.email) }, user, code);
  }

  private async withCode(attempt: Attempt, user: User, code: string): Promise<SignIn> {
    // Of many concurrent attempts, one with the right password is refused too once there were too many failures.
    const step = user.totpSecret === null ? 'password' : 'code';
    if ((await this.attempts.wait(attempt, step)) > 0) return this.throttled(attempt, user, step);
    if (!(await this.users.passwordsAllowed(user.organizationId))) return this.switchedOff(attempt, user);
    if (user.totpSecret !== null && code === '')
      return { refused: 'code_needed', proof: this.secondFactor.proofOf(user, this.clock.now()) };
    const admitted = await this.admit(attempt, user, code);
    return typeof admitted === 'string' ? this.failed(attempt, user, admitted) : { user: factsOf(admitted) };
  }

  /**
   * For an application that serves every organization. `organization` is a slug, which only people with several accounts have to give.
   * If it is missing or wrong, the answer is that of a wrong password: nobody can find out who has accounts where.
   */
  async signInAnywhere({ organization, ...request }: Omit<SignInRequest, 'organizationId'> & { readonly organization: string }) {
    const isText = isStorableText(request.email) && isStorableText(organization);
    const slug = organization.trim().toLowerCase();
    const found = isText ? await this.users.organizationsOf(emailKeyOf(request.email), slug) : [];
    return this.signIn({ ...request, organizationId: found.length === 1 ? found[0]! : NO_ORGANIZATION });
  }

  /** Locks the user: a code works for only one of two concurrent sign-ins, and not for a user who was removed meanwhile. */
  private admit({ organizationId, address, requestId }: Attempt, found: User, code: string): Promise<User | 'credentials' | 'code_wrong'> {
    const context = { ...changeContext(organizationId, actorOf(found)), ipAddress: address, requestId };
    return this.unitOfWork.run(context, async (ctx) => {
      const user = await this.users.lock(found.id, ctx.unit);
      if (!user || user.passwordHash !== found.passwordHash) return 'credentials';
      const now = this.clock.now();
      const step = this.secondFactor.stepOf(user, code, now);
      if (user.totpSecret !== null && step === undefined) return 'code_wrong';
      const signedIn = { ...user, totpLastStep: step ?? null, lastSignInAt: now.toISOString() };
      await this.users.update(signedIn, ctx.unit);
      this.attempts.recordSuccess(ctx, user);
      return signedIn;
    });
  }

  private async failed(attempt: Attempt, user: User | undefined, reason: Exclude<Failure, 'throttled'>): Promise<SignIn> {
    const step = reason === 'code_wrong' ? 'code' : 'password';
    if (!(await this.attempts.count(attempt, step))) return this.throttled(attempt, user, step);
    this.attempts.recordFailure(attempt, user, reason);
    return { refused: reason };
  }

  /** Said after the right password only: nobody finds out who has an account. */
  private switchedOff(attempt: Attempt, user: User): SignIn {
    this.attempts.recordFailure(attempt, user, 'passwords_off');
    return { refused: 'passwords_off' };
  }

  private async throttled(attempt: Attempt, user: User | undefined, step: Step): Promise<SignIn> {
    this.attempts.recordFailure(attempt, user, 'throttled');
    return { refused: 'throttled', retryAfterSeconds: Math.max(1, await this.attempts.wait(attempt, step)) };
  }
}
