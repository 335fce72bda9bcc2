import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { type ChangeContext, changeContext } from '../../../kernel/context.js';
import type { InTransaction } from '../../../store/database/transaction.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import { RateLimiter } from '../../../api/limits/rate-limiter.js';
import type { Tier } from '../../../kernel/plans.js';
import { Log } from '../../../kernel/log.js';
import { digestOf } from '../../../kernel/text.js';
import type { User } from '../user.entity.js';

/** Failures that may come at once, and how they are forgotten: ten within a quarter of an hour. */
const PER_ACCOUNT: Tier = { perMinute: 10 / 15, burst: 10 };
const PER_ADDRESS: Tier = { perMinute: 60, burst: 60 };

/** Whoever tries passwords in a row would fill the log with one and the same line, and with many addresses still. */
const WINDOW_MS = 60_000;
const TOLD_AT_MOST = 100;
const REMEMBERED_AT_MOST = 10_000;

/** What somebody tried to sign in as, and from where. */
export interface Attempt {
  readonly organizationId: string;
  /** The address as it is compared: there need not be such a user. */
  readonly emailKey: string;
  readonly address: string;
  readonly requestId: string;
}

export type Failure = 'credentials' | 'code_wrong' | 'throttled';

/** To an entry of the log that is about no user we know: the nil UUID. */
const NOBODY = { id: '00000000-0000-0000-0000-000000000000', email: 'unknown' };

/**
 * What comes of failed sign-ins: they slow down further ones as the same account and from the same address, on all replicas,
 * and the organization is told by its audit log, once a minute of each account and address. The log is not waited for: by
 * the time it takes, the caller would learn what is known.
 */
@Injectable()
export class SignInAttempts implements BeforeApplicationShutdown {
  private readonly told = new Map<string, { readonly until: number; readonly what: Set<string> }>();
  private readonly pending = new Set<Promise<void>>();

  constructor(
    private readonly limiter: RateLimiter,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    @Inject(Log) private readonly log: Log,
  ) {}

  /** Seconds until an attempt is looked at again; 0: now. */
  async wait(attempt: Attempt): Promise<number> {
    const waits = bucketsOf(attempt).map(async ([key, tier]) => {
      const { remaining, resetSeconds } = await this.limiter.take(key, tier, 0);
      if (remaining > 0) return 0;
      // Looking costs nothing and is never refused; the first of the burst is there again when all others are still missing.
      return Math.max(1, Math.ceil(resetSeconds - ((tier.burst - 1) * 60) / tier.perMinute));
    });
    return Math.max(...(await Promise.all(waits)));
  }

  /** Counts a failure; false when there were too many of them before. */
  async count(attempt: Attempt): Promise<boolean> {
    const taken = await Promise.all(bucketsOf(attempt).map(async ([key, tier]) => this.limiter.take(key, tier)));
    return taken.every(({ allowed }) => allowed);
  }

  succeeded(ctx: InTransaction<ChangeContext>, { id }: User): void {
    this.audit.record(ctx, { action: 'user.signed_in', resourceId: id, changes: {} });
  }

  /** Tells of a failure. */
  note(attempt: Attempt, user: User | undefined, reason: Failure): void {
    const told = this.toldOf(attempt.organizationId);
    const what = digestOf(attempt.emailKey, attempt.address);
    if (told.has(what) || told.size >= TOLD_AT_MOST) return;
    told.add(what);
    const recorded = this.record(attempt, user ?? NOBODY, reason).catch((error: unknown) => {
      told.delete(what);
      this.log.warn({ err: error }, 'A failed sign-in could not be recorded');
    });
    this.pending.add(recorded);
    void recorded.finally(() => this.pending.delete(recorded));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.pending);
  }

  private toldOf(organizationId: string): Set<string> {
    const now = performance.now();
    const known = this.told.get(organizationId);
    if (known && now < known.until) return known.what;
    if (this.told.size >= REMEMBERED_AT_MOST) this.told.clear();
    const what = new Set<string>();
    this.told.set(organizationId, { until: now + WINDOW_MS, what });
    return what;
  }

  private record(
    { organizationId, address, requestId }: Attempt,
    { id, email }: Pick<User, 'id' | 'email'>,
    reason: Failure,
  ): Promise<void> {
    // Nobody is signed in: all that is known of who did this is what they tried to be.
    const context = { ...changeContext(organizationId, { type: 'user', id: null, name: email }), ipAddress: address, requestId };
    return this.unitOfWork.run(context, (ctx) => {
      this.audit.record(ctx, { action: 'user.sign_in_failed', resourceId: id, changes: { reason: { from: null, to: reason } } });
      return Promise.resolve();
    });
  }
}

function bucketsOf({ organizationId, emailKey, address }: Attempt): [string, Tier][] {
  return [
    [`sign_in:account:${digestOf(organizationId, emailKey)}`, PER_ACCOUNT],
    [`sign_in:address:${address}`, PER_ADDRESS],
  ];
}
