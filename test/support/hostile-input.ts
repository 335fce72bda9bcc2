import { afterAll, beforeAll, expect } from 'vitest';
import { startApp, type TestApp } from './app.js';
import { aTenant } from './builders.js';
import { Client } from './client.js';
import { memoryLog } from './memory-log.js';
import { countRows } from './traces.js';

export const PROJECTS = '/v1/claim-projects';
/** A valid project, which the tests make invalid. */
export const GOOD = {
  name: 'Berlin',
  clientReference: 'C-1',
  periodStart: '2026-01-01',
  periodEnd: '2026-12-31',
  status: 'draft',
  metadata: {},
};

/** Starts an app for a test file with invalid input. In the end no request may have returned a 500 or logged a warning. */
export function useAppWithoutErrors() {
  const { log, lines, requests } = memoryLog();
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({}, log);
  });
  afterAll(async () => {
    await app.close();
    expect(requests().filter(({ status }) => (status as number) >= 500)).toEqual([]);
    expect(lines().filter(({ level }) => (level as number) > 30)).toEqual([]);
  });

  /** Creates a tenant. `untouched` checks that the number of its rows has not changed. */
  async function setUp() {
    const { key, organization } = await aTenant(app);
    const api = new Client(app.url, key);
    const { body } = await api.post(PROJECTS, { ...GOOD, name: 'Existing' });
    const before = await countRows(app, organization.id);
    const untouched = async (): Promise<void> => expect(await countRows(app, organization.id)).toEqual(before);
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const sendText = (text: string) => api.send('POST', PROJECTS, text);
    return { url: app.url, api, key, headers, untouched, sendText, project: `${PROJECTS}/${(body as { id: string }).id}` };
  }
  return { setUp, requests };
}
