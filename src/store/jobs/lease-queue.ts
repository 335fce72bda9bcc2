import type { Tenant } from '../../kernel/context.js';
import { newId } from '../../kernel/ids.js';
import type { Clock } from '../../kernel/time.js';
import { IntegerColumn, TenantRow, TimestampColumn, UuidColumn } from '../database/columns.js';
import { type Database, prepared, type Sql } from '../database/database.js';
import { changedAtSql } from '../database/sql.js';
import type { Unit } from '../database/unit-of-work.js';
import { COUNTED_ROWS, type Waiting } from '../metrics/gauges.js';
import { NotExported } from '../tenant/organization-tables.js';
import { acrossTenants, ORGANIZATION, organizationSql, isStayingSql } from '../tenant/tenant-sql.js';

/** How long a worker holds a row without renewing its lease. After that the worker counts as lost and another takes the row. */
const LEASE_MS = 30_000;
const RENEW_EVERY_MS = 10_000;
/** How many rows of lost workers are tried, since others may have locked them, before the queued ones. */
const LOST_AT_ONCE = 10;

export interface LeasedItem extends Tenant {
  readonly id: string;
  readonly lease: string;
  /** Whether an earlier worker has begun with the row. */
  readonly isBegun: boolean;
  /** How many workers took the row before and were lost. */
  readonly lostWorkers: number;
}

type Taken = Omit<LeasedItem, 'isBegun'>;

/** A row is `queued` until a worker takes it, then `running`. Organizations take turns: a thousand rows of one delay nobody else's. */
export class LeaseQueue {
  private readonly lock: Sql;
  private readonly sql: ReturnType<typeof statementsOf>;

  constructor(
    private readonly database: Database,
    /** The same for all workers. */
    private readonly clock: Pick<Clock, 'now'>,
    readonly table: string,
    /** The column with the values `queued` and `running`. */
    statusColumn: string,
    /** A condition for the rows of organizations that workers work for. */
    isKept: (row: string) => string,
  ) {
    this.lock = prepared({ name: `${table}.queue_up`, text: `SELECT pg_advisory_xact_lock(hashtext('${table}'))` });
    this.sql = statementsOf(table, statusColumn, isKept);
  }

  async waiting(): Promise<Waiting> {
    return (await this.database.rows<Waiting>(...this.sql.waiting.bind()))[0]!;
  }

  /** Whether there is anything to take, or being worked on: what a worker asks while nothing happens. */
  async hasRows(): Promise<boolean> {
    return (await this.database.shortRead<{ has: boolean }>(...this.sql.any.bind()))[0]!.has;
  }

  /** Takes the next row, if there is one, and sets it to `running`: of any organization but some. Rows of lost workers come first. */
  async take(unit: Unit, except: readonly string[] = []): Promise<LeasedItem | undefined> {
    const now = this.clock.now();
    // Under a lock: whose turn it is depends on what the other workers have taken.
    const [, lost, [turn]] = await Promise.all([
      this.database.rows(this.lock, [], unit),
      this.database.rows<Pick<LeasedItem, 'id' | 'organizationId'>>(...this.sql.lost.bind({ now: now.toISOString(), except }), unit),
      this.database.rows<Pick<LeasedItem, 'organizationId'>>(...this.sql.turn.bind({ except }), unit),
    ]);
    const taken = () => ({ now: now.toISOString(), lease: newId(), until: leaseEnd(now) });
    for (const { id, organizationId } of lost) {
      const [item] = await this.database.rows<Taken>(...this.sql.takeLost.bind({ organizationId }, { ...taken(), id }), unit);
      if (item) return { ...item, isBegun: true };
    }
    if (!turn) return undefined;
    const [item] = await this.database.rows<Taken>(...this.sql.takeQueued.bind(turn, taken()), unit);
    return item && { ...item, isBegun: false };
  }

  /** Whether this worker still holds the row. If so, the row is locked until the transaction ends. */
  async holdsLease(item: LeasedItem, unit: Unit): Promise<boolean> {
    return (await this.database.rows(...this.sql.hold.bind(item, heldOf(item)), unit)).length > 0;
  }

  /** Throws `LeaseLost` unless this worker still holds the row. To be called in a transaction before it writes an outcome. */
  async confirmLease(item: LeasedItem, unit: Unit): Promise<void> {
    if (!(await this.holdsLease(item, unit))) throw new LeaseLost();
  }

  /** Lets another worker take the row, at once or later. This worker does not count as lost. */
  async handBack(item: LeasedItem, afterMs = 0): Promise<void> {
    const from = new Date(this.clock.now().getTime() + afterMs).toISOString();
    await this.database.rows(...this.sql.handBack.bind(item, { ...heldOf(item), from }));
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

  private async renew(item: LeasedItem): Promise<boolean> {
    // While the database is unavailable, no other worker can take the row either.
    return this.database.rows(...this.sql.renew.bind(item, { ...heldOf(item), until: leaseEnd(this.clock.now()) })).then(
      (rows) => rows.length > 0,
      () => true,
    );
  }
}

/** The worker no longer holds the row: it was cancelled, or another worker took it. */
export class LeaseLost extends Error {}

const leaseEnd = (now: Date): string => new Date(now.getTime() + LEASE_MS).toISOString();
const heldOf = ({ id, lease }: LeasedItem) => ({ id, lease });

function statementsOf(table: string, status: string, isKept: (row: string) => string) {
  const held: string = `id = :id AND ${ORGANIZATION} AND lease = :lease AND ${status} = 'running' AND ${isKept(table)}`;
  // What a worker has begun it ends, also if the organization is about to move.
  const isTaken: string = `${isKept(table)} AND ${isStayingSql(table)}`;
  return {
    waiting: acrossTenants(
      `${table}.waiting`,
      'An operator is told how many rows of all tenants wait.',
      `SELECT count(*)::int AS length, min(created_at) AS since
        FROM (SELECT created_at FROM ${table} WHERE ${status} = 'queued' AND ${isTaken} ORDER BY id LIMIT ${COUNTED_ROWS}) first`,
    ),
    any: acrossTenants(
      `${table}.any`,
      'A worker asks whether there is anything to do.',
      `SELECT EXISTS (SELECT FROM ${table} WHERE ${status} = 'pending')
        OR EXISTS (SELECT FROM ${table} WHERE ${status} IN ('queued', 'running')) AS has`,
    ),
    /** The rows of lost workers, whose lease ended first. */
    lost: acrossTenants(
      `${table}.lost`,
      'A worker finds the rows of lost workers.',
      `SELECT id, organization_id AS "organizationId" FROM ${table} WHERE ${status} = 'running' AND leased_until < :now
        AND organization_id <> ALL (:except::uuid[]) AND ${isTaken} ORDER BY leased_until LIMIT ${LOST_AT_ONCE}`,
    ),
    /** The organization whose turn it is: the one with the fewest running rows, then the one that was served longest ago. */
    turn: acrossTenants(
      `${table}.turn`,
      'A worker finds the organization whose turn it is.',
      `SELECT organization_id AS "organizationId",
          (SELECT max(taken_at) FROM ${table} own WHERE own.organization_id = waiting.organization_id) AS served
        FROM (
          SELECT organization_id, count(*) FILTER (WHERE ${status} = 'running') AS running FROM ${table}
          WHERE ${status} IN ('queued', 'running') AND organization_id <> ALL (:except::uuid[]) AND ${isTaken}
          GROUP BY organization_id HAVING count(*) FILTER (WHERE ${status} = 'queued') > 0
        ) waiting ORDER BY running, served NULLS FIRST LIMIT 1`,
    ),
    takeLost: takeSql(`${table}.take_lost`, table, status, `next.id = :id AND next.${status} = 'running' AND next.leased_until < :now`),
    takeQueued: takeSql(`${table}.take_queued`, table, status, `next.${status} = 'queued'`),
    renew: organizationSql(`${table}.renew`, `UPDATE ${table} SET leased_until = :until WHERE ${held} RETURNING true AS held`),
    handBack: organizationSql(`${table}.hand_back`, `UPDATE ${table} SET lease = NULL, leased_until = :from WHERE ${held}`),
    hold: organizationSql(`${table}.hold`, `SELECT true AS held FROM ${table} WHERE ${held} FOR UPDATE`),
  };
}

/** The oldest that no other transaction has locked. Which it may be was read of all organizations; it is found again by its own. */
function takeSql(name: string, table: string, status: string, condition: string) {
  const text: string = `UPDATE ${table} SET lost_workers = lost_workers + (${status} = 'running' AND lease IS NOT NULL)::int,
      ${status} = 'running', lease = :lease, leased_until = :until, taken_at = :now, updated_at = ${changedAtSql(':now')}
    WHERE ${ORGANIZATION} AND id = (
      SELECT id FROM ${table} next WHERE next.organization_id = :organizationId AND ${condition} ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, organization_id AS "organizationId", environment, lease, lost_workers AS "lostWorkers"`;
  return organizationSql(name, text);
}

/** A record that workers lease: the columns that every table with a `LeaseQueue` has. */
export abstract class LeasedRow extends TenantRow {
  /** Changes with every worker that takes the row. An outcome counts only while this is the worker's own. */
  @NotExported() @UuidColumn({ nullable: true, select: false }) lease?: string | null;
  /** When another worker may take the row, unless the lease is renewed. */
  @TimestampColumn({ nullable: true, select: false }) leasedUntil?: string | null;
  /** When a worker last took the row. Decides whose turn it is. */
  @TimestampColumn({ nullable: true, select: false }) takenAt?: string | null;
  @IntegerColumn({ select: false }) lostWorkers?: number;
}
