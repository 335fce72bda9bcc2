import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asyncApiDocument } from '../../src/modules/contracts/asyncapi.js';
import { packageJson } from '../../src/kernel/package-folder.js';
import { loadExtensions } from '../../src/program/extensions/load-extensions.js';
import { openApiDocument } from '../../src/modules/contracts/openapi.js';
import { settingsOf } from '../../src/extension.js';
import { Registry } from '../../src/api/operation/registry.js';
import { JobRegistry } from '../../src/store/jobs/job-registry.js';
import {
  generatedClient,
  generatedExamples,
  generatedMock,
  generatedTypes,
  type Document,
  type Events,
  type MockSource,
} from '../../client/scripts/generate.js';
import { startApp, type TestApp } from '../support/app.js';
import { collectionEnvironment, collectionOf } from '../../src/modules/contracts/collection.js';
import { generated } from '../support/generated.js';
import { errorsPage, limitsPage, problemTexts, problemTitles } from '../support/guide-documents.js';
import { layoutSchema } from '../support/layout-schema.js';
import type { OpenApi } from '../support/law-document.js';
import {
  allRules,
  auditActionsPage,
  chartSchema,
  envExample,
  eventsPage,
  extensionSettingsPage,
  layoutsPage,
  metricsPage,
  operationsPage,
  prometheusRule,
  settingsTable,
  withTools,
} from '../support/documents.js';
import { serviceLevels, sloRules } from '../support/service-levels.js';

/** Where the service is, in the files of `docs`. */
const EXAMPLE_URL = 'https://api.claims.example';
const CHART = 'docker/helm/claims-api';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

it('docs/openapi.json matches the code', async () => {
  const document = openApiDocument(app.app, EXAMPLE_URL);
  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot(generated('docs/openapi.json'));
});

it('docs/asyncapi.json matches the code', async () => {
  await expect(`${JSON.stringify(asyncApiDocument(app.app, EXAMPLE_URL), null, 2)}\n`).toMatchFileSnapshot(generated('docs/asyncapi.json'));
});

it('the client library has the types, operations, events and errors of the documents', async () => {
  const document = openApiDocument(app.app, EXAMPLE_URL) as unknown as Document;
  const titles = problemTitles();
  await expect(await generatedClient(document, titles)).toMatchFileSnapshot(generated('client/src/generated.ts'));
  await expect(await generatedTypes(document)).toMatchFileSnapshot(generated('client/src/generated-types.ts'));
  const { channels } = asyncApiDocument(app.app, EXAMPLE_URL) as unknown as { channels: object };
  expect(Object.keys(document.webhooks).sort()).toEqual(Object.keys(channels).sort());
});

it('the client library has the example of each event', async () => {
  const document = asyncApiDocument(app.app, EXAMPLE_URL) as unknown as Events;
  await expect(await generatedExamples(document)).toMatchFileSnapshot(generated('client/src/event-examples.ts'));
});

it('the mock of the client library has the operations, schemas and errors of the documents', async () => {
  const document = openApiDocument(app.app, EXAMPLE_URL) as unknown as MockSource;
  await expect(await generatedMock(document, problemTexts())).toMatchFileSnapshot(generated('client/src/mock/document.ts'));
});

it('docs/operations.md matches the code', async () => {
  await expect(operationsPage(app.app.get(Registry))).toMatchFileSnapshot(generated('docs/operations.md'));
});

it('docs/mcp.md lists every tool', async () => {
  await expect(withTools(await readFile('docs/mcp.md', 'utf8'), app.app.get(Registry))).toMatchFileSnapshot(generated('docs/mcp.md'));
});

it('docs/events.md matches the code', async () => {
  await expect(eventsPage(app.app.get(Registry), app.app.get(JobRegistry))).toMatchFileSnapshot(generated('docs/events.md'));
});

it('docs/metrics.md matches the code', async () => {
  await expect(metricsPage()).toMatchFileSnapshot(generated('docs/metrics.md'));
});

it('the rules about service levels are those of docker/prometheus/slo.yaml, and Kubernetes has all rules', async () => {
  const rules = sloRules(await serviceLevels());
  await expect(rules).toMatchFileSnapshot('../../docker/prometheus/slo-rules.yaml');
  const alerts = await readFile('docker/prometheus/alerts.yaml', 'utf8');
  const all = allRules(alerts, rules);
  await expect(prometheusRule(all)).toMatchFileSnapshot('../../docker/kubernetes/base/alerts.yaml');
  // A chart has only the files of its own folder.
  await expect(all).toMatchFileSnapshot(`../../${CHART}/files/alerts.yaml`);
});

it('the chart takes every setting of the service, with its sentence', async () => {
  const schema = `${CHART}/values.schema.json`;
  await expect(chartSchema(await readFile(schema, 'utf8'))).toMatchFileSnapshot(`../../${schema}`);
});

it('docs/audit-actions.md matches the code', async () => {
  await expect(auditActionsPage(app.app.get(Registry))).toMatchFileSnapshot(generated('docs/audit-actions.md'));
});

it('docs/errors.md matches the code', async () => {
  await expect(errorsPage()).toMatchFileSnapshot(generated('docs/errors.md'));
});

it('docs/limits.md matches the code', async () => {
  const document = openApiDocument(app.app, EXAMPLE_URL) as unknown as OpenApi;
  await expect(limitsPage(document)).toMatchFileSnapshot(generated('docs/limits.md'));
});

it('docs/collection.json and its environment match the code', async () => {
  const collection = collectionOf(openApiDocument(app.app, EXAMPLE_URL));
  await expect(`${JSON.stringify(collection, null, 2)}\n`).toMatchFileSnapshot(generated('docs/collection.json'));
  const environment = collectionEnvironment(EXAMPLE_URL);
  await expect(`${JSON.stringify(environment, null, 2)}\n`).toMatchFileSnapshot(generated('docs/collection-environment.json'));
});

it('docs/statement-layouts.md matches the code', async () => {
  await expect(layoutsPage()).toMatchFileSnapshot(generated('docs/statement-layouts.md'));
});

it('every listed action of the audit log is recorded somewhere, and none is an event as well', async () => {
  const files = (await readdir('src', { recursive: true })).filter((file) => /\.tsx?$/.test(file) && !/spec\.ts$/.test(file));
  const texts = await Promise.all(files.map(async (file) => [file, await readFile(join('src', file), 'utf8')] as const));
  // A page records what it declares to be read. What a form says that it records, is recorded by a service.
  const source = texts.map(([file, text]) => (file.endsWith('.tsx') ? text.match(/\baction: '[^']+'/g)?.join('\n') : text)).join('\n');
  // `refused` is recorded with the type of the credential.
  const listed = packageJson<Record<string, string>>('codes/audit-actions.json');
  const actions = Object.keys(listed).filter((action) => !action.endsWith('.refused'));
  expect(actions.filter((action) => !source.includes(`'${action}'`))).toEqual([]);
  const kinds = app.app.get(Registry).events.map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind in listed)).toEqual([]);
});

it('the README lists every setting with its default and description', async () => {
  expect(await readFile('README.md', 'utf8')).toContain(settingsTable());
});

it('docs/settings.md lists the settings of extensions, and is there if they have any', async () => {
  const settings = settingsOf(await loadExtensions());
  if (settings.length === 0) return expect(existsSync('docs/settings.md')).toBe(false);
  await expect(extensionSettingsPage(settings)).toMatchFileSnapshot(generated('docs/settings.md'));
});

it('docs/statement-layout.schema.json says what a layout may have', async () => {
  await expect(`${JSON.stringify(layoutSchema(), null, 2)}\n`).toMatchFileSnapshot('../../docs/statement-layout.schema.json');
});

it('.env.example lists every setting with its default and its sentence', async () => {
  await expect(envExample()).toMatchFileSnapshot('../../.env.example');
});

it('every npm script and every file of a command that a document names exists', async () => {
  const pages = ['README.md', 'CONTRIBUTING.md', ...(await readdir('docs', { recursive: true })).map((name) => `docs/${name}`)].filter(
    (name) => name.endsWith('.md'),
  );
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
  const isKnown = (name: string) =>
    name in scripts || (name.endsWith('*') && Object.keys(scripts).some((script) => script.startsWith(name.slice(0, -1))));
  const missing: string[] = [];
  let count = 0;
  for (const page of pages) {
    const text = await readFile(page, 'utf8');
    // A line may break between the words of a command.
    for (const [, name] of text.matchAll(/\bnpm\s+run\s+(?:--silent\s+)?([\w:]+\*?)/g)) {
      count += 1;
      if (!isKnown(name!)) missing.push(`${page}: npm run ${name}`);
    }
    for (const [, file] of text.matchAll(/\bnode\s+((?:test|scripts|tools|bin|src)\/[\w./-]+\.[jt]s)\b/g))
      if (!(await readFile(file!).catch(() => undefined))) missing.push(`${page}: node ${file}`);
  }
  expect(count).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});
