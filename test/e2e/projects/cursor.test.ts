import { afterAll, beforeAll, expect, it } from 'vitest';
import { Claims } from '../../../client/src/index.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

it('a record that no longer fits the filter while one pages makes the cursor skip none, as the number of a page would', async () => {
  const claims = new Claims({ apiKey: (await aTenant(app)).key, baseUrl: app.url });
  const made: string[] = [];
  for (let number = 0; number < 6; number += 1) {
    const period = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };
    made.unshift((await claims.projects.create({ name: `Project ${number}`, ...period, status: 'active' })).id);
  }
  const active = { status: 'active', page_size: 2 } as const;
  const found: string[] = [];
  for await (const { id } of claims.projects.list(active)) {
    found.push(id);
    if (found.length === 2) await claims.projects.update(made[0]!, { status: 'archived' });
  }
  expect(found).toEqual(made);
  // By number, the second page would begin with the fourth of six.
  const { data } = await claims.projects.list({ ...active, page: 2 }).page();
  expect(data.map(({ id }) => id)).toEqual([made[3], made[4]]);
});
