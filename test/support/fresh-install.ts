import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { demo, type Demo } from '../../src/program/demo.js';
import { startApp, type TestApp } from './app.js';
import { Client } from './client.js';
import { createDatabase } from './database.js';
import { eventually } from './eventually.js';

export interface FreshInstall {
  readonly app: TestApp;
  readonly made: Demo;
  /** A client with the test key that the first start prints. */
  readonly api: Client;
  close(): Promise<void>;
}

/** Workers read and redact a statement first. */
const PATIENCE_MS = 60_000;

/** The service as a newcomer has it: a first start on an empty database, whose sample report has been made. */
export async function freshInstall(): Promise<FreshInstall> {
  const database = await createDatabase();
  const app = await startApp({ DATABASE_URL: database.url, ROLE: 'all' });
  const folder = await mkdtemp(join(tmpdir(), 'claims-demo-'));
  const made = (await demo(app.app, join(folder, 'demo.json')))!;
  const api = new Client(app.url, made.keys.test);
  await eventually(async () => {
    expect((await api.get(`/v1/claim-reports/${made.records!.report_id}`)).body).toMatchObject({ status: 'succeeded' });
  }, PATIENCE_MS);
  const close = async (): Promise<void> => {
    await app.close();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  };
  return { app, made, api, close };
}
