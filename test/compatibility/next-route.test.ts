import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATOR } from '../../src/kernel/context.js';
import { EndpointOperations } from '../../src/modules/webhooks/index.js';
import type { TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { startNext, type NextApp } from './support/next-app.js';
import { aProject, openHook, startDelivering, untilSettled, type Hook } from '../support/webhooks.js';

const PATIENCE_MS = 240_000;

let app: TestApp;
let hook: Hook;
let example: NextApp;
beforeAll(async () => {
  app = await startDelivering();
  hook = await openHook(app);
  const source = fileURLToPath(new URL('../../examples/next-route', import.meta.url));
  example = await startNext(source, { CLAIMS_WEBHOOK_SECRET: hook.webhook.secret! });
  await hook.change({ targetUrl: `${example.url}/hooks/claims` });
}, PATIENCE_MS);
afterAll(async () => {
  await example.close();
  await hook.receiver.close();
  await app.close();
});

it('works once on an event that is delivered twice, and refuses what is not ours', async () => {
  const { name } = await aProject(hook.api);
  const expected = `New claim project: ${name}`;
  await eventually(() => expect(example.output).toContain(expected));
  const [delivery] = await untilSettled(hook);
  await app.app.get(EndpointOperations).redeliver(OPERATOR, delivery!.id);
  expect((await untilSettled(hook)).map(({ responseStatus }) => responseStatus)).toEqual([204, 204]);

  const { name: next } = await aProject(hook.api);
  await eventually(() => expect(example.output).toContain(`New claim project: ${next}`));
  expect(example.output.filter((line) => line === expected)).toHaveLength(1);
  expect((await fetch(`${example.url}/hooks/claims`, { method: 'POST', body: '{}' })).status).toBe(401);
});
