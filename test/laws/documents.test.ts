import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asyncApiDocument } from '../../src/modules/contracts/asyncapi.js';
import { openApiDocument } from '../../src/modules/contracts/openapi.js';
import { Registry } from '../../src/api/operation/registry.js';
import { JobRegistry } from '../../src/store/jobs/job-registry.js';
import { startApp, type TestApp } from '../support/app.js';
import { envExample, eventsPage, operationsPage, settingsTable } from '../support/documents.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

it('docs/openapi.json matches the code', async () => {
  const document = openApiDocument(app.app, 'https://api.example.com');
  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot('../../docs/openapi.json');
});

it('docs/asyncapi.json matches the code', async () => {
  await expect(`${JSON.stringify(asyncApiDocument(app.app), null, 2)}\n`).toMatchFileSnapshot('../../docs/asyncapi.json');
});

it('docs/operations.md matches the code', async () => {
  await expect(operationsPage(app.app.get(Registry))).toMatchFileSnapshot('../../docs/operations.md');
});

it('docs/events.md matches the code', async () => {
  await expect(eventsPage(app.app.get(Registry), app.app.get(JobRegistry))).toMatchFileSnapshot('../../docs/events.md');
});

it('the README lists every setting with its default and description', async () => {
  expect(await readFile('README.md', 'utf8')).toContain(settingsTable());
});

it('.env.example lists every setting with its default and its sentence', async () => {
  await expect(envExample()).toMatchFileSnapshot('../../.env.example');
});
