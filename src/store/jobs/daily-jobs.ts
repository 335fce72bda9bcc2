import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { Actor, Tenant } from '../../kernel/context.js';
import { JobFailure } from '../../kernel/failure.js';
import { Log } from '../../kernel/log.js';
import { Problem } from '../../kernel/problems.js';
import { later, localTime } from '../../kernel/time.js';
import { DatabaseClock } from '../database/database-clock.js';
import { Database } from '../database/database.js';
import { oneAtATime, ROWS_PER_DELETE } from '../database/housekeeping.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { acrossTenants, type BoundSql, TENANT, tenantSql } from '../tenant/tenant-sql.js';
import { type DailyTurn, Job } from './job.decorator.js';
import { JobRegistry, OF_ORGANIZATIONS, type RegisteredDailyJob } from './job-registry.js';
import type { JobTurn } from './job-turn.entity.js';
import { RUNS, WakeUps } from './wake-ups.js';

const POLL_JOB = 'jobs.run_daily';
const POLL_INTERVAL_MS = 30_000;
/** Of a job, in one process. */
const AT_ONCE = 4;
const FOUND_AT_ONCE = 1000;
const MINUTE_MS = 60_000;
const MAX_DOUBLINGS = 6;
const RETENTION_DAYS = 90;
const ACTOR: Actor = { type: 'system', id: null, name: 'daily jobs' };
/** Whose rows are those of jobs that run once for all organizations. */
const OF_NONE = { organizationId: '00000000-0000-0000-0000-000000000000', environment: 'live' } as const satisfies Tenant;

/** After how long a turn is tried again that has failed, or whose worker says nothing any more: a minute, two, four, at last an hour. */
const waitMs = (attempts: number): number => MINUTE_MS * 2 ** Math.min(attempts - 1, MAX_DOUBLINGS);

type Due = Pick<JobTurn, 'organizationId' | 'environment' | 'day'>;
type Taken = Due & Pick<JobTurn, 'jobId' | 'attempts'>;

const ZONES = acrossTenants(
  'job_turns.zones',
  'A worker asks where it is late enough for a job of all organizations.',
  "SELECT DISTINCT time_zone AS zone FROM organizations WHERE status = 'active'",
);
const DUE = acrossTenants(
  'job_turns.due',
  'A worker finds the organizations for which a job is to run.',
  `SELECT organizations.id AS "organizationId", environments.name AS environment, late.day::text AS day FROM organizations
    JOIN unnest(:zones::text[], :days::date[]) AS late (zone, day) ON late.zone = time_zone
    CROSS JOIN unnest(ARRAY['live', 'test']) AS environments (name)
    WHERE status = 'active' AND NOT EXISTS (
      SELECT 1 FROM job_turns turn WHERE turn.organization_id = organizations.id AND turn.environment = environments.name
        AND turn.job_id = :jobId AND turn.day = late.day AND (turn.finished_at IS NOT NULL OR turn.due_at > :now))
    ORDER BY organizations.id LIMIT ${FOUND_AT_ONCE}`,
);
const IS_TAKEN = tenantSql(
  'job_turns.is_taken',
  `SELECT finished_at IS NOT NULL AS "isDone" FROM job_turns
    WHERE ${TENANT} AND job_id = :jobId AND day = :day AND (finished_at IS NOT NULL OR due_at > :now)`,
);
/** Finds nothing if another worker has taken it. */
const TAKE = tenantSql(
  'job_turns.take',
  `INSERT INTO job_turns (organization_id, environment, job_id, day, attempts, started_at, due_at)
    VALUES (:organizationId, :environment, :jobId, :day, 1, :now, :until)
    ON CONFLICT (organization_id, environment, job_id, day) DO UPDATE SET attempts = job_turns.attempts + 1,
      due_at = :now::timestamptz + (:until::timestamptz - :now::timestamptz) * power(2, least(job_turns.attempts, ${MAX_DOUBLINGS}))
      WHERE job_turns.finished_at IS NULL AND job_turns.due_at <= :now
    RETURNING attempts`,
);
const HELD = `WHERE ${TENANT} AND job_id = :jobId AND day = :day AND attempts = :attempts AND finished_at IS NULL` as const;
const KEEP = tenantSql('job_turns.keep', `UPDATE job_turns SET due_at = :until ${HELD} RETURNING true AS held`);
const FINISH = tenantSql('job_turns.finish', `UPDATE job_turns SET finished_at = :now, error_code = NULL ${HELD}`);
const FAIL = tenantSql('job_turns.fail', `UPDATE job_turns SET due_at = :until, error_code = :errorCode ${HELD}`);
const FORGET = acrossTenants(
  'job_turns.forget',
  'What has run long ago is forgotten, of all organizations.',
  `DELETE FROM job_turns WHERE ctid = ANY (ARRAY(SELECT ctid FROM job_turns WHERE day < :before LIMIT ${ROWS_PER_DELETE}))
    RETURNING true AS forgotten`,
);

/** Runs the jobs with a time of day, each once on a day. Postgres remembers what has run, for all workers. */
@Injectable()
export class DailyJobs implements BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  /** The day of the turn of a job of all organizations that is done: it is not asked again. */
  private readonly done = new Map<string, string>();

  constructor(
    private readonly registry: JobRegistry,
    private readonly wakeUps: WakeUps,
    readonly database: Database,
    readonly unitOfWork: UnitOfWork,
    private readonly clock: DatabaseClock,
    private readonly log: Log,
  ) {}

  /** Each job is an execution of its own, so none waits for another. */
  @Job({ id: POLL_JOB, summary: 'Runs the jobs whose time of day has come.', everyMs: POLL_INTERVAL_MS })
  async run(jobId?: string): Promise<void> {
    for (const job of this.registry.daily) {
      if (jobId === undefined) this.wakeUps.wakeLocally(POLL_JOB, job.id);
      else if (jobId === job.id) await this.runDue(job);
    }
  }

  @Job({ id: 'jobs.forget_turns', summary: `Forgets which jobs have run, after ${RETENTION_DAYS} days.`, at: '03:00', zone: 'UTC' })
  async forget(): Promise<void> {
    const before = this.inMs(-RETENTION_DAYS * 24 * 60 * MINUTE_MS).slice(0, 10);
    while ((await oneAtATime(this, ...FORGET.bind({ before }))).length === ROWS_PER_DELETE);
  }

  /** A turn that has begun is waited for. It is told, and may end early: then another worker does it. */
  beforeApplicationShutdown(): void {
    this.stopping.abort();
  }

  private async runDue(job: RegisteredDailyJob): Promise<void> {
    for (const outcome of ['succeeded', 'failed']) RUNS.inc({ task: job.id, outcome }, 0);
    for (let taken = 1; taken > 0 && !this.stopping.signal.aborted;) {
      taken = 0;
      const due = (await this.findDue(job)).values();
      const work = async (): Promise<void> => {
        for (const one of due) if (!this.stopping.signal.aborted && (await this.runOnce(job, one))) taken += 1;
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    }
  }

  private async findDue(job: RegisteredDailyJob): Promise<Due[]> {
    const asked = { jobId: job.id, now: this.inMs(0) };
    if (job.zone !== OF_ORGANIZATIONS) {
      const [late] = this.findLate(job, [job.zone]);
      if (!late || this.done.get(job.id) === late.day) return [];
      const [taken] = await this.database.rows<{ isDone: boolean }>(...IS_TAKEN.bind(OF_NONE, { ...asked, day: late.day }));
      if (taken?.isDone) this.done.set(job.id, late.day);
      return taken ? [] : [{ ...OF_NONE, day: late.day }];
    }
    const used = await this.database.rows<{ zone: string }>(...ZONES.bind());
    const late = this.findLate(
      job,
      used.map(({ zone }) => zone),
    );
    const bound = { ...asked, zones: late.map(({ zone }) => zone), days: late.map(({ day }) => day) };
    return late.length === 0 ? [] : this.database.rows<Due>(...DUE.bind(bound));
  }

  /** The zones in which it is late enough, and what day it is there. */
  private findLate({ id, at }: RegisteredDailyJob, zones: readonly string[]): { zone: string; day: string }[] {
    return zones.flatMap((zone) => {
      try {
        const [day, time] = localTime(this.clock.now(), zone);
        return time >= at ? [{ zone, day }] : [];
      } catch {
        this.log.error({ job: id, zone }, 'job does not run for organizations of a time zone that is not known here');
        return [];
      }
    });
  }

  /** Returns whether it was this worker's. No failure holds up what else is due. */
  private async runOnce(job: RegisteredDailyJob, due: Due): Promise<boolean> {
    const taken = { ...due, jobId: job.id, attempts: 0 };
    try {
      const [row] = await this.write<{ attempts: number }>(
        due,
        TAKE.bind(due, { ...taken, now: this.inMs(0), until: this.inMs(waitMs(1)) }),
      );
      if (row) await this.runTaken(job, { ...taken, ...row });
      return row !== undefined;
    } catch (error) {
      this.log.warn({ err: error, job: job.id, organization: due.organizationId }, 'what became of a job was not noted');
      return false;
    }
  }

  private async runTaken(job: RegisteredDailyJob, taken: Taken): Promise<void> {
    const { organizationId, environment, day, attempts } = taken;
    const lost = new AbortController();
    const keep = async (): Promise<void> => {
      const held = await this.write(taken, KEEP.bind(taken, { ...taken, until: this.inMs(waitMs(attempts)) }));
      if (held.length === 0) lost.abort();
    };
    const kept = setInterval(() => void keep().catch(() => undefined), waitMs(1) / 3).unref();
    try {
      const turn: DailyTurn = { day, signal: AbortSignal.any([this.stopping.signal, lost.signal]) };
      await job.run(job.zone === OF_ORGANIZATIONS ? { ...turn, organizationId, environment } : turn);
      await this.write(taken, FINISH.bind(taken, { ...taken, now: this.inMs(0) }));
      RUNS.inc({ task: job.id, outcome: 'succeeded' });
    } catch (error) {
      if (this.stopping.signal.aborted)
        return void (await this.write(taken, FAIL.bind(taken, { ...taken, until: this.inMs(0), errorCode: null })));
      RUNS.inc({ task: job.id, outcome: 'failed' });
      this.log.error({ err: error, job: job.id, organization: organizationId, environment, day, attempts }, 'job failed');
      const errorCode = error instanceof JobFailure || error instanceof Problem ? error.code : 'internal_error';
      await this.write(taken, FAIL.bind(taken, { ...taken, until: this.inMs(waitMs(attempts)), errorCode }));
    } finally {
      clearInterval(kept);
    }
  }

  /** Refused if the organization has begun to move: what has run moves with it. */
  private write<Row extends object>(owner: Tenant, bound: BoundSql): Promise<Row[]> {
    return this.unitOfWork.runAs(ACTOR, owner, ({ unit }) => this.database.rows<Row>(...bound, unit));
  }

  private inMs(ms: number): string {
    return later(this.clock, ms);
  }
}
