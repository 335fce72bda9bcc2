import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Module } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { declareExtension, Job, UnitOfWork, type DailyTurn, type OrganizationTurn } from '../../../src/extension-api.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { JobFailure } from '../../../src/kernel/failure.js';
import { MovesService, OrganizationService } from '../../../src/modules/organization/index.js';
import { DailyJobs } from '../../../src/store/jobs/daily-jobs.js';
import { startApp, type TestApp } from '../../support/app.js';
import { anOrganization } from '../../support/builders.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';

const NONE = '00000000-0000-0000-0000-000000000000';
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

interface Told extends Partial<OrganizationTurn> {
  readonly job: string;
  readonly day: string;
  /** By the clock of the test. */
  readonly at: string;
}

let now = 0;
let told: Told[] = [];
/** What a handler does beside noting what it was told. */
let does: (run: DailyTurn & Partial<OrganizationTurn>) => Promise<void>;

@Injectable()
class Nightly {
  @Job({ id: 'test.nightly', summary: 'Sums up the day.', at: '02:30', zone: 'organization' })
  nightly(run: OrganizationTurn): Promise<void> {
    return this.note('nightly', run);
  }
  @Job({ id: 'test.berlin', summary: 'Sums up the day.', at: '02:30', zone: 'Europe/Berlin' })
  berlin(run: DailyTurn): Promise<void> {
    return this.note('berlin', run);
  }
  @Job({ id: 'test.new_york', summary: 'Sums up the day.', at: '02:30', zone: 'America/New_York' })
  newYork(run: DailyTurn): Promise<void> {
    return this.note('new_york', run);
  }
  @Job({ id: 'test.late', summary: 'Sums up the day.', at: '23:00', zone: 'UTC' })
  late(run: DailyTurn): Promise<void> {
    return this.note('late', run);
  }
  private note(job: string, run: DailyTurn & Partial<OrganizationTurn>): Promise<void> {
    told.push({ job, ...run, at: new Date(now).toISOString() });
    return does(run);
  }
}
@Module({ providers: [Nightly] })
class NightlyModule {}
const extension = declareExtension({ name: 'nightly', madeFor: '1.0.0', modules: [NightlyModule] });

// A job runs for all organizations, so these tests have a database of their own, and run the jobs themselves.
let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
let other: TestApp;
async function startWorker(): Promise<TestApp> {
  const started = await startApp({ DATABASE_URL: database.url }, undefined, [extension]);
  const clock = { now: () => new Date(now), timestamp: () => new Date(now).toISOString() };
  Object.assign(started.app.get(DailyJobs, { strict: false }), { clock });
  return started;
}
beforeAll(async () => {
  database = await createDatabase();
  [app, other] = [await startWorker(), await startWorker()];
});
afterAll(async () => {
  await Promise.all([app.close(), other.close()]);
  await database.drop();
});
beforeEach(async () => {
  does = () => Promise.resolve();
  // The organizations of other tests have no part in this one.
  await rowsOf(database.url, "UPDATE organizations SET status = 'suspended'");
});

/** Lets a worker look for what is due at a time. Returns what it ran. */
async function look(job: string, at: string | number = now, worker = app): Promise<Told[]> {
  now = new Date(at).getTime();
  told = [];
  await worker.app.get(DailyJobs, { strict: false }).run(`test.${job}`);
  return told;
}

async function anOrganizationIn(timeZone: string): Promise<string> {
  const { id } = await anOrganization(app);
  await app.app.get(OrganizationService).change(OPERATOR, id, { timeZone });
  return id;
}

const runsOf = (organizationId: string) =>
  rowsOf<{ day: string; environment: string; attempts: number; finished: boolean; error_code: string | null }>(
    database.url,
    `SELECT day::text, environment, attempts, finished_at IS NOT NULL AS finished, error_code FROM job_turns
      WHERE organization_id = $1 AND job_id = 'test.nightly' ORDER BY day, environment`,
    [organizationId],
  );

const placesOf = (runs: readonly Told[]) => runs.map(({ environment, day, at }) => [environment, day, at]);

describe('a job at a time of day', () => {
  it.each([
    ['berlin', '2026-03-28T12:00:00Z', [['2026-03-29', '2026-03-29T01:00:00.000Z']]],
    ['berlin', '2026-10-24T12:00:00Z', [['2026-10-25', '2026-10-25T00:30:00.000Z']]],
    ['new_york', '2026-03-07T17:00:00Z', [['2026-03-08', '2026-03-08T07:00:00.000Z']]],
    ['new_york', '2026-10-31T17:00:00Z', [['2026-11-01', '2026-11-01T07:30:00.000Z']]],
  ])('runs once in %s where the clocks change after %s: at a time that is left out, at the next one', async (job, noon, expected) => {
    await look(job, noon);
    const found: string[][] = [];
    for (let passed = 10 * MINUTE_MS; passed <= 24 * HOUR_MS; passed += 10 * MINUTE_MS)
      for (const { day, at } of await look(job, Date.parse(noon) + passed)) found.push([day, at]);
    expect(found).toEqual(expected);
  });

  it('is caught up once after a time without a worker, until its day has ended', async () => {
    expect((await look('late', '2026-05-04T23:59:59Z')).map(({ day }) => day)).toEqual(['2026-05-04']);
    expect(await look('late', '2026-05-04T23:59:59Z')).toEqual([]);
    // Nothing ran on the fifth: it is left out.
    expect(await look('late', '2026-05-06T00:00:00Z')).toEqual([]);
    expect((await look('late', '2026-05-06T23:00:00Z')).map(({ day }) => day)).toEqual(['2026-05-06']);
  });

  it('runs once for all organizations if it has a zone of its own, and what ran is of no organization', async () => {
    await anOrganizationIn('Europe/Berlin');
    const [run, ...others] = await look('berlin', '2026-06-01T12:00:00Z');
    expect([run?.organizationId, others]).toEqual([undefined, []]);
    const rows = await rowsOf(database.url, `SELECT organization_id FROM job_turns WHERE job_id = 'test.berlin' AND day = '2026-06-01'`);
    expect(rows).toEqual([{ organization_id: NONE }]);
  });
});

describe('a job at the time of each organization', () => {
  it('runs in both environments of those where it is late enough, once on each day', async () => {
    const [berlin, newYork] = [await anOrganizationIn('Europe/Berlin'), await anOrganizationIn('America/New_York')];
    expect(await look('nightly', '2026-07-01T00:29:59Z').then(placesOf)).not.toContainEqual(['live', '2026-07-01', expect.anything()]);
    const first = await look('nightly', '2026-07-01T00:30:00Z');
    expect(first.map(({ organizationId, environment, day }) => [organizationId, environment, day])).toEqual(
      expect.arrayContaining([
        [berlin, 'live', '2026-07-01'],
        [berlin, 'test', '2026-07-01'],
      ]),
    );
    expect(first).toHaveLength(2);
    expect(await look('nightly', '2026-07-01T06:29:00Z')).toEqual([]);
    const second = await look('nightly', '2026-07-01T06:30:00Z');
    expect(second.map(({ organizationId, day }) => [organizationId, day])).toEqual([0, 1].map(() => [newYork, '2026-07-01']));
  });

  it('is run once though two workers look at once, with many organizations', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => anOrganizationIn('Europe/Berlin')));
    does = () => delay(5);
    now = Date.parse('2026-07-02T03:00:00Z');
    told = [];
    await Promise.all([app, other].map((worker) => worker.app.get(DailyJobs, { strict: false }).run('test.nightly')));
    const keys = told.map(({ organizationId, environment }) => `${organizationId} ${environment}`);
    expect(keys.sort()).toEqual(ids.flatMap((id) => [`${id} live`, `${id} test`]).sort());
  });

  it('leaves out those that are suspended or move', async () => {
    const [suspended, moving] = [await anOrganizationIn('Europe/Berlin'), await anOrganizationIn('Europe/Berlin')];
    await app.app.get(OrganizationService).change(OPERATOR, suspended, { status: 'suspended' });
    await app.app.get(MovesService).take(OPERATOR, moving, 'begin');
    expect(await look('nightly', '2026-07-03T03:00:00Z')).toEqual([]);
    await app.app.get(MovesService).take(OPERATOR, moving, 'abort');
    expect(await look('nightly')).toHaveLength(2);
  });

  it('that begins to move meanwhile is not noted here as done', async () => {
    const id = await anOrganizationIn('Europe/Berlin');
    does = async ({ environment }) => {
      if (environment === 'live') await app.app.get(MovesService).take(OPERATOR, id, 'begin');
      else await eventually(async () => expect((await runsOf(id)).length).toBe(2));
    };
    await look('nightly', '2026-07-04T03:00:00Z');
    expect((await runsOf(id)).find(({ environment }) => environment === 'live')).toMatchObject({ finished: false, attempts: 1 });
  });

  it('holds up no other one if it fails, and is tried again after a minute, then two, until its day has ended', async () => {
    const [broken, sound] = [await anOrganizationIn('Europe/Berlin'), await anOrganizationIn('Europe/Berlin')];
    does = ({ organizationId, environment }) =>
      organizationId === broken && environment === 'live' ? Promise.reject(new JobFailure('no_paper', 'Out of paper.')) : Promise.resolve();
    const begin = Date.parse('2026-07-05T03:00:00Z');
    expect(await look('nightly', begin)).toHaveLength(4);
    expect(await runsOf(sound)).toMatchObject([{ finished: true }, { finished: true }]);
    const failed = { attempts: 1, finished: false, error_code: 'no_paper' };
    expect(await runsOf(broken)).toMatchObject([failed, { finished: true, error_code: null }]);
    const tries = [59_999, MINUTE_MS, 2 * MINUTE_MS, 3 * MINUTE_MS, 6 * MINUTE_MS, 7 * MINUTE_MS];
    const counts: number[] = [];
    for (const passed of tries) counts.push((await look('nightly', begin + passed)).length);
    expect(counts).toEqual([0, 1, 0, 1, 0, 1]);
    does = () => Promise.resolve();
    expect(await look('nightly', begin + 2 * HOUR_MS)).toHaveLength(1);
    expect(await runsOf(broken)).toMatchObject([{ attempts: 5, finished: true, error_code: null }, {}]);
  });

  it('is taken over a minute after its worker was lost, and what the lost one still writes does not count', async () => {
    const id = await anOrganizationIn('Europe/Berlin');
    const hung: (() => void)[] = [];
    does = ({ environment }) => (environment === 'live' ? new Promise((resolve) => hung.push(resolve)) : Promise.resolve());
    const lost = look('nightly', '2026-07-06T03:00:00Z');
    await eventually(() => expect(hung).toHaveLength(1));
    expect(await look('nightly', '2026-07-06T03:00:59Z', other)).toEqual([]);
    const taken = look('nightly', '2026-07-06T03:01:00Z', other);
    await eventually(() => expect(hung).toHaveLength(2));
    hung[0]!();
    await lost;
    expect(await runsOf(id)).toMatchObject([{ attempts: 2, finished: false }, { finished: true }]);
    hung[1]!();
    await taken;
    expect(await runsOf(id)).toMatchObject([{ attempts: 2, finished: true }, { finished: true }]);
  });

  it('has each day once, also where its zone changes', async () => {
    const id = await anOrganizationIn('Europe/Berlin');
    const inZone = async (timeZone: string, at: string): Promise<string[]> => {
      await app.app.get(OrganizationService).change(OPERATOR, id, { timeZone });
      return [...new Set((await look('nightly', at)).map(({ day }) => day))];
    };
    expect(await inZone('Europe/Berlin', '2026-07-07T10:00:00Z')).toEqual(['2026-07-07']);
    expect(await inZone('Europe/Berlin', '2026-07-08T01:00:00Z')).toEqual(['2026-07-08']);
    // There it is still the seventh, which has been, and later the eighth.
    expect(await inZone('America/New_York', '2026-07-08T02:00:00Z')).toEqual([]);
    expect(await inZone('America/New_York', '2026-07-08T12:00:00Z')).toEqual([]);
    expect(await inZone('Pacific/Auckland', '2026-07-08T15:00:00Z')).toEqual(['2026-07-09']);
  });

  it('is given a context in which it writes, and a worker that stops hands back what ends early', async () => {
    const id = await anOrganizationIn('Europe/Berlin');
    const stopped = await startWorker();
    const unitOfWork = stopped.app.get(UnitOfWork, { strict: false });
    const written: unknown[] = [];
    does = async (run) => {
      await unitOfWork.runAs(OPERATOR, run as OrganizationTurn, (ctx) => Promise.resolve(written.push(ctx.organizationId)));
      await new Promise((_resolve, reject) => run.signal.addEventListener('abort', () => reject(new Error('It stops.'))));
    };
    const run = look('nightly', '2026-07-10T03:00:00Z', stopped);
    await eventually(() => expect(written).toEqual([id, id]));
    // What a stopping process calls first; it then waits for the jobs that run.
    stopped.app.get(DailyJobs, { strict: false }).beforeApplicationShutdown();
    await run;
    await stopped.close();
    expect(await runsOf(id)).toMatchObject([0, 1].map(() => ({ attempts: 1, finished: false, error_code: null })));
    does = () => Promise.resolve();
    expect(await look('nightly')).toHaveLength(2);
  });

  it('is forgotten after 90 days', async () => {
    const id = await anOrganizationIn('Europe/Berlin');
    await look('nightly', '2026-08-01T12:00:00Z');
    await look('nightly', '2026-08-02T12:00:00Z');
    now = Date.parse('2026-10-31T12:00:00Z');
    await app.app.get(DailyJobs, { strict: false }).run('jobs.forget_turns');
    expect([...new Set((await runsOf(id)).map(({ day }) => day))]).toEqual(['2026-08-02']);
  });
});
