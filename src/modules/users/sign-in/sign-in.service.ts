import { Injectable } from '@nestjs/common';
import type { SignInWay } from '../../../api/console/page.js';
import { RateLimiter } from '../../../api/limits/rate-limiter.js';
import { callerOf } from '../../../kernel/addresses.js';
import type { Changes } from '../../../kernel/changes.js';
import { changeContext, type ChangeContext } from '../../../kernel/context.js';
import { isUuid } from '../../../kernel/ids.js';
import type { Tier } from '../../../kernel/plans.js';
import { digestOf, isStorableText } from '../../../kernel/text.js';
import { Clock } from '../../../kernel/time.js';
import { AuditRecorder, ThrottledRecorder } from '../../../store/audit/audit-recorder.js';
import { UnitOfWork, type InTransaction } from '../../../store/database/unit-of-work.js';
import { OrganizationService } from '../../organization/index.js';
import { type SignOnRefusal, SignInWays } from '../single-sign-on/sign-in-ways.js';
import { actorOf, emailKeyOf, factsOf, hasSecondFactor, type UserFacts } from '../user-rules.js';
import type { Credentials, User } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';
import { type PasskeyAnswer, Passkeys, usePasskey } from './passkeys.js';
import { Passwords, SecondFactor } from './passwords.js';
import { accountIn } from '../../../../tools/passkeys/index.js';
import type { SignInProblem, SignInState } from './sign-in.page.js';

/** Of one caller with one account. Others are not counted: nobody can lock somebody else out by guessing their password. */
const PER_ACCOUNT: Tier = { perMinute: 10 / 15, burst: 10 };
/** Wrong codes after the right password, from all addresses together: a caller who guesses codes knows the password already. */
const CODES_PER_ACCOUNT: Tier = PER_ACCOUNT;
const PER_ADDRESS: Tier = { perMinute: 60, burst: 60 };
/** How many failed sign-ins the audit log of an organization shows in a minute. */
const MAX_FAILURES_PER_MINUTE = 100;

/** The account that somebody tried to sign in to, and where the call came from. */
export interface Attempt {
  readonly organizationId: string;
  /** The e-mail address in the form that is compared. There may be no such user. */
  readonly emailKey: string;
  readonly address: string;
  readonly requestId: string;
  /** Whose code is asked for, once the password was right. */
  readonly accountId?: string;
}

export type Step = 'password' | 'code';
export type Failure = 'credentials' | 'code_wrong' | 'passkey_wrong' | 'throttled';

const NIL = '00000000-0000-0000-0000-000000000000';
/** The organization of somebody whose organization is not known. */
export const NO_ORGANIZATION = NIL;
/** The resource of an audit entry about an unknown user. */
const UNKNOWN_USER = { id: NIL, email: 'unknown' };

/** On all replicas together. The audit log of the organization shows failures once a minute for each account and address. */
@Injectable()
export class SignInAttempts {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly audit: AuditRecorder,
    private readonly recorder: ThrottledRecorder,
  ) {}

  /** Seconds until a further attempt is allowed; 0 if it is allowed now. */
  async wait(attempt: Attempt, step: Step): Promise<number> {
    const waits = bucketsOf(attempt, step).map(async ([key, tier]) => {
      // Taking nothing is never refused. It shows how full the bucket is.
      const { remaining, resetSeconds } = await this.limiter.take(key, tier, 0);
      if (remaining > 0) return 0;
      // The reset is when the whole burst is available again. The first attempt of the burst is available earlier.
      return Math.max(1, Math.ceil(resetSeconds - ((tier.burst - 1) * 60) / tier.perMinute));
    });
    return Math.max(...(await Promise.all(waits)));
  }

  /** Counts a failure. Returns false if there were too many before. */
  async count(attempt: Attempt, step: Step): Promise<boolean> {
    const taken = await Promise.all(bucketsOf(attempt, step).map(async ([key, tier]) => this.limiter.take(key, tier)));
    return taken.every(({ allowed }) => allowed);
  }

  /** `codesLeft`: recovery codes after it. One less than before says that one was used. */
  recordSuccess(ctx: InTransaction<ChangeContext>, { id, recoveryCodes }: User, codesLeft: number, by: SignInWay): void {
    const wasUsed = codesLeft < recoveryCodes.length;
    const changes: Changes = {
      ...(by === 'passkey' && { by: { from: null, to: by } }),
      ...(wasUsed && { recoveryCodes: { from: recoveryCodes.length, to: codesLeft } }),
    };
    this.audit.record(ctx, { action: 'user.signed_in', resourceId: id, changes });
  }

  recordFailure(
    { organizationId, emailKey, address, requestId }: Attempt,
    user: User | undefined,
    reason: Failure | 'passwords_off' | SignOnRefusal,
  ): void {
    // No audit log is the right one.
    if (organizationId === NO_ORGANIZATION) return;
    const { id, email } = user ?? UNKNOWN_USER;
    // The actor has no id, because nobody is signed in.
    const ctx = { ...changeContext(organizationId, { type: 'user', id: null, name: email }), ipAddress: address, requestId };
    this.recorder.record({
      ctx,
      entry: { action: 'user.sign_in_failed', resourceId: id, changes: { reason: { from: null, to: reason } } },
      budget: `sign-ins ${organizationId}`,
      maxPerMinute: MAX_FAILURES_PER_MINUTE,
      key: digestOf(emailKey, address),
    });
  }
}

/** In all organizations together, and codes by account: somebody in five organizations is not guessed at five times as often. */
function bucketsOf({ emailKey, address, accountId = emailKey }: Attempt, step: Step): [string, Tier][] {
  const caller = callerOf(address);
  return [
    [`sign_in:account:${digestOf(emailKey, caller)}`, PER_ACCOUNT],
    [`sign_in:address:${caller}`, PER_ADDRESS],
    ...(step === 'code' ? [[`sign_in:codes:${digestOf(accountId)}`, CODES_PER_ACCOUNT] as [string, Tier]] : []),
  ];
}

/** The end of a sign-in: its code is used up, and it is written down. */
@Injectable()
export class Admission {
  constructor(
    private readonly users: UsersRepository,
    private readonly secondFactor: SecondFactor,
    private readonly passkeys: Passkeys,
    private readonly attempts: SignInAttempts,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Locks the account: a code works for only one of two concurrent sign-ins, and not for a user who was removed meanwhile. */
  async admit(attempt: Attempt, found: User, { code = '', passkey }: Proofs): Promise<User | Exclude<Failure, 'throttled'>> {
    const { organizationId, address, requestId } = attempt;
    const answered = passkey && (await this.passkeys.verify(found, passkey));
    if (passkey && !answered) return 'passkey_wrong';
    const context = { ...changeContext(organizationId, actorOf(found)), ipAddress: address, requestId };
    return this.unitOfWork.run(context, async (ctx) => {
      const user = (await this.users.lockAccount(found.accountId, ctx.unit)).find(({ id }) => id === found.id);
      if (!user || user.passwordHash !== found.passwordHash) return 'credentials';
      const now = this.clock.now();
      const used: Credentials | undefined = answered
        ? usePasskey(user, answered)
        : hasSecondFactor(factsOf(user))
          ? this.secondFactor.use(user, code)
          : user;
      if (!used) return answered ? 'passkey_wrong' : 'code_wrong';
      if (used !== user) await this.users.updateAccount(user.accountId, used, ctx.unit);
      const signedIn = { ...user, ...used, lastSignInAt: now.toISOString() };
      await this.users.update(signedIn, ctx.unit);
      this.attempts.recordSuccess(ctx, user, used.recoveryCodes.length, answered ? 'passkey' : 'password');
      return signedIn;
    });
  }
}

/** What somebody shows besides their password, or in its place. */
interface Proofs {
  readonly code?: string;
  readonly passkey?: PasskeyAnswer | undefined;
}

export interface SignInRequest extends Proofs, Pick<Attempt, 'organizationId' | 'address' | 'requestId'> {
  readonly email: string;
  readonly password: string;
  /** The proof of an attempt that only lacked the code. It takes the place of e-mail address and password. */
  readonly proof?: string;
  /** Where a second factor that the organization requires can be set up after the sign-in. */
  readonly setsUpSecondFactor?: boolean;
}

/** `credentials`: the user is unknown or the password is wrong. Callers cannot tell which. */
export type SignIn =
  | { readonly user: UserFacts; readonly by: SignInWay }
  | { readonly refused: Exclude<Failure, 'throttled'> | 'second_factor_missing' | 'passwords_off' }
  | { readonly refused: 'code_needed'; readonly proof: string }
  | { readonly refused: 'throttled'; readonly retryAfterSeconds: number };

@Injectable()
export class SignInRulesService {
  constructor(
    private readonly organizations: OrganizationService,
    private readonly users: UsersRepository,
    private readonly ways: SignInWays,
  ) {}

  /** What an organization asks of its people when they sign in, and what it is called meanwhile. */
  async read(organizationId: string) {
    const [organization, allowsPasswords] = await Promise.all([
      this.organizations.byId(organizationId),
      this.allowPasswords(organizationId),
    ]);
    const { name, slug } = organization;
    return { name, slug, requiresSecondFactor: this.organizations.requiresSecondFactor(organization), allowsPasswords };
  }

  /**
   * undefined for those who may not. Sessions ask with each page, and the authorization server with each code and refresh. Who lacks a
   * second factor that the organization requires sets it up before anything else.
   */
  async signedIn(userId: string, by: SignInWay) {
    const found = await this.users.byId(userId);
    if (found?.status !== 'active') return undefined;
    if ((by === 'password' || by === 'passkey') && !(await this.allowPasswords(found.organizationId))) return undefined;
    const [user, organization] = [factsOf(found), await this.organizations.byId(found.organizationId)];
    const lacksOne = by !== 'single_sign_on' && !hasSecondFactor(user);
    return { user, organization, lacksSecondFactor: lacksOne && this.organizations.requiresSecondFactor(organization) };
  }

  /** Owners can switch passwords off beside a provider of theirs, and an extension for those whom it signs in. */
  private async allowPasswords(organizationId: string): Promise<boolean> {
    if (!(await this.users.passwordsAllowed(organizationId))) return false;
    if (!this.ways.hasExtensions) return true;
    const { id, slug } = await this.organizations.byId(organizationId);
    return (await this.ways.ofExtensions({ id, slug }))?.allowsPasswords !== false;
  }
}

@Injectable()
export class SignInService {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: Passwords,
    private readonly secondFactor: SecondFactor,
    private readonly attempts: SignInAttempts,
    private readonly rules: SignInRulesService,
    private readonly admission: Admission,
  ) {}

  signIn({ proof, ...request }: SignInRequest): Promise<SignIn> {
    return proof === undefined ? this.withPassword(request) : this.withProof(request, proof);
  }

  private async withPassword({ email, password, code = '', passkey, ...where }: SignInRequest): Promise<SignIn> {
    // Postgres cannot compare with such a text, and no user has one as address.
    const attempt = { ...where, emailKey: isStorableText(email) ? emailKeyOf(email) : '' };
    const user = await this.users.byEmail(attempt.organizationId, attempt.emailKey);
    if ((await this.attempts.wait(attempt, 'password')) > 0) return this.throttled(attempt, user, 'password');
    const isRight = await this.passwords.isRight(password, user?.passwordHash ?? null);
    if (!user || !isRight) return this.failed(attempt, user, 'credentials');
    return this.withCode({ ...attempt, accountId: user.accountId }, user, { code, passkey });
  }

  private async withProof({ code = '', passkey, ...where }: SignInRequest, text: string): Promise<SignIn> {
    const proof = this.secondFactor.provenBy(text);
    const user = proof && (await this.users.byId(proof.id));
    const isValid =
      user?.status === 'active' && user.organizationId === where.organizationId && digestOf(user.passwordHash ?? '') === proof?.password;
    // The user begins again, with the password.
    if (!user || !isValid) return { refused: 'credentials' };
    return this.withCode({ ...where, emailKey: emailKeyOf(user.email), accountId: user.accountId }, user, { code, passkey });
  }

  /** By a passkey alone, in the organization that was used last, or in one that is named. It is as good as password and code. */
  private async withPasskey(where: Omit<SignInRequest, 'organizationId'>, passkey: PasskeyAnswer, slug: string): Promise<SignIn> {
    const accountId = accountIn(passkey.answer);
    const users = isUuid(accountId) ? (await this.users.ofAccount(accountId)).filter(({ status }) => status === 'active') : [];
    const emailKey = users[0]?.emailKey ?? '';
    const found = (await this.users.findOrganizations(emailKey, slug)).find((one) => one.accountId === accountId);
    const user = users.find(({ organizationId }) => organizationId === found?.organizationId);
    const attempt = { ...where, emailKey, organizationId: user?.organizationId ?? NO_ORGANIZATION };
    if ((await this.attempts.wait(attempt, 'password')) > 0) return this.throttled(attempt, user, 'password');
    return user ? this.withCode(attempt, user, { passkey }) : this.failed(attempt, user, 'passkey_wrong');
  }

  private async withCode(attempt: Attempt & Pick<SignInRequest, 'setsUpSecondFactor'>, user: User, proofs: Proofs): Promise<SignIn> {
    const needsMore = hasSecondFactor(factsOf(user)) && !proofs.passkey;
    // Of many concurrent attempts, one with the right password is refused too once there were too many failures.
    const step = needsMore ? 'code' : 'password';
    if ((await this.attempts.wait(attempt, step)) > 0) return this.throttled(attempt, user, step);
    const { allowsPasswords, requiresSecondFactor } = await this.rules.read(user.organizationId);
    if (!allowsPasswords) return this.switchedOff(attempt, user);
    if (needsMore && !proofs.code) return { refused: 'code_needed', proof: this.secondFactor.proofOf(user) };
    if (!needsMore && !proofs.passkey && !attempt.setsUpSecondFactor && requiresSecondFactor) return { refused: 'second_factor_missing' };
    const admitted = await this.admission.admit(attempt, user, proofs);
    if (typeof admitted === 'string') return this.failed(attempt, user, admitted);
    return { user: factsOf(admitted), by: proofs.passkey ? 'passkey' : 'password' };
  }

  /**
   * For an application that serves every organization. `organization` is a slug, which only people with several accounts have to give;
   * others come to the organization that they used last.
   * If it is missing or wrong, the answer is that of a wrong password: nobody can find out who has accounts where.
   */
  async signInAnywhere({ organization, ...request }: Omit<SignInRequest, 'organizationId'> & { readonly organization: string }) {
    const isText = isStorableText(request.email) && isStorableText(organization);
    const slug = organization.trim().toLowerCase();
    if (request.passkey && !request.proof) return this.withPasskey(request, request.passkey, isText ? slug : ' ');
    const known = isText ? await this.users.findOrganizations(emailKeyOf(request.email), slug) : [];
    // A company that has somebody's address among its people does not get in the way of their password elsewhere.
    const found = known.filter(({ hasPassword }) => hasPassword);
    const isOneAccount = new Set(found.map(({ accountId }) => accountId)).size === 1;
    return this.signIn({ ...request, organizationId: isOneAccount ? found[0]!.organizationId : NO_ORGANIZATION });
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

type Call = Pick<SignInRequest, 'address' | 'requestId' | 'setsUpSecondFactor' | 'passkey'>;
type Taken = Extract<SignIn, { readonly user: UserFacts }> | SignInState;

/** Signs a user in by the fields of a form: first e-mail address and password, then the code if the user has a second factor. */
@Injectable()
export class SignInSteps {
  constructor(private readonly signIns: SignInService) {}

  async take(form: URLSearchParams, where: Call & Pick<SignInRequest, 'organizationId'>): Promise<Taken> {
    const fields = fieldsOf(form);
    return stateOf(fields, await this.signIns.signIn({ ...fields, ...where }), 'credentials');
  }

  /** A user of any organization: the form has a field for it. */
  async takeAnywhere(form: URLSearchParams, call: Call): Promise<Taken> {
    const fields = fieldsOf(form);
    const organization = form.get('organization') ?? '';
    return stateOf(fields, await this.signIns.signInAnywhere({ ...fields, ...call, organization }), 'credentials_anywhere');
  }
}

function fieldsOf(form: URLSearchParams) {
  const [email = '', password = '', code = '', proof = ''] = ['email', 'password', 'code', 'proof'].map((name) => form.get(name) ?? '');
  return { email, password, code: code.replaceAll(' ', ''), ...(proof && { proof }) };
}

function stateOf({ email, proof }: ReturnType<typeof fieldsOf>, result: SignIn, wrong: SignInProblem): Taken {
  if ('user' in result) return result;
  const { refused } = result;
  if (refused === 'code_needed') return { email, proof: result.proof };
  if (refused !== 'credentials') return { email, proof, problem: refused };
  return { email, proof: undefined, problem: proof ? 'too_late' : wrong };
}
