import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SETTINGS } from '../../../src/kernel/settings/settings.js';
import { startApp, TEST_ENCRYPTION_KEY, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { createDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { aFreePort } from '../../support/free-port.js';
import { GuideBlocks } from '../../support/guide-blocks.js';
import { startProgram } from '../../support/guide-programs.js';
import { GuideShell } from '../../support/guide-shell.js';
import { expectMatches, type OpenApi } from '../../support/law-answers.js';
import { aProject, nextDelivery, openHook, untilSettled } from '../../support/webhooks.js';

const blocks = new GuideBlocks('webhooks');
const RECEIVER = blocks.take('js', 'createServer');

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

/** Runs the JavaScript receiver of the guide by its command, unchanged. */
async function startReceiver(env: Record<string, string>): Promise<{ child: ChildProcess; output: () => string }> {
  const child = await startProgram(RECEIVER, env);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return { child, output: () => text };
}

/** What reads a program without running it, for languages whose libraries are not installed here. Of these, only Python always is. */
const READERS = [
  ['python', 'receiver.py', 'python3 -m py_compile receiver.py'],
  ['go', 'receiver.go', '! command -v gofmt || gofmt -e receiver.go'],
  ['php', 'receiver.php', '! command -v php || php -l receiver.php'],
  ['ruby', 'receiver.rb', '! command -v ruby || ruby -c receiver.rb'],
] as const;

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
    const { child, output } = await startReceiver({ PORT: String(port), WEBHOOK_SECRET: webhook.secret });
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

  it('has receivers in other languages, which their own tools can read where they are installed', async () => {
    const shell = await GuideShell.open({});
    for (const [language, file, command] of READERS) {
      const text = blocks.take(language);
      expect(text).toContain('WEBHOOK_SECRET');
      await shell.file(file, text);
      await shell.paste(command);
    }
    await shell.close();
  });

  it('has a function that verifies Ed25519 deliveries, and refuses all others', async () => {
    const hook = await openHook(app, { signature: 'ed25519' });
    const { headers, body } = await nextDelivery(hook);
    const check = `${blocks.take('js', 'createPublicKey')}
      const { headers, body } = JSON.parse(process.env.DELIVERY);
      const old = { ...headers, 'webhook-timestamp': String(headers['webhook-timestamp'] - 600) };
      const answers = [isOurs(headers, Buffer.from(body)), isOurs(headers, Buffer.from(body + ' ')), isOurs(old, Buffer.from(body))];
      process.stdout.write(JSON.stringify(answers));`;
    const env = { WEBHOOK_PUBLIC_KEY: hook.webhook.publicKey!, DELIVERY: JSON.stringify({ headers, body }) };
    const shell = await GuideShell.open(env);
    await shell.file('check.mjs', check);
    expect(JSON.parse(await shell.paste('node check.mjs'))).toEqual([true, false, false]);
    await shell.close();
  });

  it('shows a delivery whose signature and body are valid', async () => {
    const [head = '', body = ''] = blocks.take('http').trimEnd().split('\n\n');
    const headers = Object.fromEntries([...head.matchAll(/^([\w-]+): (.+)$/gm)].map(([, name, value]) => [name!.toLowerCase(), value!]));
    const [, secret] = /with the secret `(whsec_[^`]+)`/.exec(guide)!;
    const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000);
    expect(new Webhook(secret!).sign(headers['webhook-id']!, sentAt, body)).toBe(headers['webhook-signature']);
    const document = (await new Client(app.url).get('/openapi.json')).body as unknown as OpenApi;
    for (const event of [JSON.parse(body), JSON.parse(blocks.take('json'))] as { type: string }[]) {
      const schema = event.type.replace(/(?:^|[._])(\w)/g, (_all, letter: string) => letter.toUpperCase());
      expectMatches(document, `${schema}Event`, event);
    }
  });

  it('has calls by which a receiver that was away catches up, with curl alone', async () => {
    const hook = await openHook(app);
    await nextDelivery(hook);
    const deliveryId = (await untilSettled(hook))[0]!.id;
    await hook.change({ status: 'disabled' });
    for (let count = 0; count < 3; count += 1) await aProject(hook.api);
    await hook.change({ status: 'active' });
    const shell = await GuideShell.open({ CLAIMS_BASE_URL: app.url, CLAIMS_API_KEY: hook.key });
    const calls = blocks.take('sh', '/missed').replace('WEBHOOK_ID', hook.webhook.id).replace('DELIVERY_ID', deliveryId);
    const answers = (await shell.paste(calls)).split('\n').filter((line) => line.startsWith('{'));
    const [missed, replayed, pending, stopped, tested, again] = answers.map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(missed).toMatchObject({ deliveries: 3, kinds: [{ kind: 'claim_project.created', deliveries: 3 }] });
    expect([replayed, pending?.pagination !== undefined, stopped?.deliveries !== undefined]).toEqual([{ deliveries: 3 }, true, true]);
    expect(tested).toMatchObject({ eventKind: 'claim_project.created', responseStatus: 200, errorCode: null });
    expect(again?.deliveryId).toEqual(expect.not.stringMatching(deliveryId));
    await shell.close();
  });

  it("has commands that listen on a developer's machine, with a key and with the database", async () => {
    const { key, organization } = await aTenant(app);
    const env = { DATABASE_URL: database.url, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY, CLAIMS_BASE_URL: app.url, CLAIMS_API_KEY: key };
    const shell = await GuideShell.open(env);
    await shell.paste(blocks.take('sh', '--api'), /Forwarding/);
    await shell.paste(
      `npx claims webhook listen --forward-to http://127.0.0.1:4000/hooks/claims --org ${organization.slug}\n`,
      /Forwarding/,
    );
    await shell.close();
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

  it('has no block that was not run or read', () => {
    expect(blocks.left).toEqual([]);
  });
});
