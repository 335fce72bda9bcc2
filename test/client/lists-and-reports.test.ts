import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Claims, NotFoundError, ReportCancelledError, ReportFailedError, TimeoutError, type ClaimReport } from '../../client/src/index.js';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { createDatabase } from '../support/database.js';

const PERIOD = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
// Workers take the runs of all organizations, so they have a database of their own.
beforeAll(async () => {
  database = await createDatabase();
  app = await startApp({ DATABASE_URL: database.url, ROLE: 'all', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

async function aClient(): Promise<Claims> {
  return new Claims({ apiKey: (await aTenant(app)).key, baseUrl: app.url });
}

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('a list', () => {
  it('goes through all pages, with its filters', async () => {
    const claims = await aClient();
    for (let number = 0; number < 7; number += 1)
      await claims.projects.create({ name: `Project ${number}`, ...PERIOD, status: number % 2 ? 'archived' : 'active' });
    const names = (await collected(claims.projects.list({ status: 'active', page_size: 2 }))).map(({ name }) => name);
    expect(names).toEqual(['Project 6', 'Project 4', 'Project 2', 'Project 0']);
    expect((await collected(claims.projects.list({ page_size: 3 }).pages())).map(({ data }) => data.length)).toEqual([3, 3, 1]);
    const second = await claims.projects.list({ page_size: 3, page: 2 }).page();
    expect(second).toMatchObject({ pagination: { page: 2, total: 7, hasMore: true } });
  });

  it('returns no record twice when another is created meanwhile', async () => {
    const claims = await aClient();
    for (let number = 0; number < 4; number += 1) await claims.projects.create({ name: `Project ${number}`, ...PERIOD });
    const names: string[] = [];
    for await (const { name } of claims.projects.list({ page_size: 2 })) {
      if (names.length === 1) await claims.projects.create({ name: 'Meanwhile', ...PERIOD });
      names.push(name);
    }
    expect(names).toEqual(['Project 3', 'Project 2', 'Project 1', 'Project 0']);
  });

  it('sends nothing before it is read, and reads no further than it is gone through', async () => {
    const { key } = await aTenant(app);
    let calls = 0;
    const claims = new Claims({ apiKey: key, baseUrl: app.url, onRequest: () => void (calls += 1) });
    const list = claims.projects.list({ page_size: 1 });
    expect(calls).toBe(0);
    for (const name of ['One', 'Two', 'Three']) await claims.projects.create({ name, ...PERIOD });
    for await (const { name } of list) if (name === 'Three') break;
    expect(calls).toBe(4);
  });

  it('can be of events, from the oldest on', async () => {
    const claims = await aClient();
    const { id } = await claims.projects.create({ name: 'A project', ...PERIOD });
    const oldest = '00000000-0000-0000-0000-000000000000';
    const found = async (): Promise<unknown[]> => collected(claims.webhooks.listEvents({ after: oldest, limit: 1 }));
    // Events appear some two seconds after their change.
    await expect.poll(found, { timeout: 20_000 }).toMatchObject([{ type: 'claim_project.created', data: { id } }]);
  });
});

describe('a report', () => {
  it('is created, waited for, and downloaded as a stream', async () => {
    const claims = await aClient();
    const project = await claims.projects.create({ name: 'Berlin', ...PERIOD });
    const configuration = await claims.configurations.create({
      name: 'Annual report',
      projectId: project.id,
      ...PERIOD,
      outputOptions: { formats: ['json', 'csv'] },
    });
    const report = await claims.reports.createAndWait({ projectId: project.id, reportConfigurationId: configuration.id });
    expect(report).toMatchObject({ status: 'succeeded', projectId: project.id });
    const { format, bytes: size } = report.result!.outputs.find((output) => output.format === 'csv')!;
    const file = await claims.reports.download(report.id, format);
    expect(file.headers.get('content-type')).toContain('text/csv');
    let bytes = 0;
    for await (const chunk of file.body!) bytes += chunk.length;
    expect(bytes).toBe(size);
    await expect(claims.reports.download(report.id, 'pdf')).rejects.toBeInstanceOf(NotFoundError);
  });

  /** A service whose run has these states in turn. */
  function running(...states: ClaimReport['status'][]) {
    let reads = 0;
    const send = (_url: string, { method }: RequestInit): Promise<Response> => {
      if (method === 'GET') reads += 1;
      const status = (method === 'GET' && states.length > 1 ? states.shift() : states[0])!;
      return Promise.resolve(
        Response.json({ id: 'r-7', status, failure: { code: 'no_statements', message: 'There is nothing to claim.' } }),
      );
    };
    return { claims: new Claims({ apiKey: 'pk_test_x', fetch: send }), reads: () => reads };
  }

  it('that fails or is cancelled is an error of its own, with the report', async () => {
    const failed = running('queued', 'failed').claims.reports.createAndWait();
    await expect(failed).rejects.toMatchObject({ code: 'report_failed', report: { id: 'r-7', failure: { code: 'no_statements' } } });
    await expect(failed).rejects.toBeInstanceOf(ReportFailedError);
    await expect(running('cancelled').claims.reports.wait('r-7')).rejects.toBeInstanceOf(ReportCancelledError);
  });

  it('is asked for less and less often, and tells how far it is', async () => {
    const { claims, reads } = running('queued', 'running', 'succeeded');
    const seen: string[] = [];
    const start = performance.now();
    await claims.reports.wait('r-7', { onProgress: ({ status }) => seen.push(status) });
    expect(seen).toEqual(['queued', 'running']);
    expect(reads()).toBe(3);
    expect(performance.now() - start).toBeGreaterThan(1100);
  });

  it('is waited for no longer than was asked, and no longer than the signal lasts', async () => {
    const { claims } = running('running');
    await expect(claims.reports.wait('r-7', { waitTimeout: 100 })).rejects.toBeInstanceOf(TimeoutError);
    const reason = new Error('Enough');
    const controller = new AbortController();
    const waiting = claims.reports.createAndWait({}, { signal: controller.signal, waitTimeout: 60_000 });
    const ended = expect(waiting).rejects.toBe(reason);
    controller.abort(reason);
    await ended;
  });
});
