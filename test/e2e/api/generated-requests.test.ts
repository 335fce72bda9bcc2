import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendRequests } from '../../fuzz/send-requests.js';
import { makeWorld, NO_LIMITS } from '../../fuzz/world.js';
import { startDocumentedApp, type DocumentedApp } from '../../support/documented-app.js';
import { STATES } from '../../support/law-records.js';
import { memoryLog } from '../../support/memory-log.js';

const { log, lines } = memoryLog();
let app: DocumentedApp;
beforeAll(async () => {
  app = await startDocumentedApp(NO_LIMITS, log);
});
afterAll(() => app.close());

// `npm run fuzz` sends a hundred thousand.
it('three thousand generated requests to every path are answered without a 5xx', async () => {
  const { findings, routes } = await sendRequests(await makeWorld(app, app.url), { requests: 3000, seed: 1, connections: 4 });
  expect(findings).toEqual([]);
  expect(lines().filter(({ level }) => (level as number) > 40)).toEqual([]);
  // A reset would delete what the other requests are about.
  const operations = app.operations.filter(({ id }) => id !== 'test.reset').map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(routes)).toEqual(
    expect.arrayContaining([...operations, ...app.registry.openRoutes.map(({ method, path }) => `${method} ${path}`)]),
  );
  // Those of a state are refused with 409: what the requests are about has ended.
  const ofStates = app.operations.filter(({ id }) => id in STATES).map(({ method, path }) => `${method} ${path}`);
  expect(
    operations.filter((name) => routes[name]!.succeeded === 0 && !ofStates.includes(name)),
    'operations that no generated request has succeeded with',
  ).toEqual([]);
});
