import type { Clock } from '../../kernel/time.js';
import type { Tenant } from '../../kernel/context.js';
import type { Database, Statement } from '../database/database.js';
import { newId } from '../../kernel/ids.js';
import type { Unit } from '../database/unit-of-work.js';

/** How long a worker holds a row without renewing its lease. After that the worker counts as lost and another takes the row. */
const LEASE_MS = 30_000;
const RENEW_EVERY_MS = 10_000;

/** A row that a worker has taken. */
export interface LeasedItem extends Tenant {
  readonly id: string;
  readonly lease: string;
  /** Whether an earlier worker has begun with the row. */
  readonly isBegun: boolean;
  /** How many workers took the row before and were lost. */
  readonly lostWorkers: number;
}

/**
 * Rows of a table that wait for a worker. A row is `queued` until a worker takes it and `running` while the worker holds it.
 * Organizations take turns, so a thousand rows of one do not delay the first row of another.
 */
export class LeaseQueue {
  private readonly lockStatement: Statement;
  private readonly takeStatement: Statement;
  private readonly renewStatement: Statement;
  private readonly holdStatement: Statement;
  private readonly handBackStatement: Statement;

  /** `statusColumn` is the column with the values `queued` and `running`. */
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    readonly table: string,
    statusColumn: string,
  ) {
    this.lockStatement = { name: `${table}.queue_up`, text: `SELECT pg_advisory_xact_lock(hashtext('${table}'))` };
    this.takeStatement = { name: `${table}.take`, text: takeSql(table, statusColumn) };
    const held = `id = $1 AND lease = $2 AND ${statusColumn} = 'running' AND ${isKept(table)}`;
    this.renewStatement = { name: `${table}.renew`, text: `UPDATE ${table} SET leased_until = $3 WHERE ${held} RETURNING true AS held` };
    this.handBackStatement = {
      name: `${table}.hand_back`,
      text: `UPDATE ${table} SET lease = NULL, leased_until = $3 WHERE ${held}`,
    };
    this.holdStatement = { name: `${table}.hold`, text: `SELECT true AS held FROM ${table} WHERE ${held} FOR UPDATE` };
  }

  /** Takes the next row, if there is one, and sets it to `running`. Rows of lost workers come first. */
  async take(unit: Unit): Promise<LeasedItem | undefined> {
    const now = this.clock.now();
    // Under a lock: whose turn it is depends on what the other workers have taken.
    const [, [item]] = await Promise.all([
      this.database.rows(this.lockStatement, [], unit),
      this.database.rows<LeasedItem>(this.takeStatement, [now.toISOString(), newId(), leaseEnd(now)], unit),
    ]);
    return item;
  }

  /** Whether this worker still holds the row. If so, the row is locked until the transaction ends. */
  async holdsLease({ id, lease }: LeasedItem, unit: Unit): Promise<boolean> {
    return (await this.database.rows(this.holdStatement, [id, lease], unit)).length > 0;
  }

  /** Throws `LeaseLost` unless this worker still holds the row. To be called in a transaction before it writes an outcome. */
  async confirmLease(item: LeasedItem, unit: Unit): Promise<void> {
    if (!(await this.holdsLease(item, unit))) throw new LeaseLost();
  }

  /** Lets another worker take the row at once. This worker does not count as lost. */
  async handBack({ id, lease }: LeasedItem): Promise<void> {
    await this.database.rows(this.handBackStatement, [id, lease, this.clock.now().toISOString()]);
  }

  /** Renews the lease while the task runs. Its signal aborts when the lease is lost, and when the process stops. */
  async whileLeased(item: LeasedItem, task: (signal: AbortSignal) => Promise<void>, stopping: AbortSignal): Promise<void> {
    const end = new AbortController();
    const timer = setInterval(() => void this.renew(item).then((held) => held || end.abort(new LeaseLost())), RENEW_EVERY_MS);
    const stop = (): void => end.abort(stopping.reason);
    stopping.addEventListener('abort', stop);
    if (stopping.aborted) stop();
    try {
      await task(end.signal);
    } finally {
      clearInterval(timer);
      stopping.removeEventListener('abort', stop);
    }
  }

  private async renew({ id, lease }: LeasedItem): Promise<boolean> {
    // While the database is unavailable, no other worker can take the row either.
    return this.database.rows(this.renewStatement, [id, lease, leaseEnd(this.clock.now())]).then(
      (rows) => rows.length > 0,
      () => true,
    );
  }
}

/** The worker no longer holds the row: it was cancelled, or another worker took it. */
export class LeaseLost extends Error {}

/** No worker begins or finishes anything for an organization that is being erased. */
const isKept = (row: string): string =>
  `NOT EXISTS (SELECT 1 FROM organization_erasures erasure WHERE erasure.organization_id = ${row}.organization_id)`;

const leaseEnd = (now: Date): string => new Date(now.getTime() + LEASE_MS).toISOString();

/**
 * Takes the row of a worker that was lost or has handed it back, else the oldest queued row of the organization whose turn it is:
 * the one with the fewest running rows, then the one that was served longest ago. The recursive query steps through the index from
 * organization to organization, so its cost does not depend on how many rows each of them has queued.
 */
function takeSql(table: string, status: string): string {
  const waiting = `SELECT organization_id FROM ${table} WHERE ${status} = 'queued'`;
  const ownRows = `FROM ${table} own WHERE own.organization_id = waiting.organization_id`;
  return `WITH RECURSIVE lost AS (
      SELECT id FROM ${table} WHERE ${status} = 'running' AND leased_until < $1 AND ${isKept(table)}
      ORDER BY leased_until LIMIT 1 FOR UPDATE SKIP LOCKED
    ), waiting AS (
      (${waiting} ORDER BY organization_id LIMIT 1)
      UNION ALL
      SELECT (${waiting} AND organization_id > previous.organization_id ORDER BY organization_id LIMIT 1)
      FROM waiting previous WHERE previous.organization_id IS NOT NULL
    ), turn AS (
      SELECT organization_id FROM waiting WHERE organization_id IS NOT NULL AND ${isKept('waiting')}
      ORDER BY (SELECT count(*) ${ownRows} AND own.${status} = 'running'), (SELECT max(taken_at) ${ownRows}) NULLS FIRST LIMIT 1
    ), first AS (
      SELECT id FROM ${table} WHERE ${status} = 'queued' AND organization_id = (SELECT organization_id FROM turn)
      ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
    ), next AS (SELECT id, true AS is_begun FROM lost UNION ALL SELECT id, false FROM first LIMIT 1)
    UPDATE ${table} SET lost_workers = lost_workers + (is_begun AND lease IS NOT NULL)::int, ${status} = 'running', lease = $2,
      leased_until = $3, taken_at = $1, updated_at = greatest($1, ${table}.updated_at + interval '1 ms')
    FROM next WHERE ${table}.id = next.id
    RETURNING ${table}.id, ${table}.organization_id AS "organizationId", ${table}.environment, ${table}.lease,
      ${table}.lost_workers AS "lostWorkers", next.is_begun AS "isBegun"`;
}
