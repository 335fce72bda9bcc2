import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import type { Received } from '../../support/receiver.js';
import {
  aProject,
  DELIVERING,
  openHook,
  renameProject,
  startDelivering,
  untilReceived,
  untilSettled,
  type Hook,
} from '../../support/webhooks.js';

let app: TestApp;
let second: TestApp;
beforeAll(async () => {
  const env = { WEBHOOK_RETRY_SCHEDULE: '0s,300ms,300ms' };
  app = await startDelivering(env);
  second = await startApp({ DATABASE_URL: app.databaseUrl, ROLE: 'all', ...DELIVERING, ...env });
});
afterAll(async () => {
  await second.close();
  await app.close();
});

const idsOf = ({ receiver }: Hook): string[] => receiver.received.map(({ headers }) => String(headers['webhook-id']));
const eventsOf = async (hook: Hook): Promise<string[]> =>
  (
    await rowsOf<{ id: string }>(
      app.databaseUrl,
      `SELECT id FROM events WHERE organization_id = $1 AND kind LIKE 'claim_project.%' ORDER BY id`,
      [hook.organizationId],
    )
  ).map(({ id }) => id);

/** Fails the event with this number, counted from 0, so many times; answers all else with 200. */
function failing(hook: Hook, number: number, times: number) {
  const seen: string[] = [];
  let left = times;
  hook.receiver.answer = ({ headers }: Received, response: ServerResponse) => {
    const id = String(headers['webhook-id']);
    if (!seen.includes(id)) seen.push(id);
    const fails = seen.indexOf(id) === number && left > 0;
    if (fails) left -= 1;
    response.writeHead(fails ? 500 : 200).end();
  };
}

describe('an endpoint with ordered delivery', () => {
  it('gets events one at a time and in the order of their ids, however many are written at once, from several workers', async () => {
    const hook = await openHook(app, { ordered: true });
    let [atOnce, most] = [0, 0];
    hook.receiver.answer = (_received, response) => {
      most = Math.max(most, ++atOnce);
      setTimeout(() => {
        atOnce -= 1;
        response.writeHead(200).end();
      }, 5);
    };
    await Promise.all(Array.from({ length: 40 }, () => aProject(hook.api)));
    await untilReceived(hook.receiver, 40);
    expect(idsOf(hook)).toEqual(await eventsOf(hook));
    expect(most).toBe(1);
    await untilSettled(hook);
  });

  it('gets nothing after an event that fails until that has succeeded', async () => {
    const hook = await openHook(app, { ordered: true });
    failing(hook, 1, 2);
    for (let count = 0; count < 4; count += 1) await aProject(hook.api);
    await untilReceived(hook.receiver, 6);
    const [first, second, third, fourth] = await eventsOf(hook);
    expect(idsOf(hook)).toEqual([first, second, second, second, third, fourth]);
  });

  it('goes on with the next event once one is given up', async () => {
    const hook = await openHook(app, { ordered: true });
    failing(hook, 0, 3);
    const { id } = await aProject(hook.api);
    await renameProject(hook.api, id, 'Renamed');
    await untilReceived(hook.receiver, 4);
    const [first, second] = await eventsOf(hook);
    expect(idsOf(hook)).toEqual([first, first, first, second]);
  });

  it('does not delay other endpoints while it waits', async () => {
    const [held, other] = [await openHook(app, { ordered: true }), await openHook(app)];
    failing(held, 0, 1);
    await Promise.all([aProject(held.api), aProject(other.api)]);
    await untilReceived(other.receiver, 1);
    await untilReceived(held.receiver, 2);
  });

  it('can be switched on and off while deliveries are due', async () => {
    const hook = await openHook(app);
    for (let count = 0; count < 5; count += 1) await aProject(hook.api);
    expect(await hook.change({ ordered: true })).toMatchObject({ ordered: true });
    for (let count = 0; count < 5; count += 1) await aProject(hook.api);
    expect(await hook.change({ ordered: false })).toMatchObject({ ordered: false });
    await aProject(hook.api);
    await eventually(() => expect(new Set(idsOf(hook)).size).toBe(11));
    expect((await untilSettled(hook)).every(({ status }) => status === 'delivered')).toBe(true);
  });
});
