import { platform } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { anOrganization } from '../support/builders.js';
import { aVisitor, ConsoleBrowser, signInByLink } from '../support/console.js';
import { type Contained, peakOf, sizesOf, startContained } from '../support/containers.js';
import { createDatabase } from '../support/database.js';
import { longLines, manyLines, tinyElements } from '../support/hostile-work.js';
import { openReports } from '../support/reports.js';
import { PATIENCE_MS } from '../support/statements.js';
import { LinkClient, linkOf, projectOf } from '../support/upload-links.js';
import { anAddress, anEmail, aUser, PASSWORD } from '../support/users.js';

const TIMEOUT_MS = 2 * PATIENCE_MS;
const SIGN_INS = Number(process.env.TEST_SIGN_INS ?? 100);
/** `TEST_LARGE=1` makes statements as large as they may be, which takes minutes on a busy machine. */
const IS_LARGE = process.env.TEST_LARGE !== undefined;
const [LINES, ELEMENTS, LONG_LINES] = IS_LARGE ? [20_000, 1_000_000, 9000] : [5000, 300_000, 1500];
/** More forms than a process reads at once: by links, and from the console. */
const [UPLOADS, OF_STAFF] = [4, 3];

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
const started: Contained[] = [];

/** A process with the settings of the manifests, held to the memory that they give it. */
async function startSmall(role: 'api' | 'worker'): Promise<Contained> {
  const contained = await startContained(sizesOf(role), {
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: '10',
    HEALTH_PORT: '0',
    METRICS_HOST: '127.0.0.1',
    METRICS_PORT: '0',
    TRUSTED_PROXIES: '127.0.0.1',
  });
  started.push(contained);
  return contained;
}

/** It is the process that was started, it answers, and it never had more than its pod may have. */
async function expectToLive(role: 'api' | 'worker', { service: { pid, url, probes }, group }: Contained): Promise<void> {
  expect((await fetch(`${url || probes}/health/live`)).status).toBe(200);
  expect(group?.kills ?? 0).toBe(0);
  const peak = peakOf(pid);
  if (process.env.SHOW_MEMORY) console.log(role, peak);
  expect(peak.resident).toBeLessThan(sizesOf(role).memoryMib);
}

/** What a form may have at most: 50 MiB. Each file is one that was not imported before. */
function largeFiles(upload: number): (readonly [name: string, content: Buffer])[] {
  const lines = longLines(9000);
  return [1, 2].map((file) => [`${file}.csv`, Buffer.concat([lines, Buffer.from(`2026-01-31,${upload} ${file},-1.00,EUR,,\n`)])] as const);
}

describe.skipIf(platform() !== 'linux')('with the memory of its pod', () => {
  beforeAll(async () => {
    database = await createDatabase();
    app = await startApp({ DATABASE_URL: database.url });
  });
  afterAll(async () => {
    await Promise.all(started.map(({ service }) => service.kill()));
    for (const { group } of started) group?.remove();
    await app.close();
    await database.drop();
  });

  it('a worker makes a report beside large statements, and lives', { timeout: TIMEOUT_MS }, async () => {
    const worker = await startSmall('worker');
    const [reports, others] = await Promise.all([openReports(app), openReports(app)]);
    await manyLines(database.url, reports, LINES);
    const configuration = await reports.configuration({ outputOptions: { formats: ['csv', 'xlsx', 'pdf'] } });
    const [{ id }, ...settled] = await Promise.all([
      reports.queue({ reportConfigurationId: configuration.id }),
      others.taken({ file: tinyElements(ELEMENTS) }),
      others.taken({ file: longLines(LONG_LINES) }),
    ]);
    expect(settled).toMatchObject([{ redactionStatus: 'succeeded' }, { redactionStatus: 'succeeded' }]);
    expect(await reports.ended(id)).toMatchObject({ status: 'succeeded' });
    await expectToLive('worker', worker);
  });

  it('an API lives through a burst of sign-ins beside the largest uploads, and answers each', { timeout: TIMEOUT_MS }, async () => {
    const api = await startSmall('api');
    const client = new LinkClient(api.service.url);
    const links = await Promise.all(
      Array.from({ length: UPLOADS }, async () => {
        const { browser } = await aVisitor(app);
        return linkOf(browser, { projectId: await projectOf(browser) });
      }),
    );
    const staff = await Promise.all(
      Array.from({ length: OF_STAFF }, async () => {
        const browser = new ConsoleBrowser(api.service.url);
        await signInByLink(app, browser, await aUser(app, (await anOrganization(app)).id));
        return { browser, form: await browser.visit('/console/test/statements/new') };
      }),
    );
    const signIn = async (): Promise<number> => {
      const body = new URLSearchParams({ email: anEmail(), password: PASSWORD });
      const sent = { method: 'POST', body, headers: { 'X-Forwarded-For': anAddress() } };
      return (await fetch(`${api.service.url}/console/sign-in`, sent)).status;
    };
    const [signedIn, uploaded, received] = await Promise.all([
      Promise.all(Array.from({ length: SIGN_INS }, signIn)),
      Promise.all(links.map(async (path, number) => (await client.send(path, largeFiles(number))).status)),
      Promise.all(staff.map(async ({ browser, form }, number) => (await browser.upload(form, largeFiles(UPLOADS + number))).status)),
    ]);
    expect(new Set(signedIn)).toEqual(new Set([400]));
    // On a busy machine the database may be too slow for a form. Then the client is told to come again.
    expect([...uploaded, ...received].filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
    await expectToLive('api', api);
  });
});
