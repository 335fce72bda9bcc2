import type { Tenant } from '../../kernel/context.js';
import { newId } from '../../kernel/ids.js';
import type { Clock } from '../../kernel/time.js';
import { IntegerColumn, TenantRow, TimestampColumn, UuidColumn } from '../database/columns.js';
import type { Database, Sql } from '../database/database.js';
import { changedAtSql } from '../database/sql.js';
import type { Unit } from '../database/unit-of-work.js';
import { COUNTED_ROWS, type Waiting } from '../metrics/gauges.js';
import { NotExported } from '../tenant/organization-tables.js';

/** How long a worker holds a row without renewing its lease. After that the worker counts as lost and another takes the row. */
const LEASE_MS = 30_000;
const RENEW_EVERY_MS = 10_000;
/** How many rows of lost workers are tried, since others may have locked them, before the queued ones. */
const LOST_AT_ONCE = 10;

/** A row that a worker has taken. */
export interface LeasedItem extends Tenant {
  readonly id: string;
  readonly lease: string;
  /** Whether an earlier worker has begun with the row. */
  readonly isBegun: boolean;
  /** How many workers took the row before and were lost. */
  readonly lostWorkers: number;
}

type Taken = Omit<LeasedItem, 'isBegun'>;

/**
 * Rows of a table that wait for a worker. A row is `queued` until a worker takes it and `running` while the worker holds it.
 * Organizations take turns, so a thousand rows of one do not delay the first row of another.
 */
export class LeaseQueue {
  private readonly lockSql: Sql;
  private readonly lostSql: Sql;
  private readonly turnSql: Sql;
  private readonly takeLostSql: Sql;
  private readonly takeQueuedSql: Sql;
  private readonly renewSql: Sql;
  private readonly holdSql: Sql;
  private readonly handBackStatement: Sql;
  private readonly waitingStatement: Sql;

  /** `statusColumn` is the column with the values `queued` and `running`. */
  constructor(
    private readonly database: Database,
    /** The same for all workers. */
    private readonly clock: Pick<Clock, 'now'>,
    readonly table: string,
    statusColumn: string,
  ) {
    this.lockSql = { name: `${table}.queue_up`, text: `SELECT pg_advisory_xact_lock(hashtext('${table}'))` };
    this.lostSql = { name: `${table}.lost`, text: lostSql(table, statusColumn) };
    this.turnSql = { name: `${table}.turn`, text: turnSql(table, statusColumn) };
    const isLost = `next.id = $5 AND next.${statusColumn} = 'running' AND next.leased_until < $1`;
    this.takeLostSql = { name: `${table}.take_lost`, text: takeSql(table, statusColumn, isLost) };
    this.takeQueuedSql = { name: `${table}.take_queued`, text: takeSql(table, statusColumn, `next.${statusColumn} = 'queued'`) };
    const held = `id = $1 AND organization_id = $3 AND lease = $2 AND ${statusColumn} = 'running' AND ${isKept(table)}`;
    this.renewSql = { name: `${table}.renew`, text: `UPDATE ${table} SET leased_until = $4 WHERE ${held} RETURNING true AS held` };
    this.handBackStatement = {
      name: `${table}.hand_back`,
      text: `UPDATE ${table} SET lease = NULL, leased_until = $4 WHERE ${held}`,
    };
    this.waitingStatement = { name: `${table}.waiting`, text: waitingSql(table, statusColumn) };
    this.holdSql = { name: `${table}.hold`, text: `SELECT true AS held FROM ${table} WHERE ${held} FOR UPDATE` };
  }

  /** The rows that no worker has taken yet. */
  async waiting(): Promise<Waiting> {
    return (await this.database.rows<Waiting>(this.waitingStatement, []))[0]!;
  }

  /** Takes the next row, if there is one, and sets it to `running`: of any organization but some. Rows of lost workers come first. */
  async take(unit: Unit, except: readonly string[] = []): Promise<LeasedItem | undefined> {
    const now = this.clock.now();
    // Under a lock: whose turn it is depends on what the other workers have taken.
    const [, lost, [turn]] = await Promise.all([
      this.database.rows(this.lockSql, [], unit),
      this.database.rows<Pick<LeasedItem, 'id' | 'organizationId'>>(this.lostSql, [now.toISOString(), except], unit),
      this.database.rows<Pick<LeasedItem, 'organizationId'>>(this.turnSql, [except], unit),
    ]);
    const params = (organizationId: string): unknown[] => [now.toISOString(), newId(), leaseEnd(now), organizationId];
    for (const { id, organizationId } of lost) {
      const [item] = await this.database.rows<Taken>(this.takeLostSql, [...params(organizationId), id], unit);
      if (item) return { ...item, isBegun: true };
    }
    if (!turn) return undefined;
    const [item] = await this.database.rows<Taken>(this.takeQueuedSql, params(turn.organizationId), unit);
    return item && { ...item, isBegun: false };
  }

  /** Whether this worker still holds the row. If so, the row is locked until the transaction ends. */
  async holdsLease({ id, organizationId, lease }: LeasedItem, unit: Unit): Promise<boolean> {
    return (await this.database.rows(this.holdSql, [id, lease, organizationId], unit)).length > 0;
  }

  /** Throws `LeaseLost` unless this worker still holds the row. To be called in a transaction before it writes an outcome. */
  async confirmLease(item: LeasedItem, unit: Unit): Promise<void> {
    if (!(await this.holdsLease(item, unit))) throw new LeaseLost();
  }

  /** Lets another worker take the row, at once or later. This worker does not count as lost. */
  async handBack({ id, organizationId, lease }: LeasedItem, afterMs = 0): Promise<void> {
    const from = new Date(this.clock.now().getTime() + afterMs).toISOString();
    await this.database.rows(this.handBackStatement, [id, lease, organizationId, from]);
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

  private async renew({ id, organizationId, lease }: LeasedItem): Promise<boolean> {
    // While the database is unavailable, no other worker can take the row either.
    return this.database.rows(this.renewSql, [id, lease, organizationId, leaseEnd(this.clock.now())]).then(
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

const waitingSql = (table: string, status: string): string =>
  `SELECT count(*)::int AS length, min(created_at) AS since
    FROM (SELECT created_at FROM ${table} WHERE ${status} = 'queued' AND ${isKept(table)} ORDER BY id LIMIT ${COUNTED_ROWS}) first`;

/** The rows of lost workers, whose lease ended first. */
const lostSql = (table: string, status: string): string =>
  `SELECT id, organization_id AS "organizationId" FROM ${table} WHERE ${status} = 'running' AND leased_until < $1
    AND organization_id <> ALL ($2::uuid[]) AND ${isKept(table)} ORDER BY leased_until LIMIT ${LOST_AT_ONCE}`;

/** The organization whose turn it is: the one with the fewest running rows, then the one that was served longest ago. */
const turnSql = (table: string, status: string): string =>
  `SELECT organization_id AS "organizationId",
      (SELECT max(taken_at) FROM ${table} own WHERE own.organization_id = waiting.organization_id) AS served
    FROM (
      SELECT organization_id, count(*) FILTER (WHERE ${status} = 'running') AS running FROM ${table}
      WHERE ${status} IN ('queued', 'running') AND organization_id <> ALL ($1::uuid[]) AND ${isKept(table)}
      GROUP BY organization_id HAVING count(*) FILTER (WHERE ${status} = 'queued') > 0
    ) waiting ORDER BY running, served NULLS FIRST LIMIT 1`;

/**
 * Takes one of the rows of an organization that fulfil a condition, the oldest that no other transaction has locked. Which row it may
 * be was read before, of all organizations; the row itself is found again here, by its organization.
 */
function takeSql(table: string, status: string, condition: string): string {
  return `UPDATE ${table} SET lost_workers = lost_workers + (${status} = 'running' AND lease IS NOT NULL)::int, ${status} = 'running',
      lease = $2, leased_until = $3, taken_at = $1, updated_at = ${changedAtSql('$1')}
    WHERE organization_id = $4 AND id = (
      SELECT id FROM ${table} next WHERE next.organization_id = $4 AND ${condition} ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, organization_id AS "organizationId", environment, lease, lost_workers AS "lostWorkers"`;
}

/** A record that workers lease: the columns that every table with a `LeaseQueue` has. */
export abstract class LeasedRow extends TenantRow {
  /** Changes with every worker that takes the row. An outcome counts only while this is the worker's own. */
  @NotExported() @UuidColumn({ nullable: true, select: false }) lease?: string | null;
  /** When another worker may take the row, unless the lease is renewed. */
  @TimestampColumn({ nullable: true, select: false }) leasedUntil?: string | null;
  /** When a worker last took the row. Decides whose turn it is. */
  @TimestampColumn({ nullable: true, select: false }) takenAt?: string | null;
  /** How many workers took the row and were lost. */
  @IntegerColumn({ select: false }) lostWorkers?: number;
}
