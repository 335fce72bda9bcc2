import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../simulation/simulation.js';
import { ABOUT_LEVELS, AlertWatch, type Alerting } from '../support/alert-watch.js';
import { Client } from '../support/client.js';
import { rowsOf } from '../support/database.js';
import { Deployment } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { FAULTS, type Fault } from '../support/faults.js';
import { leftAfter } from '../support/loss-budget.js';
import { MixedCalls } from '../support/mixed-calls.js';
import { fasterGroups, hasPrometheus, type Prometheus, startPrometheus } from '../support/prometheus.js';
import { canStartRedis } from '../support/redis-engines.js';
import { openReports } from '../support/reports.js';
import { UNANSWERED, Writers } from '../support/writers.js';

/** `npm run faults -- --minutes 25 --seed 7` sets these. Without minutes nothing is run: it takes longer than all other tests. */
const MINUTES = Number(process.env.TEST_MINUTES ?? 0);
const SEED = Number(process.env.TEST_SEED ?? 1);
const MINUTE_MS = 60_000;
const WRITES_PER_SECOND = 20;
const OTHERS_PER_SECOND = { reads: 25, tools: 4.5, runs: 0.5 };
/** Longer than the receiver is away. */
const ENV = { WEBHOOK_RETRY_SCHEDULE: '0s,1s,2s,5s,10s,20s,30s,60s' };
/** The rules of the alerts are so many times as fast: a fault of half a minute is one of six minutes to them. */
const FASTER = 12;
const LASTS_MS = { from: 30_000, to: 35_000 };
const BEGINS_WITHIN_MS = 5000;
const ENDED_WITHIN_MS = 180_000;
const RESTING_LOOKS = 6;
const RESTING_MS = 5000;
/**
 * Private memory of a process after all of it, once it is quiet and has given back what it can: that of an idle one (idle.test.ts) and what
 * it has learned. Under load it says nothing, since V8 takes twice as much now and then, and keeps it for minutes.
 */
const AT_REST_MIB: Readonly<Record<string, number>> = { api: 190, worker: 150 };

/** 408: a process that was paused while it read a call has no time left for the rest of it. Nothing was done. */
const BORNE = [200, 201, 408, 429, 503, UNANSWERED];

const AWAY: Alerting = { must: ['ClaimsDatabaseUnavailable', 'ClaimsErrors'], may: ABOUT_LEVELS };
const BLIP: Alerting = { may: ['ClaimsDatabaseUnavailable', ...ABOUT_LEVELS] };
const REDIS_AWAY: Alerting = { must: ['ClaimsRedisAway'] };
const ALERTS: Readonly<Record<string, Alerting>> = {
  'Postgres refuses connections': AWAY,
  'Postgres silent (black hole)': AWAY,
  'Postgres killed, and started again': BLIP,
  'Session of Postgres killed: the server recovers by itself': BLIP,
  'All sessions of Postgres ended, again and again': AWAY,
  'Connections to Postgres reset, again and again': AWAY,
  'Redis refuses connections': REDIS_AWAY,
  'Redis silent (black hole)': REDIS_AWAY,
  'Redis killed, and started again': REDIS_AWAY,
  'Workers stopped for longer than their lease, then continued': { must: ['ClaimsWorkersMissing'], may: ['ClaimsEventLoopLate'] },
  'Every packet from and to Postgres 40 ms late': { may: ['ClaimsReadsSlow', 'ClaimsWritesSlow'] },
  'An API paused': { may: ['ClaimsEventLoopLate', 'ClaimsReadsSlow', 'ClaimsWritesSlow'] },
};

const PLACES: Readonly<Record<string, Fault>> = {
  ...FAULTS,
  'Receiver away': {
    make: async ({ receiver }, lastsMs) => {
      const { answer } = receiver;
      receiver.answer = (_received, response) => void response.socket!.destroy();
      await delay(lastsMs);
      receiver.answer = answer;
    },
  },
  'An API paused': {
    make: async ({ processes }, lastsMs) => {
      const { pid } = processes.api[0]!;
      process.kill(pid, 'SIGSTOP');
      await delay(lastsMs);
      process.kill(pid, 'SIGCONT');
    },
  },
};

/** Pages that a process shares with none. */
function privateMib(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kib = [...text.matchAll(/^Private_(?:Clean|Dirty): +(\d+) kB$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
  return Math.round(kib / 1024);
}

// A machine without a Redis of its own has said so at the start.
if (MINUTES > 0 && canStartRedis() && hasPrometheus()) describe(`a deployment for ${MINUTES} minutes, with seed ${SEED},`, forMinutes);
else it.todo('a deployment for minutes: npm run faults -- --minutes 25');

function forMinutes(): void {
  let deployment: Deployment;
  let prometheus: Prometheus;
  /** By process, the private memory at each look. */
  const memory = new Map<number, { readonly role: string; readonly mib: number[] }>();
  beforeAll(async () => {
    deployment = await Deployment.start({ env: ENV });
    prometheus = await startPrometheus([], await fasterGroups(FASTER));
    await look();
  });
  afterAll(async () => {
    await prometheus.stop();
    await deployment.stop();
  });

  /** After each fault: processes may have been replaced. */
  async function look(): Promise<void> {
    lookAtMemory();
    await prometheus.read(Object.values(deployment.processes).flatMap((processes) => processes.map(({ metrics }) => metrics!)));
  }

  function lookAtMemory(): void {
    for (const [role, processes] of Object.entries(deployment.processes))
      for (const { pid } of processes) {
        const known = memory.get(pid) ?? { role, mib: [] };
        known.mib.push(privateMib(pid));
        memory.set(pid, known);
      }
  }

  async function faults(watch: AlertWatch, writers: Writers, others: MixedCalls): Promise<void> {
    const random = seeded(SEED);
    let round: string[] = [];
    for (let minute = 0; minute < MINUTES; minute += 1) {
      const endsAt = performance.now() + MINUTE_MS;
      if (round.length === 0) round = Object.keys(PLACES);
      const [name] = round.splice(Math.floor(random() * round.length), 1) as [string];
      const lastsMs = LASTS_MS.from + random() * (LASTS_MS.to - LASTS_MS.from);
      await delay(random() * BEGINS_WITHIN_MS);
      watch.next(name);
      const seen = watch.seen.at(-1)!;
      const { acknowledged, refusals } = writers;
      const { reads, slowReads } = others;
      const [written, refused] = [acknowledged.length, refusals.length];
      await PLACES[name]!.make(deployment, lastsMs, writers);
      const firstWriteMs = await writers.firstAfter(performance.now());
      await look();
      await delay(Math.max(0, endsAt - performance.now()));
      seen.slowShare = (others.slowReads - slowReads) / (others.reads - reads);
      const counts = [acknowledged.length - written, refusals.length - refused, Math.round(firstWriteMs), seen.slowShare.toFixed(2)];
      console.log(`${minute + 1} | ${name} | ${counts.join(' | ')} | ${[...seen.fired].join(', ')}`);
    }
  }

  it(
    'loses and doubles nothing, does not grow, and raises the alerts of each fault and no others',
    { timeout: (MINUTES + 10) * MINUTE_MS },
    async () => {
      const { organizationId, api } = await deployment.aTenant();
      const reports = await openReports(deployment.app);
      await reports.taken();
      const writers = new Writers(api, { clients: 8, perSecond: WRITES_PER_SECOND });
      const others = new MixedCalls(new Client(deployment.url, reports.key), OTHERS_PER_SECOND);
      const watch = new AlertWatch(prometheus);
      console.log('minute | fault | writes | refused | first write after, in ms | slow reads | alerts');
      await faults(watch, writers, others);
      await Promise.all([writers.stop(), others.stop()]);
      await watch.stop();
      const { lost, doubled, sentAgain } = await leftAfter(deployment, writers, organizationId);
      const atRest = await settled();
      console.log({
        writes: writers.names.length,
        refused: writers.refusals.length,
        lost: lost.length,
        doubled: doubled.length,
        sentAgain,
      });
      console.log('other calls by status', Object.fromEntries(others.statuses), 'runs', others.runs.length);
      for (const [pid, { role, mib }] of memory) console.log(`${role} ${pid}: ${mib.join(' ')} MiB`);
      const mistakes = watch.mistakes((fault) => ALERTS[fault] ?? {});
      console.log('alerts that are wrong or missing', mistakes);
      expect({ lost, doubled }).toEqual({ lost: [], doubled: [] });
      await expectRecordedOnce(organizationId);
      await expectRunsOnce(reports.organizationId, others.runs);
      for (const id of [organizationId, reports.organizationId]) expect(await eventually(() => deployment.auditFault(id))).toBeNull();
      deployment.expectAllAlive();
      expect([...others.statuses.keys()].filter((status) => !BORNE.includes(status))).toEqual([]);
      expect(atRest.filter(({ role, mib }) => mib > AT_REST_MIB[role]!)).toEqual([]);
      expect(mistakes).toEqual([]);
    },
  );

  /** Each event has one delivery that succeeded. */
  async function expectRecordedOnce(organizationId: string): Promise<void> {
    const sql = `SELECT event_id FROM webhook_deliveries WHERE organization_id = $1
      GROUP BY event_id HAVING count(*) FILTER (WHERE status = 'delivered') <> 1`;
    expect(await rowsOf(deployment.postgres.directUrl, sql, [organizationId])).toEqual([]);
  }

  async function expectRunsOnce(organizationId: string, runs: readonly string[]): Promise<void> {
    const sql = 'SELECT id, status FROM claim_reports WHERE organization_id = $1';
    const wanted = runs.map((id) => ({ id, status: 'succeeded' })).sort((a, b) => (a.id < b.id ? -1 : 1));
    await eventually(
      async () => expect(await rowsOf(deployment.postgres.directUrl, `${sql} ORDER BY id`, [organizationId])).toEqual(wanted),
      ENDED_WITHIN_MS,
    );
  }

  /** The least of half a minute: processes give memory back when they have become quiet, which one that is asked every second is not. */
  async function settled(): Promise<{ readonly role: string; readonly pid: number; readonly mib: number }[]> {
    await prometheus.read([]);
    deployment.rest();
    const looks = Array.from({ length: RESTING_LOOKS }, (_, index) => delay(index * RESTING_MS).then(lookAtMemory));
    await Promise.all(looks);
    const living = Object.entries(deployment.processes).flatMap(([role, all]) => all.map(({ pid }) => ({ role, pid })));
    return living.map(({ role, pid }) => ({ role, pid, mib: Math.min(...memory.get(pid)!.mib.slice(-RESTING_LOOKS)) }));
  }
}
