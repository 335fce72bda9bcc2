import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROBLEMS } from '../../src/kernel/problems.js';
import { startApp, type TestApp } from '../support/app.js';
import { Client } from '../support/client.js';

const PAGES = ['/openapi.json', '/asyncapi.json', '/problems', ...Object.keys(PROBLEMS).map((code) => `/problems/${code}`)];

let standard: TestApp;
let changed: TestApp;
beforeAll(async () => {
  standard = await startApp();
  changed = await startApp({ IDEMPOTENCY_RETENTION: '48h', WEBHOOK_RETRY_SCHEDULE: '0s,1h,2h' });
});
afterAll(async () => {
  await standard.close();
  await changed.close();
});

const published = async (app: TestApp, path: string): Promise<string> => (await new Client(app.url).get(path)).text;

describe('published texts', () => {
  it.each(PAGES)('%s has the value of every setting that it states', async (path) => {
    const text = await published(standard, path);
    expect(text.length).toBeGreaterThan(100);
    expect(text).not.toMatch(/\{\{|undefined|NaN/);
  });

  it.each([
    ['/openapi.json', 'Keys are remembered for 24 hours.', 'Keys are remembered for 2 days.'],
    ['/asyncapi.json', 'retried for about 28 hours.', 'retried for about 3 hours.'],
    ['/problems/idempotency_conflict', 'within the last 24 hours', 'within the last 2 days'],
  ])('%s says "%s" by default, and otherwise states what the operator has set', async (path, byDefault, asSet) => {
    expect(await published(standard, path)).toContain(byDefault);
    expect(await published(changed, path)).toContain(asSet);
    expect(await published(changed, path)).not.toContain(byDefault);
  });

  it.each([
    ['/problems/body_too_large', '1 MiB'],
    ['/problems/headers_too_large', '16 KiB'],
    ['/problems/validation_failed', '100'],
  ])('%s states the limit of %s', async (path, limit) => {
    expect(await published(standard, path)).toContain(limit);
  });
});
