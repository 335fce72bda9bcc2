import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, TEST_ENCRYPTION_KEY, type TestApp } from '../../support/app.js';
import { Client } from '../../support/client.js';
import { runCommand } from '../../support/command.js';
import { createDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { Receiver } from '../../support/receiver.js';
import { openReports } from '../../support/reports.js';

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
let receiver: Receiver;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  database = await createDatabase();
  env = {
    DATABASE_URL: database.url,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    REQUEST_HISTORY: 'all',
  };
  app = await startApp({ ...env, ROLE: 'all' });
  receiver = await Receiver.start();
  folder = await mkdtemp(join(tmpdir(), 'support-'));
});
afterAll(async () => {
  await receiver.close();
  await app.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

async function claims<Answer = Record<string, unknown>[]>(...args: string[]): Promise<Answer> {
  const { code, stdout, stderr } = await runCommand([...args, '--json'], env);
  expect([code, stderr], args.join(' ')).toEqual([0, '']);
  return JSON.parse(stdout) as Answer;
}

/** What the audit log of an organization says of commands. */
const lookedAt = async (liveKey: string) =>
  (
    (await new Client(app.url, liveKey).get('/v1/audit/events?action_prefix=organization.looked_at')).body as {
      data: { changes: object; actor: { name: string } }[];
    }
  ).data;

describe('a supporter', () => {
  it('finds a call by its id, and what is loud, without knowing whose it is', async () => {
    const { api, organizationId, liveKey } = await openReports(app);
    const [requestId, unknown] = [newId(), newId()];
    expect((await api.get(`/v1/claim-projects/${unknown}`, { 'X-Request-Id': requestId })).status).toBe(404);
    await eventually(async () =>
      expect(await claims('requests', 'find', requestId)).toMatchObject([
        { method: 'GET', path: `/v1/claim-projects/${unknown}`, status: 404, problem: 'not_found' },
      ]),
    );
    const { slug } = (await claims<{ id: string; slug: string }[]>('org', 'list')).find(({ id }) => id === organizationId)!;
    const loud = (await claims('top', '--last', '1h')).find(({ organization }) => organization === slug);
    expect(loud).toMatchObject({ environment: 'test', broken: 0, refused: expect.any(Number) });
    expect(await lookedAt(await liveKey())).toEqual([]);
  });

  it('sees why a delivery fails and what the receiver said, and the customer sees who looked', async () => {
    const { api, organizationId, liveKey } = await openReports(app);
    receiver.answer = (_received, response) => void response.writeHead(500).end('no such table: claims');
    const hook = { name: 'Sync', targetUrl: receiver.url, subscribedEvents: ['claim_project.created'] };
    const { id } = (await api.post('/v1/webhooks', hook)).body as { id: string };
    await api.post('/v1/claim-projects', { name: 'Failing', periodStart: '2026-01-01', periodEnd: '2026-12-31' });
    const failed = await eventually(async () => {
      const found = (await claims('webhook', 'deliveries', id)).find(({ status }) => status === 'failed');
      expect(found).toMatchObject({ event: 'claim_project.created', answered: 500 });
      return found!;
    });
    const explained = await claims<object>('webhook', 'explain', failed.id as string);
    expect(explained).toMatchObject({ status: 'failed', endpoint: 'active', 'receiver said': 'no such table: claims' });
    expect(await claims('webhook', 'list', '--org', organizationId)).toMatchObject([{ id, status: 'active', pending: 1 }]);
    const entries = await lookedAt(await liveKey());
    expect(entries[0]).toMatchObject({ actor: { name: expect.stringContaining('(claims command)') } });
    const questions = ['deliveries', 'delivery', 'endpoints'];
    expect(new Set(entries.map(({ changes }) => (changes as { question: { to: string } }).question.to))).toEqual(new Set(questions));
  });

  it('sees how a statement was read and how a run was made, without the name of a file or a person', async () => {
    const { take, settled, queue, configuration, ended, organizationId } = await openReports(app);
    const { id } = await settled((await take({ fileName: 'jane doe.csv' })).id);
    const { id: run } = await ended((await queue({ reportConfigurationId: (await configuration()).id })).id);
    const { stdout } = await runCommand(['statement', 'explain', id], env);
    expect(stdout).toMatch(/^status +succeeded$/m);
    expect(stdout).not.toContain('jane');
    expect(await claims<object>('report', 'explain', run)).toMatchObject({ id: run, status: 'succeeded', 'workers lost': 0 });
    const listed = await claims('audit', 'list', '--org', organizationId);
    expect(listed.map(({ action }) => action)).toContain('bank_statement.imported');
    const missing = await runCommand(['report', 'explain', newId()], env);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('record with this id')]);
  });

  it('verifies the audit logs of all organizations, and sees what waits', async () => {
    await openReports(app);
    const all = await claims<{ organization: string; ok: boolean }[]>('audit', 'verify', '--all');
    expect(all.length).toBeGreaterThan(1);
    expect(all.every(({ ok }) => ok)).toBe(true);
    expect(Array.isArray(await claims('jobs'))).toBe(true);
    expect(await claims('jobs', '--daily')).toContainEqual(expect.objectContaining({ job: 'jobs.forget_turns', at: '03:00', zone: 'UTC' }));
    const neither = await runCommand(['audit', 'verify'], env);
    expect([neither.code, neither.stderr]).toEqual([2, expect.stringContaining('--all')]);
  });

  it('gets a bundle without secrets and without names', async () => {
    const { organizationId } = await openReports(app);
    const { slug } = (await claims<{ id: string; slug: string }[]>('org', 'list')).find(({ id }) => id === organizationId)!;
    const path = join(folder, 'bundle.json');
    await runCommand(['doctor', '--support', path], env);
    const text = await readFile(path, 'utf8');
    const bundle = JSON.parse(text) as Record<string, unknown>;
    expect(Object.keys(bundle)).toEqual(['madeAt', 'versions', 'findings', 'settings', 'queues', 'tables']);
    for (const secret of [TEST_ENCRYPTION_KEY, database.url, slug, organizationId]) expect(text).not.toContain(secret);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });
});
