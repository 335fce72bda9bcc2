import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SETTINGS } from '../../src/kernel/settings/settings.js';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { createDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
let guide: string;
beforeAll(async () => {
  guide = await readFile('docs/webhooks.md', 'utf8');
  database = await createDatabase();
  app = await startApp({ DATABASE_URL: database.url, ROLE: 'all', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

async function aFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Runs the JavaScript receiver of the guide, unchanged. It finds the library in our node_modules. */
function startReceiver(env: Record<string, string>): { child: ChildProcess; output: () => string } {
  const [, code] = /```js\n([^]+?)```/.exec(guide)!;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code!], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return { child, output: () => text };
}

describe('the guide for receivers', () => {
  it('has a JavaScript receiver that verifies real deliveries, also after a rotation, and refuses everything else', async () => {
    const { key } = await aTenant(app);
    const api = new Client(app.url, key);
    const port = await aFreePort();
    const { body: webhook } = await api.post('/v1/webhooks', {
      name: 'Guide',
      targetUrl: `http://127.0.0.1:${port}/hooks/claims`,
      subscribedEvents: ['claim_project.created'],
    });
    const { child, output } = startReceiver({ PORT: String(port), WEBHOOK_SECRET: webhook.secret });
    const post = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{"id":"1","type":"forged","data":{"id":"1"}}', headers });
    await eventually(async () => expect((await post({})).status).toBe(401));
    try {
      const create = async (name: string) =>
        (await api.post('/v1/claim-projects', { name, periodStart: '2026-01-01', periodEnd: '2026-12-31' })).body.id as string;
      const first = await create('Berlin');
      await eventually(() => expect(output()).toBe(`claim_project.created ${first}\n`));
      await api.patch(`/v1/webhooks/${webhook.id}`, { rotateSecret: true });
      const second = await create('Hamburg');
      await eventually(() => expect(output()).toBe(`claim_project.created ${first}\nclaim_project.created ${second}\n`));
      expect(
        (await post({ 'webhook-id': '1', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)), 'webhook-signature': 'v1,AAAA' }))
          .status,
      ).toBe(401);
      await eventually(async () =>
        expect((await api.get(`/v1/webhooks/${webhook.id}/deliveries`)).body.data).toMatchObject([
          { status: 'delivered', responseStatus: 204 },
          { status: 'delivered' },
        ]),
      );
      expect(output()).not.toContain('forged');
    } finally {
      child.kill();
    }
  });

  it('shows how to verify in five languages', () => {
    for (const language of ['js', 'python', 'go', 'php', 'ruby'])
      expect(guide).toMatch(new RegExp(`\`\`\`${language}\\n[^]+?WEBHOOK_SECRET[^]+?\`\`\``));
  });

  it('lists the real retry schedule and timeout', () => {
    const table = /\| Attempt[^]+?\n\n/.exec(guide)![0];
    const UNITS: Record<string, number> = { second: 1000, minute: 60_000, hour: 3_600_000 };
    const stated = [...table.matchAll(/^\| (\d+(?:, \d+)*) \| (?:at once|(\d+) (second|minute|hour)s?(?: each)?) \|$/gm)].flatMap(
      ([, attempts, count, unit]) => attempts!.split(', ').map(() => (unit ? Number(count) * UNITS[unit]! : 0)),
    );
    expect(stated).toEqual(SETTINGS.webhookRetrySchedule.fallback);
    expect(guide).toContain(`longer than ${SETTINGS.webhookTimeoutMs.fallback / 1000} seconds`);
  });

  it('has no broken links', async () => {
    const links = [...guide.matchAll(/\]\((?!https?:|#)([^)]+)\)/g)].map((match) => match[1]!);
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) await expect(readFile(`docs/${link}`), link).resolves.toBeDefined();
  });
});
