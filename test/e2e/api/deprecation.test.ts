import { afterAll, beforeAll, expect, it } from 'vitest';
import { Registry } from '../../../src/api/operation/registry.js';
import type { Deprecation } from '../../../src/api/operation/operation.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';

const deprecated: Deprecation = { since: '2027-01-31', sunset: '2028-01-31', instead: 'Use another.' };

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  // No operation of ours is deprecated, so one of this application is declared to be.
  Object.assign(app.app.get(Registry).operationCalled('claim_projects.list'), { deprecated });
});
afterAll(() => app.close());

it('every answer of a deprecated operation says since and until when, errors too, and others say nothing', async () => {
  const { key } = await aTenant(app);
  const api = new Client(app.url, key);
  for (const [path, status] of [
    ['/v1/claim-projects', 200],
    ['/v1/claim-projects?page_size=0', 400],
  ] as const) {
    const answer = await api.get(path);
    expect([answer.status, answer.headers.deprecation, answer.headers.sunset]).toEqual([
      status,
      '@1801353600',
      'Mon, 31 Jan 2028 00:00:00 GMT',
    ]);
    expect(answer.headers.link).toContain('rel="deprecation"');
  }
  expect((await new Client(app.url).get('/v1/claim-projects')).headers.deprecation).toBe('@1801353600');
  expect((await api.get('/v1/auth/context')).headers).not.toHaveProperty('deprecation');
});
