import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { ChangeContext, Tenant } from '../../kernel/context.js';
import { canonicalJson } from '../../kernel/json.js';
import { Problem } from '../../kernel/problems.js';
import { Settings } from '../../kernel/settings/settings.js';
import { DatabaseClock } from '../../store/database/database-clock.js';
import { codeOf, Database, isLockTimeout, lockedRelation } from '../../store/database/database.js';
import { ROWS_PER_DELETE, oneAtATime } from '../../store/database/housekeeping.js';
import { DEADLOCK } from '../../store/database/lock-codes.js';
import { insertion, type LastWrite, type InTransaction, type WriteContext, UnitOfWork } from '../../store/database/unit-of-work.js';
import { Implements } from '../../store/discovery/ports.js';
import { Job } from '../../store/jobs/job.decorator.js';
import { EncryptedColumns, Secrets } from '../../store/secrets/secrets.js';
import { TENANT, tenantSql, acrossTenants } from '../../store/tenant/tenant-sql.js';
import type { RegisteredOperation } from '../operation/operation.js';
import { IdempotencyKey } from './idempotency-key.entity.js';

interface Answer {
  readonly status: number;
  readonly body: string;
  /** The same as an object. */
  readonly record: unknown;
  readonly replayed: boolean;
}

interface Stored {
  fingerprint: Buffer;
  /** null: a request has claimed the key, and has no answer yet. */
  status: number | null;
  answer: string | null;
  sealedAnswer: Buffer | null;
  isExpired: boolean;
}

/** What is done with a key: an operation, or what the console does without one. */
export type KeyedOperation = Pick<RegisteredOperation, 'id' | 'status' | 'returnsSecret'>;

type KeyedContext = ChangeContext & Tenant & { readonly environment: Tenant['environment']; readonly operation: KeyedOperation };

interface KeyedRequest {
  readonly key: string;
  readonly params: unknown;
  readonly body: unknown;
  /** The work begins only when the key is known to be free. */
  readonly isClaimedFirst?: boolean;
  /** What no rollback undoes, such as a request to another service. It comes before the work, when the key is claimed for good. */
  readonly effect?: (() => Promise<void>) | undefined;
}

const TABLE = 'idempotency_keys';
/** A key is claimed and has no answer yet: how long a call waits for it, and how often it looks. */
const UNANSWERED = Symbol('unanswered');
/** The time of a key is over. */
const EXPIRED = new Error('The time of the key is over.');
const PATIENCE_MS = 5000;
const POLL_INTERVAL_MS = 100;
/** Of calls that wait for each other, one always goes on: each attempt may meet another one that came later. */
const ATTEMPTS_MAX = 5;

type Work<C extends KeyedContext> = (ctx: InTransaction<C>) => Promise<unknown>;

/** Whatever a call is refused for, its key may be another request's, whose answer comes first. Not if the database is away. */
const mayBeTaken = (error: unknown): boolean => !(error instanceof Problem) || error.status < 500;

/** Another transaction is about to write the row of the key. */
const isKeyLocked = (error: unknown): boolean => error instanceof Problem && lockedRelation(error.cause)?.startsWith(TABLE) === true;

/** Two transactions waited for each other, and this one was rolled back for the other. */
const isDeadlock = (error: unknown): boolean => error instanceof Problem && codeOf(error.cause) === DEADLOCK;

const BY_KEY = `${TENANT} AND key = :key` as const;

const CLAIM = tenantSql(
  'idempotency_keys.claim',
  // A second request with the key waits here until the transaction of the first has ended.
  `INSERT INTO idempotency_keys (organization_id, environment, key, fingerprint, created_at)
    VALUES (:organizationId, :environment, :key, :fingerprint, :now)
    ON CONFLICT DO NOTHING RETURNING true AS claimed`,
  'The key of a call.',
);
const FIND = tenantSql(
  'idempotency_keys.find',
  `SELECT fingerprint, status, answer, sealed_answer AS "sealedAnswer", created_at < :oldest AS "isExpired"
    FROM idempotency_keys WHERE ${BY_KEY}`,
  'The key of a call.',
);
const FORGET = tenantSql(
  'idempotency_keys.forget',
  `DELETE FROM idempotency_keys WHERE ${BY_KEY} AND created_at < :oldest RETURNING true AS forgotten`,
  'The key of a call.',
);

const RELEASE = tenantSql(
  'idempotency_keys.release',
  `DELETE FROM idempotency_keys WHERE ${BY_KEY} AND fingerprint = :fingerprint AND status IS NULL RETURNING true AS released`,
  'The key of a call.',
);

/** Does a thing once per key: the claim of the key, the change and the answer are one transaction. */
@Implements(EncryptedColumns)
export class Idempotency implements EncryptedColumns {
  readonly encrypted = [{ table: TABLE, column: 'sealed_answer', key: ['organization_id', 'environment', 'key'], owner: boundTo }];

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly database: Database,
    private readonly clock: DatabaseClock,
    private readonly settings: Settings,
    private readonly secrets: Secrets,
  ) {}

  /**
   * Runs the work, or returns the answer that the same request got before. Only a success is remembered. A key whose time is over is
   * removed by a transaction of its own: one that held its row while it works would wait for calls that work first and write the key last.
   */
  async run<C extends KeyedContext>(ctx: C, request: KeyedRequest, work: Work<C>): Promise<Answer> {
    for (let isOld = false; ; isOld = true)
      try {
        return await this.runOnce(ctx, request, work, isOld);
      } catch (error) {
        if (error !== EXPIRED) throw error;
        const forget = FORGET.bind(ctx, { key: request.key, oldest: this.oldest() });
        await this.unitOfWork.run(ctx, (inner) => this.database.rows(...forget, inner.unit));
      }
  }

  /** Others with an old key have seen it, too, and begin with the key: so does this one, and none waits for the work of another. */
  private async runOnce<C extends KeyedContext>(ctx: C, request: KeyedRequest, work: Work<C>, isOld: boolean): Promise<Answer> {
    const { key, params, body, isClaimedFirst = false, effect } = request;
    const fingerprint = createHash('sha256')
      // An answer for all projects is none for a credential that is bound to some.
      .update(`${ctx.operation.id}\n${canonicalJson([params, body, ...(ctx.projects ? [ctx.projects.toSorted()] : [])])}`)
      .digest();
    const oneAfterTheOther = (): Promise<Answer> =>
      this.unitOfWork.run(ctx, (inner) => this.oneAfterTheOther(inner, key, fingerprint, work));
    if (effect) return this.afterClaim(ctx, key, fingerprint, { effect, then: work });
    if (isClaimedFirst) return oneAfterTheOther();
    let attempts = 0;
    const again = (isRepeated: (error: unknown) => boolean, error: unknown): Promise<Answer> => {
      attempts += 1;
      if (attempts <= ATTEMPTS_MAX && isRepeated(error)) return oneAfterTheOther().catch((next: unknown) => again(isDeadlock, next));
      throw isKeyLocked(error) ? stillRunning(error) : error;
    };
    if (isOld) return oneAfterTheOther().catch((error: unknown) => again(isDeadlock, error));
    return this.unitOfWork
      .run(ctx, (inner) => this.atOnce(inner, key, fingerprint, work))
      .catch((error: unknown) => again((first) => isDeadlock(first) || mayBeTaken(first), error));
  }

  /**
   * Before the key is known to be free: it is claimed with the answer, by the last writes. If it is taken, all is rolled back, and so it is
   * if any write of the work is refused: done again, the work waits for each, and can say why.
   */
  private async atOnce<C extends KeyedContext>(ctx: InTransaction<C>, key: string, fingerprint: Buffer, work: Work<C>): Promise<Answer> {
    ctx.unit.isHasty = true;
    const { kept, ...answer } = await this.answer(ctx, key, work);
    ctx.unit.lastWrites.push(insertion(IdempotencyKey, { ...kept, fingerprint, createdAt: this.clock.timestamp() }));
    return answer;
  }

  private async oneAfterTheOther<C extends KeyedContext>(
    ctx: InTransaction<C>,
    key: string,
    fingerprint: Buffer,
    work: Work<C>,
  ): Promise<Answer> {
    const earlier = await this.earlierAnswer(ctx, key, fingerprint);
    return earlier ? replayed(earlier) : this.remembered(ctx, key, work);
  }

  /** If the process dies after the effect, or cannot write the answer, the key stays taken: the effect must not come twice. */
  private async afterClaim<C extends KeyedContext>(
    ctx: C,
    key: string,
    fingerprint: Buffer,
    work: { readonly effect: () => Promise<void>; readonly then: Work<C> },
  ): Promise<Answer> {
    const earlier = await this.waitForClaim(ctx, key, fingerprint);
    if (earlier) return replayed(earlier);
    let isDone = false;
    try {
      await work.effect();
      isDone = true;
      return await this.unitOfWork.run(ctx, (inner) => this.remembered(inner, key, work.then));
    } catch (error) {
      const isRefused = error instanceof Problem && error.status < 500;
      if (!isDone || isRefused)
        await this.unitOfWork.run(ctx, (inner) => this.database.rows(...RELEASE.bind(inner, { key, fingerprint }), inner.unit));
      throw error;
    }
  }

  /** As others wait for the transaction of the first call, for about as long. */
  private async waitForClaim(ctx: KeyedContext, key: string, fingerprint: Buffer): ReturnType<Idempotency['earlierAnswer']> {
    const lateAt = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await this.unitOfWork.run(ctx, (inner) => this.earlierAnswer(inner, key, fingerprint));
      } catch (error) {
        if (!(error instanceof Problem && error.cause === UNANSWERED) || performance.now() > lateAt) throw error;
        await delay(POLL_INTERVAL_MS);
      }
    }
  }

  private async remembered<C extends KeyedContext>(ctx: InTransaction<C>, key: string, work: Work<C>): Promise<Answer> {
    const { kept, ...answer } = await this.answer(ctx, key, work);
    ctx.unit.lastWrites.push(rememberedAnswer(kept));
    return answer;
  }

  private async answer<C extends KeyedContext>(ctx: InTransaction<C>, key: string, work: Work<C>): Promise<NewAnswer> {
    const { organizationId, environment, operation } = ctx;
    const record = await work(ctx);
    const answer = JSON.stringify(record);
    const { status, returnsSecret } = operation;
    const text = returnsSecret
      ? { answer: null, sealedAnswer: this.secrets.encrypt(answer, ownerOf(ctx, key)) }
      : { answer, sealedAnswer: null };
    return { status, body: answer, record, replayed: false, kept: { organizationId, environment, key, status, ...text } };
  }

  private async earlierAnswer(ctx: WriteContext, key: string, fingerprint: Buffer): Promise<Pick<Answer, 'status' | 'body'> | undefined> {
    const claim = CLAIM.bind(ctx, { key, fingerprint, now: this.clock.timestamp() });
    const claimed = await this.database.rows(...claim, ctx.unit).catch(unlessRunning);
    if (claimed.length > 0) return undefined;
    const [stored] = await this.database.rows<Stored>(...FIND.bind(ctx, { key, oldest: this.oldest() }), ctx.unit);
    if (stored?.isExpired) throw EXPIRED;
    // Without a row, the job that removes old keys deleted it between our two statements.
    return stored ? this.replay(stored, fingerprint, ownerOf(ctx, key)) : this.earlierAnswer(ctx, key, fingerprint);
  }

  private oldest(): string {
    return new Date(this.clock.now().getTime() - this.settings.idempotencyRetentionMs).toISOString();
  }

  private replay({ fingerprint, status, answer, sealedAnswer }: Stored, asked: Buffer, owner: string): { status: number; body: string } {
    if (!fingerprint.equals(asked)) {
      throw new Problem('idempotency_conflict', { detail: 'This Idempotency-Key was used for a different request.' });
    }
    if (status === null) throw stillRunning(UNANSWERED);
    return { status, body: answer ?? this.secrets.decrypt(sealedAnswer!, owner) };
  }
}

const replayed = (earlier: Pick<Answer, 'status' | 'body'>): Answer => ({
  ...earlier,
  record: JSON.parse(earlier.body) as unknown,
  replayed: true,
});

type NewAnswer = Answer & { readonly kept: Remembered };
type Remembered = Pick<IdempotencyKey, 'organizationId' | 'environment' | 'key' | 'status' | 'answer' | 'sealedAnswer'>;

function rememberedAnswer({ organizationId, environment, key, status, answer, sealedAnswer }: Remembered): LastWrite {
  return {
    name: `${TABLE}.answer`,
    sql: (bind) =>
      `UPDATE idempotency_keys SET status = ${bind(status)}, answer = ${bind(answer)}, sealed_answer = ${bind(sealedAnswer)}
        WHERE organization_id = ${bind(organizationId)} AND environment = ${bind(environment)} AND key = ${bind(key)}`,
  };
}

const boundTo = (organizationId: string, environment: string, key: string): string => `answer ${organizationId} ${environment} ${key}`;

const ownerOf = ({ organizationId, environment }: Tenant, key: string): string => boundTo(organizationId, environment, key);

function unlessRunning(error: unknown): never {
  throw isLockTimeout(error) ? stillRunning(error) : error;
}

function stillRunning(cause: unknown): Problem {
  const detail = 'The first request with this Idempotency-Key is still running.';
  return new Problem('idempotency_conflict', { detail, retry: 'same_key', cause });
}

const EXPIRE = acrossTenants(
  'idempotency_keys.expire',
  'A worker deletes old keys of all tenants.',
  // A key that is claimed again meanwhile is not old any more.
  `DELETE FROM idempotency_keys WHERE created_at < :oldest AND (organization_id, environment, key) IN (
      SELECT organization_id, environment, key FROM idempotency_keys WHERE created_at < :oldest LIMIT ${ROWS_PER_DELETE})
    RETURNING 1 AS gone`,
);

@Injectable()
export class IdempotencyExpiry {
  constructor(
    readonly database: Database,
    readonly unitOfWork: UnitOfWork,
    private readonly clock: DatabaseClock,
    private readonly settings: Settings,
  ) {}

  @Job({ id: 'idempotency.expire', summary: 'Deletes remembered answers that are older than IDEMPOTENCY_RETENTION.', everyMs: 10 * 60_000 })
  async expire(): Promise<void> {
    const oldest = new Date(this.clock.now().getTime() - this.settings.idempotencyRetentionMs).toISOString();
    while ((await oneAtATime(this, ...EXPIRE.bind({ oldest }))).length === ROWS_PER_DELETE);
  }
}
