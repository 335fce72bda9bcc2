import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { type Actor, type ChangeContext, changeContext, type Tenant } from '../../kernel/context.js';
import { FairShare } from '../../kernel/fair-share.js';
import { type AnyStatus, requireOpen } from '../../kernel/organization-status.js';
import { DEFAULT_TIERS } from '../../kernel/plans.js';
import { unavailable } from '../../kernel/problems.js';
import { Settings } from '../../kernel/settings/settings.js';
import type { Trace } from '../../kernel/trace.js';
import { sendTogether } from './borrowed.js';
import { CONNECTION_TIMEOUT_MS } from './connection-options.js';
import { codeOf, Database, isLockTimeout, prepared, readError, reported } from './database.js';
import { parameters } from './prepared-statements.js';
import { SHARED_CONNECTIONS } from './shared-connections.js';
import { entityColumns } from './sql.js';

/** An open transaction, and what it writes at its end. */
export interface Unit {
  readonly client: pg.PoolClient;
  /** Collected while the work runs: events, audit rows, the remembered answer. */
  readonly lastWrites: LastWrite[];
  /** Called after the commit: wake-ups. Any earlier, and a worker would find nothing yet. */
  readonly afterCommit: (() => void)[];
  /** Statements that were sent, and whose answers only the end of the transaction waits for. */
  readonly unanswered: Promise<unknown>[];
  /** Whether inserts and updates are among them. What they are refused for is then told at the end, not where the work could explain it. */
  isHasty?: boolean;
  readonly trace?: Trace | undefined;
}

/** A context inside a transaction. Writes ask for one, so a write outside a transaction does not compile. */
export type InTransaction<C extends ChangeContext> = C & { readonly unit: Unit };

/** What a read asks for: whose rows, and the open transaction if there is one. */
export type ReadContext = Tenant & { readonly unit?: Unit; readonly trace?: Trace | undefined };

/** What the caller expects of the record that it changes. Checked under the lock of the record: from then on no other call changes it. */
export interface Expectation {
  readonly recordId: string;
  readonly check: (row: { readonly updatedAt: string }) => void;
}

/** What a write asks for. */
export type WriteContext = InTransaction<ChangeContext & Tenant> & { readonly expectation?: Expectation | undefined };

/** The locked row, if it is what the caller expects. */
export function asExpected<Row extends { id: string; updatedAt: string }>(
  { expectation }: Pick<WriteContext, 'expectation'>,
  row: Row | undefined,
): Row | undefined {
  if (row && expectation?.recordId === row.id) expectation.check(row);
  return row;
}

/** How many requests of an organization may wait for a transaction. As many as the largest plan may send at once. */
const MAX_WAITING = DEFAULT_TIERS.enterprise!.burst;

/**
 * Fails if the organization moves or has moved: the COMMIT behind it, which may have left already, is a rollback then. And what is written
 * in a test environment is written before a reset of it or after, not half of it.
 */
const KEY = "hashtextextended('reset ' || ($1::uuid)::text, 0)";
const REQUIRE_STAYS = prepared({
  name: 'organizations.stays',
  text: `SELECT require_organization_stays(CASE WHEN $2::boolean THEN $1::uuid END),
      CASE $3::text WHEN 'shared' THEN pg_advisory_xact_lock_shared(${KEY}) WHEN 'alone' THEN pg_advisory_xact_lock(${KEY}) END`,
});
const MOVES = 'CL001';

/**
 * The transaction of a change. Events, audit rows and the remembered answer are collected while the work runs and written
 * by one statement at its end, which travels together with the COMMIT.
 */
@Injectable()
export class UnitOfWork {
  /** The connections for transactions. While one organization has its share, there is one for the others, who take turns. */
  private readonly connections: FairShare;

  constructor(
    private readonly database: Database,
    { databasePoolSize }: Settings,
  ) {
    const capacity = databasePoolSize - SHARED_CONNECTIONS;
    this.connections = new FairShare({
      what: 'Transactions',
      capacity,
      // All but one: commits share the flush to disk, so an organization alone writes faster; if it hangs, the others still have one.
      share: Math.max(1, capacity - 1),
      maxWaiting: MAX_WAITING,
      maxWaitMs: CONNECTION_TIMEOUT_MS,
    });
  }

  /** Runs the work in a transaction of the organization. Calls of an organization that has its share wait for one another. */
  async run<C extends ChangeContext, T>(ctx: C, work: (ctx: InTransaction<C>) => Promise<T>): Promise<T> {
    const { organizationId, requestId } = ctx;
    // Only a request can be sent again.
    const giveBack = await (requestId === null ? this.connections.takePatiently(organizationId) : this.connections.take(organizationId));
    try {
      const inUnit = (unit: Unit): Promise<T> => {
        if (!ctx.isMove || ctx.environment === 'test') this.requireStays(ctx, unit);
        return work({ ...ctx, unit });
      };
      return await (ctx.trace ? ctx.trace.step('transaction', (trace) => this.transact(inUnit, trace), {}) : this.transact(inUnit));
    } finally {
      giveBack();
    }
  }

  /** The same for what no API call changes within a tenant, and no event tells of. */
  runAs<T>(actor: Actor, { organizationId, environment }: Tenant, work: (ctx: WriteContext) => Promise<T>): Promise<T> {
    return this.run({ ...changeContext(organizationId, actor, environment), environment }, work);
  }

  /** Asked in each transaction, with its first statement: the call may have been let in before its organization began to move. */
  private requireStays({ organizationId, environment, isMove, isReset }: ChangeContext, unit: Unit): void {
    const lock = environment === 'test' ? (isReset ? 'alone' : 'shared') : null;
    const moved = (error: unknown): void => {
      if (codeOf(error) === MOVES) requireOpen((reported(error) as Error).message as AnyStatus);
      throw error;
    };
    send(unit, this.database.rows(REQUIRE_STAYS, [organizationId, !isMove, lock], unit).catch(moved));
  }

  /** A transaction without a context: for the service's own housekeeping. */
  async transact<T>(work: (unit: Unit) => Promise<T>, trace?: Trace): Promise<T> {
    const unit: Unit = { client: await this.database.connect(), lastWrites: [], afterCommit: [], unanswered: [], trace };
    try {
      sendTogether(unit.client);
      // Not awaited: it leaves together with the first statement of the work, and fails with it.
      unit.client.query(this.database.begin).catch(() => undefined);
      const result = await work(unit);
      await this.commit(unit);
      unit.client.release();
      return result;
    } catch (error) {
      // What failed first is why what was sent behind it failed.
      const first = failureOf(await Promise.allSettled(unit.unanswered));
      await rollBack(unit.client);
      const cause: unknown = first ? first.reason : error;
      // Another change of the record takes too long for this one to wait. The caller may repeat it later.
      throw isLockTimeout(cause) ? unavailable('Another change of the same record is still running.', cause) : cause;
    }
  }

  private async commit(unit: Unit): Promise<void> {
    const flush = lastStatement(unit.lastWrites);
    // What cannot be sent fails here: the COMMIT behind it would be sent all the same.
    const values = parameters(flush?.values ?? []);
    sendTogether(unit.client);
    const flushed = flush ? this.database.rowsOn(unit.client, flush, values) : Promise.resolve([]);
    const committed = unit.client.query('COMMIT');
    // All are sent. If one fails, the server answers the COMMIT with a rollback.
    const answered = () => this.database.answered(() => Promise.allSettled([...unit.unanswered, flushed, committed] as const));
    const outcomes = await (unit.trace ? unit.trace.step('COMMIT', answered) : answered());
    const failure = failureOf(outcomes);
    if (failure) throw readError(failure.reason);
    const [first, second] = outcomes.slice(-2) as [PromiseFulfilledResult<object[]>, PromiseFulfilledResult<pg.QueryResult>];
    // A transaction in which a statement failed can only be rolled back, and the server says so without an error.
    if (second.value.command === 'ROLLBACK') throw new Error('A statement of the transaction failed, but the work continued.');
    for (const { onReturned } of unit.lastWrites) onReturned?.(first.value);
    for (const next of unit.afterCommit) next();
  }
}

/** Notes a statement that was sent. What cannot be sent must fail before: the COMMIT would be sent all the same. */
export function send(unit: Unit, answer: Promise<unknown>): void {
  unit.unanswered.push(answer);
  answer.catch(() => undefined);
}

const failureOf = (outcomes: readonly PromiseSettledResult<unknown>[]): PromiseRejectedResult | undefined =>
  outcomes.find((outcome) => outcome.status === 'rejected');

/** A connection whose rollback fails is closed; the server then rolls back by itself. */
async function rollBack(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('ROLLBACK');
    client.release();
  } catch (error) {
    client.release(error as Error);
  }
}

/** Adds a value to the statement's parameters; returns what stands for it in the SQL, such as `$3`. */
export type Bind = (value: unknown) => string;

/** Something that a transaction writes at its end. */
export interface LastWrite {
  /** The same for writes whose SQL is the same. */
  readonly name: string;
  readonly sql: (bind: Bind) => string;
  /** For an insertion: the values alone, so that rows of one table are written by one INSERT, in their order. */
  readonly row?: (bind: Bind) => string;
  /** Called after the commit with the rows that the statement returned. At most one write of a transaction may have it. */
  readonly onReturned?: (rows: object[]) => void;
}

/** Statements with more writes are rare, and not worth keeping prepared. */
const MAX_PREPARED_WRITES = 6;
/** Postgres cuts off longer names. */
const MAX_NAME_LENGTH = 63;

/** The insertion of a row, as one of a transaction's last writes. */
export function insertion<Row extends object>(entity: new () => Row, row: Row): LastWrite {
  const { tableName, written, insertInto } = entityColumns(entity);
  const values = (bind: Bind): string => `(${written.map(({ property, write }) => bind(write(row[property as keyof Row]))).join(', ')})`;
  return { name: tableName, sql: (bind) => `${insertInto} ${values(bind)}`, row: values };
}

interface LastStatement {
  /** If it is worth keeping prepared. */
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

export function lastStatement(writes: readonly LastWrite[]): LastStatement | undefined {
  if (writes.length === 0) return undefined;
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  // A statement with WITH returns the rows of its last part.
  const groups = groupByTable(writes).sort((a, b) => Number(a[0]!.onReturned !== undefined) - Number(b[0]!.onReturned !== undefined));
  const parts = groups.map(([first, ...more]) => [first!.sql(bind), ...more.map((write) => write.row!(bind))].join(', '));
  const last = parts.pop()!;
  const before = parts.map((part, index) => `write${index} AS (${part})`).join(', ');
  const name = `last:${groups.map((group) => `${group[0]!.name}${group.length > 1 ? `*${group.length}` : ''}`).join(',')}`;
  const isPrepared = writes.length <= MAX_PREPARED_WRITES && name.length <= MAX_NAME_LENGTH;
  return { text: before === '' ? last : `WITH ${before} ${last}`, values, ...(isPrepared && { name }) };
}

/** Postgres runs the parts of a WITH in an order of its own, but inserts the rows of one INSERT one after the other. */
function groupByTable(writes: readonly LastWrite[]): LastWrite[][] {
  const groups: LastWrite[][] = [];
  for (const write of writes) {
    const sameTable = write.row && groups.find(([first]) => first!.row && first!.name === write.name);
    if (sameTable) sameTable.push(write);
    else groups.push([write]);
  }
  return groups;
}
