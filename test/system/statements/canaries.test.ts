import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeWorld, NO_LIMITS, type World } from '../../fuzz/world.js';
import { Canaries } from '../../support/canaries.js';
import { answersToAnother, callToolWithCanaries, callWithCanaries } from '../../support/canary-calls.js';
import { everyRow, failEveryOperation } from '../../support/canary-database.js';
import { keepSecrets, keepStatement } from '../../support/canary-secrets.js';
import { callOpenRoutes, useTheConsole } from '../../support/canary-pages.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { startCollector, type Collector } from '../../support/collector.js';
import { createDatabase } from '../../support/database.js';
import { startDocumentedApp, type DocumentedApp } from '../../support/documented-app.js';
import { startProcess } from '../../support/process.js';

const PATIENCE_MS = 600_000;
const BIG = { perMinute: 1e8, burst: 1e8 };
const LIMITS = {
  ...NO_LIMITS,
  RATE_LIMITS: JSON.stringify({ starter: { perMinute: 1, burst: 1 }, growth: BIG, enterprise: BIG }),
  ADDRESS_LIMITS: JSON.stringify(
    Object.fromEntries(
      ['authorize', 'pushed', 'pages', 'registrations', 'userCodes', 'console', 'documents', 'preflights', 'failures'].map((name) => [
        name,
        BIG,
      ]),
    ),
  ),
};

/** The tables in which what callers send stands as it was sent, because it is kept for them. */
const CONTENT_TABLES = [
  ...['api_keys', 'audit_entries', 'audit_events', 'bank_statements', 'claim_closings', 'claim_items', 'claim_projects'],
  ...[
    'claim_line_decisions',
    'claim_reports',
    'events',
    'expense_categories',
    'idempotency_keys',
    'organizations',
    'outgoing_mails',
    'receipts',
    'report_configurations',
    'statement_layouts',
    'statement_lines',
    'upload_links',
    'user_invitations',
  ],
  ...['users', 'webhook_deliveries', 'webhook_endpoints'],
];
/** The id of an authorization, which its address has, and that of a session: nobody takes them without the signature beside them. */
const SIGNED_IDS = ['cookie claims_interaction', 'cookie claims_interaction_resume', 'cookie claims_oauth'];
/** What they answer is known from the credential. */
const READ_NOTHING = ['api.auth_context', 'api.catalog', 'organization.get', 'webhooks.list_events'];

const canaries = new Canaries();
/** What of the service has left it, by where it went. */
const left = { log: '', metrics: '', traces: '', toOthers: '' };
const statuses: Record<string, number[]> = {};
let tables: Record<string, string>;
let sentForms: number;
let collector: Collector;
let app: DocumentedApp;

beforeAll(async () => {
  const [database, folder, opened] = [
    await createDatabase(),
    await mkdtemp(join(tmpdir(), 'claims-canaries-')),
    await startCollector(),
  ] as const;
  collector = opened;
  app = await startDocumentedApp({ ...LIMITS, DATABASE_URL: database.url, STATEMENT_KEEP_ORIGINAL: 'true' });
  const service = await startProcess({
    ...LIMITS,
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    ROLE: 'all',
    LOG_LEVEL: 'trace',
    STATEMENT_KEEP_ORIGINAL: 'true',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER_ARG: '1',
    REQUEST_TIMEOUT_MS: '20000',
  });
  const world = await makeWorld(app, service.url);
  const { body } = await new Client(service.url, world.key).get('/v1/auth/context');
  const { id } = (body as { organization: { id: string } }).organization;
  await keepSecrets(world, canaries);
  await keepStatement(world, canaries, id);
  for (const operation of app.operations) {
    // A reset would delete what is looked for.
    const own = operation.id === 'test.reset' ? await anEmptyOne(world) : world;
    statuses[operation.id] = await callWithCanaries(own, canaries, operation);
    await callToolWithCanaries(own, canaries, operation);
  }
  await callOpenRoutes(world, canaries);
  ({ statuses: statuses.console, sentForms } = await useTheConsole(world, canaries, id));
  left.toOthers = await answersToAnother(world);
  tables = await everyRow(database.url);
  const failed = await failEveryOperation(world, canaries, database.url);
  for (const [name, status] of Object.entries(failed)) statuses[name]!.push(status);
  left.metrics = await (await fetch(`${service.metrics}/metrics`)).text();
  const { stdout, stderr } = await service.stop();
  left.log = stdout + stderr;
  left.traces = collector.sent.join('');
  await app.close();
  await database.drop();
  await rm(folder, { recursive: true });
}, PATIENCE_MS);
afterAll(() => collector.close());

const without = (found: readonly string[], known: readonly string[]): string[] => found.filter((as) => !known.includes(as));

async function anEmptyOne(world: World): Promise<World> {
  const { key } = await aTenant(app);
  return { ...world, key, keys: { ...world.keys, key }, accessToken: 'none' };
}

it('every operation and every form has had canaries, and has answered with successes and with every kind of error', () => {
  const { console: ofConsole, ...ofOperations } = statuses;
  for (const { id, status, isWrite, needsKey, takesIfMatch } of app.operations) {
    const due = [status, 400, 401, ...(needsKey ? [409, 413, 415] : []), ...(takesIfMatch ? [412] : []), ...(isWrite ? [403] : [])];
    expect(ofOperations[id], id).toEqual(expect.arrayContaining(due));
  }
  expect(
    Object.keys(ofOperations)
      .filter((id) => !ofOperations[id]!.includes(500))
      .sort(),
  ).toEqual(READ_NOTHING);
  expect(new Set(Object.values(ofOperations).flat())).toEqual(new Set([200, 201, 204, 400, 401, 403, 404, 409, 412, 413, 415, 429, 500]));
  expect(ofConsole).toHaveLength(app.registry.consoleRoutes.filter(({ method }) => method === 'POST').length);
  expect(sentForms).toBeGreaterThan(15);
});

it('canaries are found where they are: content in its table, and each operation in log, metrics and traces', () => {
  expect(canaries.in(tables.claim_projects!, 'content')).toContain('name of claim_projects.create');
  expect(canaries.in(tables.statement_lines!, 'content')).toContain('description of a statement');
  for (const text of [left.log, left.metrics, left.traces]) expect(text).toContain('claim_projects.create');
});

it('no canary is in a line of the log, at the level trace', () => {
  expect(without(canaries.in(left.log), SIGNED_IDS)).toEqual([]);
});

it('no canary is in the metrics or in a trace', () => {
  expect(canaries.in(left.metrics)).toEqual([]);
  expect(canaries.in(left.traces)).toEqual([]);
});

it('no canary is in what another organization is answered', () => {
  expect(left.toOthers.length).toBeGreaterThan(10_000);
  expect(canaries.in(left.toOthers)).toEqual([]);
});

it('no secret stands in a column as it was sent or issued', () => {
  for (const [name, text] of Object.entries(tables))
    expect(without(canaries.in(text, 'secret'), name === 'oauth_records' ? SIGNED_IDS : []), name).toEqual([]);
});

it('what callers write stands only in the tables that keep it', () => {
  const found = Object.keys(tables).filter((name) => canaries.in(tables[name]!, 'content').length > 0);
  expect(without(found, CONTENT_TABLES)).toEqual([]);
});
