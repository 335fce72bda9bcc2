import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fixtureOf } from '../../client/src/fixtures.js';
import { OPERATOR } from '../../src/kernel/context.js';
import { EndpointOperations } from '../../src/modules/webhooks/index.js';
import type { TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { startExample, type RunningExample } from '../support/examples.js';
import { aProject, openHook, startDelivering, untilSettled, type Hook } from '../support/webhooks.js';

const PATIENCE_MS = 120_000;

let app: TestApp;
let hook: Hook;
let inbox: string;
let example: RunningExample;
beforeAll(async () => {
  app = await startDelivering();
  hook = await openHook(app);
  inbox = await mkdtemp(join(tmpdir(), 'claims-inbox-'));
  await start();
}, PATIENCE_MS);
afterAll(async () => {
  await example.stop();
  await hook.receiver.close();
  await app.close();
  await rm(inbox, { recursive: true });
});

async function start(): Promise<void> {
  example = await startExample('webhook-receiver', { CLAIMS_WEBHOOK_SECRET: hook.webhook.secret!, INBOX: inbox, PORT: '0' });
  // It may begin with work that was left over.
  const targetUrl = await eventually(() => example.output.find((line) => line.startsWith('http')) ?? expect.fail('no address yet'));
  await hook.change({ targetUrl });
}

const workOf = ({ output }: RunningExample): string[] => output.filter((line) => !line.startsWith('http'));

const linesOf = async (file: string): Promise<string[]> => (await readFile(join(inbox, file), 'utf8')).trim().split('\n');

/** Waits until every delivery was answered, and returns the status of each. */
const statuses = async (): Promise<Array<number | null>> => (await untilSettled(hook)).map(({ responseStatus }) => responseStatus);

async function redeliver(): Promise<void> {
  const [delivery] = await hook.log();
  await app.app.get(EndpointOperations).redeliver(OPERATOR, delivery!.id);
}

it('works once on an event that is delivered twice, also after a restart in the middle of a line', async () => {
  const { name } = await aProject(hook.api);
  await eventually(() => expect(workOf(example)).toContain(`New claim project: ${name}`));
  expect(await statuses()).toEqual([204]);

  await redeliver();
  expect(await statuses()).toEqual([204, 204]);
  await eventually(async () => expect(await linesOf('done.txt')).toHaveLength(1));

  await example.stop();
  await appendFile(join(inbox, 'received.jsonl'), '{"id":"half');
  await start();
  await redeliver();
  expect(await statuses()).toEqual([204, 204, 204]);
  const { name: next } = await aProject(hook.api);
  await eventually(() => expect(workOf(example)).toEqual([`New claim project: ${next}`]));
  expect(await linesOf('received.jsonl')).toHaveLength(2);
});

it('continues after a restart with what it had received and not finished', async () => {
  await example.stop();
  const event = fixtureOf('claim_project.created', { data: { name: 'Left over' } });
  await appendFile(join(inbox, 'received.jsonl'), `${JSON.stringify(event)}\n`);
  await start();
  await eventually(() => expect(workOf(example)).toEqual(['New claim project: Left over']));
  await eventually(async () => expect(await linesOf('done.txt')).toContain(event.id));
});
