import type { Clock } from '../../kernel/clock.js';
import type { Tenant } from '../../kernel/context.js';
import type { Database, Statement } from '../database/database.js';
import { newId } from '../../kernel/ids.js';
import type { Unit } from '../database/transaction.js';

/** A worker that was not heard of for so long is lost, and another one takes over. */
const LEASE_MS = 30_000;
const RENEWED_EVERY_MS = 10_000;
/** What has lost so many workers is not tried again: most likely it was what they died of. */
export const LOST_AT_MOST = 3;

/** Something that a worker has in its hands. */
export interface Taken extends Tenant {
  readonly id: string;
  readonly lease: string;
  /** How many workers had it before and were lost. */
  readonly lostWorkers: number;
}

/**
 * Rows that wait for a worker: `queued` until one takes them, `running` while it has them. The organizations take turns: one
 * that has a thousand of them waiting holds up nobody's first.
 */
export class WorkQueue {
  private readonly oneAtATime: Statement;
  private readonly takeStatement: Statement;
  private readonly renewStatement: Statement;
  private readonly holdStatement: Statement;

  /** `status` is the column that says where a row stands. */
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    table: string,
    status: string,
  ) {
    this.oneAtATime = { name: `${table}.queue_up`, text: `SELECT pg_advisory_xact_lock(hashtext('${table}'))` };
    this.takeStatement = { name: `${table}.take`, text: takeSql(table, status) };
    const held = `id = $1 AND lease = $2 AND ${status} = 'running'`;
    this.renewStatement = { name: `${table}.renew`, text: `UPDATE ${table} SET leased_until = $3 WHERE ${held} RETURNING true AS held` };
    this.holdStatement = { name: `${table}.hold`, text: `SELECT true AS held FROM ${table} WHERE ${held} FOR UPDATE` };
  }

  /** The next one, if there is one: first what a lost worker left, then by turns. It is `running` from here on. */
  async take(unit: Unit): Promise<Taken | undefined> {
    const now = this.clock.now();
    // Whose turn it is can be told only when nobody else is taking.
    const [, [taken]] = await Promise.all([
      this.database.rows(this.oneAtATime, [], unit),
      this.database.rows<Taken>(this.takeStatement, [now.toISOString(), newId(), leaseEnd(now)], unit),
    ]);
    return taken;
  }

  /** Whether it is still this worker's, and nobody else's until the transaction ends. To be asked before anything is said of it. */
  async holds({ id, lease }: Taken, unit: Unit): Promise<boolean> {
    return (await this.database.rows(this.holdStatement, [id, lease], unit)).length > 0;
  }

  /** Keeps it while the work lasts. The signal tells when it is no longer this worker's: cancelled, or given to another. */
  async keep(taken: Taken, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const lost = new AbortController();
    const timer = setInterval(() => void this.renew(taken).then((held) => held || lost.abort(new NoLongerHeld())), RENEWED_EVERY_MS);
    try {
      await work(lost.signal);
    } finally {
      clearInterval(timer);
    }
  }

  private async renew({ id, lease }: Taken): Promise<boolean> {
    // While the database is away nobody else can take it either.
    return this.database.rows(this.renewStatement, [id, lease, leaseEnd(this.clock.now())]).then(
      (rows) => rows.length > 0,
      () => true,
    );
  }
}

/** The work goes on elsewhere, or is not wanted any more. */
export class NoLongerHeld extends Error {}

const leaseEnd = (now: Date): string => new Date(now.getTime() + LEASE_MS).toISOString();

/** The organizations that wait are found one after the other in the index, however many rows each of them has there. */
function takeSql(table: string, status: string): string {
  const waiting = `SELECT organization_id FROM ${table} WHERE ${status} = 'queued'`;
  return `WITH RECURSIVE lost AS (
      SELECT id FROM ${table} WHERE ${status} = 'running' AND leased_until < $1 ORDER BY leased_until LIMIT 1 FOR UPDATE SKIP LOCKED
    ), waiting AS (
      (${waiting} ORDER BY organization_id LIMIT 1)
      UNION ALL
      SELECT (${waiting} AND organization_id > previous.organization_id ORDER BY organization_id LIMIT 1) FROM waiting previous WHERE previous.organization_id IS NOT NULL
    ), turn AS (
      SELECT organization_id FROM waiting WHERE organization_id IS NOT NULL
      ORDER BY (SELECT count(*) FROM ${table} own WHERE own.${status} = 'running' AND own.organization_id = waiting.organization_id),
        (SELECT max(taken_at) FROM ${table} own WHERE own.organization_id = waiting.organization_id) NULLS FIRST LIMIT 1
    ), first AS (
      SELECT id FROM ${table} WHERE ${status} = 'queued' AND organization_id = (SELECT organization_id FROM turn) ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
    ), next AS (SELECT id FROM lost UNION ALL SELECT id FROM first LIMIT 1)
    UPDATE ${table} SET lost_workers = lost_workers + (${status} = 'running')::int, ${status} = 'running', lease = $2, leased_until = $3, taken_at = $1, updated_at = $1
    FROM next WHERE ${table}.id = next.id
    RETURNING ${table}.id, ${table}.organization_id AS "organizationId", ${table}.environment, ${table}.lease, ${table}.lost_workers AS "lostWorkers"`;
}
