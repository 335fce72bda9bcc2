import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { createDatabase } from '../support/database.js';
import { longLines, manyCategories, manyPatterns, tinyElements } from '../support/hostile-work.js';
import { startProcess, type TestProcess } from '../support/process.js';
import { openReports, rule } from '../support/reports.js';
import { PATIENCE_MS } from '../support/statements.js';

const PROBE = fileURLToPath(new URL('../support/turn-probe.js', import.meta.url));
/** Processor time is stated in steps of 10 ms, so a turn of 50 ms may look like one of 60. */
const LONGEST_TURN_MS = 60;
/** By the clock, on a machine that also runs the threads and the tests. Without threads, this was up to 30 seconds. */
const LONGEST_WAIT_MS = 3000;
const NO_LIMIT = JSON.stringify({ enterprise: { perMinute: 1e6, burst: 1e6 } });

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
let service: TestProcess;

beforeAll(async () => {
  database = await createDatabase();
  app = await startApp({ DATABASE_URL: database.url });
  service = await startProcess({ DATABASE_URL: database.url, ROLE: 'all', NODE_OPTIONS: `--import ${PROBE}`, RATE_LIMITS: NO_LIMIT });
});
afterAll(async () => {
  await service.kill();
  await app.close();
  await database.drop();
});

/** Another tenant calls one time after the other until the work ends; returns the longest time that it waited. */
async function longestWaitDuring(work: Promise<unknown>): Promise<number> {
  const { key } = await aTenant(app);
  const neighbour = new Client(service.url, key);
  let isOver = false;
  const over = work.finally(() => (isOver = true));
  let longest = 0;
  while (!isOver) {
    const since = performance.now();
    expect((await neighbour.get('/v1')).status).toBe(200);
    longest = Math.max(longest, performance.now() - since);
  }
  await over;
  return longest;
}

interface Work {
  readonly name: string;
  readonly outcome: string;
  /** What is there before, and what then takes long. */
  readonly begin: (
    reports: Awaited<ReturnType<typeof openReports>>,
  ) => Promise<() => Promise<{ status?: string; redactionStatus?: string }>>;
}

const WORK: readonly Work[] = [
  {
    name: 'a run with 4,000 patterns',
    outcome: 'succeeded',
    begin: async (reports) => {
      await Promise.all([manyPatterns(reports, 2), reports.taken()]);
      return () => reports.run();
    },
  },
  {
    name: 'a PDF with 500 categories',
    outcome: 'succeeded',
    begin: async (reports) => {
      await Promise.all([manyCategories(database.url, reports, 500), reports.taken()]);
      const { id } = await reports.configuration({ outputOptions: { formats: ['pdf'] } });
      return () => reports.run({ reportConfigurationId: id });
    },
  },
  {
    name: 'a CAMT entry with 500,000 elements',
    outcome: 'succeeded',
    begin: (reports) => Promise.resolve(() => reports.taken({ file: tinyElements(500_000), fileName: 'camt.xml' })),
  },
  {
    name: 'a statement with 2,000 long lines',
    outcome: 'succeeded',
    begin: (reports) => Promise.resolve(() => reports.taken({ file: longLines(2000) })),
  },
  {
    name: 'all files with 2,000 long lines',
    outcome: 'succeeded',
    begin: async (reports) => {
      await reports.category('CONSULTING', [rule('consulting')]);
      await reports.taken({ file: longLines(2000) });
      const { id } = await reports.configuration({ outputOptions: { formats: ['json', 'csv', 'xlsx', 'pdf'], detail: 'lines' } });
      return () => reports.run({ reportConfigurationId: id });
    },
  },
];

it(
  'no turn of the event loop takes over 50 ms, and a neighbour is answered, while threads do hostile work',
  async () => {
    const first = await openReports(app);
    await longestWaitDuring(first.taken().then(() => first.run()));
    const waits: number[] = [];
    for (const { name, outcome, begin } of WORK) {
      const work = await begin(await openReports(app));
      process.kill(service.pid, 'SIGUSR2');
      const ended = work();
      waits.push(await longestWaitDuring(ended));
      process.kill(service.pid, 'SIGUSR2');
      const { status, redactionStatus = status } = await ended;
      expect(redactionStatus, name).toBe(outcome);
    }
    const { stderr } = await service.stop();
    const turns = [...stderr.matchAll(/longest turn: (\d+) ms/g)].map(([, ms]) => Number(ms)).filter((_ms, index) => index % 2 === 1);
    const measured = WORK.map(({ name }, index) => ({ name, turn: turns[index]!, wait: Math.round(waits[index]!) }));
    if (process.env.SHOW_TURNS) console.table(measured);
    expect(turns).toHaveLength(WORK.length);
    expect(measured.filter(({ turn, wait }) => turn > LONGEST_TURN_MS || wait > LONGEST_WAIT_MS)).toEqual([]);
  },
  PATIENCE_MS * 3,
);
