import { Injectable } from '@nestjs/common';
import { RateLimiter } from '../../../api/limits/rate-limiter.js';
import { callerOf } from '../../../kernel/addresses.js';
import { type ChangeContext, changeContext } from '../../../kernel/context.js';
import type { Tier } from '../../../kernel/plans.js';
import type { Changes } from '../../../kernel/changes.js';
import { digestOf } from '../../../kernel/text.js';
import { AuditRecorder, ThrottledRecorder } from '../../../store/audit/audit-recorder.js';
import type { InTransaction } from '../../../store/database/unit-of-work.js';
import type { SignOnRefusal } from '../single-sign-on/sign-in-provider.js';
import type { User } from '../user.entity.js';

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
export type Failure = 'credentials' | 'code_wrong' | 'throttled';

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
  recordSuccess(ctx: InTransaction<ChangeContext>, { id, recoveryCodes }: User, codesLeft: number): void {
    const wasUsed = codesLeft < recoveryCodes.length;
    const changes: Changes = wasUsed ? { recoveryCodes: { from: recoveryCodes.length, to: codesLeft } } : {};
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
