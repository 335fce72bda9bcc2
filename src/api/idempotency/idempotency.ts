import { createHash } from 'node:crypto';
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
  status: number;
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
  /** The work begins only when the key is known to be free, because it does what a rollback may not undo. */
  readonly isClaimedFirst?: boolean;
}

const TABLE = 'idempotency_keys';

type Work<C extends KeyedContext> = (ctx: InTransaction<C>) => Promise<unknown>;

/** Whatever a call is refused for, its key may be another request's, whose answer comes first. Not if the database is away. */
const mayBeTaken = (error: unknown): boolean => !(error instanceof Problem) || error.status < 500;

/** Another transaction is about to write the row of the key. */
const isKeyLocked = (error: unknown): boolean => error instanceof Problem && lockedRelation(error.cause)?.startsWith(TABLE) === true;

/** Two transactions waited for each other, as those of calls with one old key may, and this one was rolled back for the other. */
const isDeadlock = (error: unknown): boolean => error instanceof Problem && codeOf(error.cause) === DEADLOCK;

const BY_KEY = `${TENANT} AND key = :key` as const;

const CLAIM = tenantSql(
  'idempotency_keys.claim',
  // A second request with the key waits here until the transaction of the first has ended.
  `INSERT INTO idempotency_keys (organization_id, environment, key, fingerprint, created_at)
    VALUES (:organizationId, :environment, :key, :fingerprint, :now)
    ON CONFLICT DO NOTHING RETURNING true AS claimed`,
);
const FIND = tenantSql(
  'idempotency_keys.find',
  `SELECT fingerprint, status, answer, sealed_answer AS "sealedAnswer", created_at < :oldest AS "isExpired"
    FROM idempotency_keys WHERE ${BY_KEY}`,
);
const RECLAIM = tenantSql(
  'idempotency_keys.reclaim',
  `UPDATE idempotency_keys SET fingerprint = :fingerprint, created_at = :now, status = NULL, answer = NULL, sealed_answer = NULL
    WHERE ${BY_KEY} AND created_at < :oldest RETURNING true AS claimed`,
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

  /** Runs the work, or returns the answer that the same request got before. Only a success is remembered. */
  async run<C extends KeyedContext>(ctx: C, request: KeyedRequest, work: Work<C>): Promise<Answer> {
    const { key, params, body, isClaimedFirst = false } = request;
    const fingerprint = createHash('sha256')
      .update(`${ctx.operation.id}\n${canonicalJson([params, body])}`)
      .digest();
    const oneAfterTheOther = (): Promise<Answer> =>
      this.unitOfWork.run(ctx, (inner) => this.oneAfterTheOther(inner, key, fingerprint, work));
    if (isClaimedFirst) return oneAfterTheOther();
    // Twice at most: of calls that wait for each other, one always goes on.
    const unless = (isRepeated: (error: unknown) => boolean, error: unknown): Promise<Answer> => {
      if (isRepeated(error)) return oneAfterTheOther();
      throw isKeyLocked(error) ? stillRunning(error) : error;
    };
    return this.unitOfWork
      .run(ctx, (inner) => this.atOnce(inner, key, fingerprint, work))
      .catch((error: unknown) => unless((first) => isDeadlock(first) || mayBeTaken(first), error))
      .catch((error: unknown) => unless(isDeadlock, error));
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
    if (earlier) return { ...earlier, record: JSON.parse(earlier.body) as unknown, replayed: true };
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

  private async claim(ctx: WriteContext, key: string, fingerprint: Buffer): Promise<boolean> {
    const claim = CLAIM.bind(ctx, { key, fingerprint, now: this.clock.timestamp() });
    return (await this.database.rows(...claim, ctx.unit).catch(unlessRunning)).length > 0;
  }

  private async earlierAnswer(ctx: WriteContext, key: string, fingerprint: Buffer): Promise<Pick<Answer, 'status' | 'body'> | undefined> {
    if (await this.claim(ctx, key, fingerprint)) return undefined;
    const now = this.clock.now();
    const oldest = new Date(now.getTime() - this.settings.idempotencyRetentionMs).toISOString();
    const [stored] = await this.database.rows<Stored>(...FIND.bind(ctx, { key, oldest }), ctx.unit);
    if (stored && !stored.isExpired) return this.replay(stored, fingerprint, ownerOf(ctx, key));
    const reclaim = RECLAIM.bind(ctx, { key, fingerprint, now: now.toISOString(), oldest });
    const [reclaimed] = await this.database.rows(...reclaim, ctx.unit).catch(unlessRunning);
    // Nothing to reclaim: another request did so, or the job that expires keys deleted it, between our two statements.
    return reclaimed ? undefined : this.earlierAnswer(ctx, key, fingerprint);
  }

  private replay({ fingerprint, status, answer, sealedAnswer }: Stored, asked: Buffer, owner: string): { status: number; body: string } {
    if (!fingerprint.equals(asked)) {
      throw new Problem('idempotency_conflict', { detail: 'This Idempotency-Key was used for a different request.' });
    }
    return { status, body: answer ?? this.secrets.decrypt(sealedAnswer!, owner) };
  }
}

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
