import { afterAll, expect, it } from 'vitest';
import { CatalogueRepository } from '../../src/modules/organization-data/catalogue.repository.js';
import { exportedColumns } from '../../src/modules/organization-data/export/export.service.js';
import { MovedTables } from '../../src/modules/organization-data/move/moved-tables.js';
import { startDocumentedApp } from '../support/documented-app.js';
import { rowsOf } from '../support/database.js';
import { factsOfExtensions, tablesForExtensions, tablesOfExtensions } from '../support/extension-facts.js';

// Export and erasure find tables in the database. These laws ask about the tables that they cannot find there by themselves.
const app = await startDocumentedApp();
afterAll(() => app.close());
const tables = await app.app.get(CatalogueRepository).organizationTables();

/** Tables with rows of no organization, each with what is in it. */
const OF_NOBODY: Readonly<Record<string, string>> = {
  audit_keys: 'The keys that sign checkpoints of audit logs.',
  encryption_key_checks: 'A known text under each encryption key.',
  exchange_rates: 'Published exchange rates.',
  oauth_registrations: 'Applications that serve every organization.',
  migrations: 'The migrations that were run.',
  ...factsOfExtensions('tablesOfNobody'),
  organizations: 'The organizations themselves. They are exported and erased by their id.',
  usage_writers: 'Which counts each process has written.',
};

/** Their table has the word. */
const OF_USAGE = [
  'organization_id',
  'environment',
  'day',
  'credential_id',
  'type',
  'name',
  'calls',
  'clients',
  'refused',
  'daily_calls',
  'noticed_at',
];

/** Exported columns that sound like secrets, each with what they are. */
const NO_SECRETS: Readonly<Record<string, string>> = {
  'api_keys.daily_tokens': 'A number.',
  'oauth_applications.daily_tokens': 'A number.',
  'api_requests.credential_id': 'The id of a key or an application.',
  'api_requests.credential_name': 'The name of a key or an application.',
  ...factsOfExtensions('noSecrets'),
  'audit_chains.hash': 'The head of the hash chain.',
  'audit_events.hash': 'The hash chain of the audit log.',
  'audit_events.previous_hash': 'The hash chain of the audit log.',
  'claim_closings.inputs_hash': 'The hash of the inputs, which the API returns.',
  'identity_providers.passwords_allowed': 'Whether people sign in with passwords.',
  ...Object.fromEntries(OF_USAGE.map((column) => [`usage_credentials.${column}`, 'What a key or an application has called.'])),
  'oauth_applications.previous_secret_expires_at': 'A time.',
  'oauth_applications.secret_hint': 'The last characters, which operators see.',
  'webhook_endpoints.previous_secret_expires_at': 'A time.',
  'webhook_endpoints.secret_hint': 'The last characters, which the API returns.',
  'webhook_endpoints.signature': 'The kind of signature.',
};

it('every table has rows of organizations that export and erasure find, or is known to have none', async () => {
  const all = await rowsOf<{ name: string }>(
    app.databaseUrl,
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
      AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  const known = [...tables.map(({ name }) => name), ...Object.keys(OF_NOBODY), ...tablesForExtensions];
  expect(all.map(({ name }) => name)).toEqual(known.sort());
});

it('every table that is not exported or not erased says why', async () => {
  const ofExtensions = await tablesOfExtensions();
  const left = tables.filter(
    ({ name, notExported, notErased }) => (notExported !== undefined || notErased !== undefined) && !ofExtensions.includes(name),
  );
  expect(left.map(({ name, notExported, notErased }) => [name, notExported, notErased])).toEqual([
    ['audit_checkpoints', 'Its signature is of this installation, under whose keys alone it means something.', undefined],
    ['audit_destinations', 'This installation sends its own log there, with a secret.', undefined],
    ['audit_tiles', 'It follows from the log.', undefined],
    ['audit_witnesses', 'What they have signed is of this installation, and they have it themselves.', undefined],
    ['confirmations', 'They last for minutes. Who agreed to what is in the audit log.', undefined],
    ['console_sessions', 'Sessions: credentials that end by themselves.', undefined],
    ['oauth_records', 'Codes, tokens and sessions: credentials that end by themselves.', undefined],
    ['organization_erasures', 'An organization that is being erased is not exported.', 'It is the proof of the erasure.'],
    ['sign_in_links', 'Links that sign in: credentials that end by themselves.', undefined],
    [
      'stored_files',
      'The files are exported as rows of the tables that would have them in Postgres.',
      'A row goes when the store has removed its file.',
    ],
  ]);
});

it('what moves to another installation is what is exported, with every column that Postgres does not number', async () => {
  const moved = await app.app.get(MovedTables).list();
  const exported = tables.filter(({ notExported }) => notExported === undefined).map(({ name }) => name);
  expect(moved.map(({ name }) => name)).toEqual(['organizations', ...exported]);
  const columns = await rowsOf<{ path: string }>(
    app.databaseUrl,
    `SELECT attrelid::regclass || '.' || attname AS path FROM pg_attribute WHERE attnum > 0 AND NOT attisdropped
      AND attrelid = ANY ($1::regclass[]) ORDER BY 1`,
    [moved.map(({ name }) => name)],
  );
  const missing = new Set(columns.map(({ path }) => path));
  for (const table of moved) for (const { name } of table.columns) missing.delete(`${table.name}.${name}`);
  expect([...missing]).toEqual(['audit_entries.ordinal']);
});

it.each(tables.filter(({ parts }) => parts.length > 0))('the rows of $name belong to records of a table of organizations', ({ parts }) => {
  for (const { of, key } of parts) {
    const owner = tables.find(({ name }) => name === of)!;
    expect([owner.hasOrganization, owner.parts]).toEqual([true, []]);
    expect(owner.columns.map(({ name }) => name)).toEqual(expect.arrayContaining(['id', key]));
  }
});

it('the rows of an organization are found by an index or by the records that they belong to, but for those of few tables', async () => {
  const indexed = await rowsOf<{ name: string }>(
    app.databaseUrl,
    `SELECT indrelid::regclass::text AS name FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
      WHERE indpred IS NULL AND attname = 'organization_id'`,
  );
  const names = new Set(indexed.map(({ name }) => name));
  const searched = tables.filter(({ name, parts }) => !names.has(name) && parts.length === 0);
  // These are read as a whole. Deliveries of deleted endpoints belong to no record, and an index would cost each delivery.
  const known = ['users', 'webhook_deliveries', ...Object.keys(factsOfExtensions('readWholeByExports'))];
  expect(searched.map(({ name }) => name)).toEqual(known.sort());
});

it('no exported column is a secret', () => {
  const suspicious = tables
    .filter(({ notExported }) => notExported === undefined)
    .flatMap((table) => exportedColumns(table).map(({ name }) => `${table.name}.${name}`))
    .filter((path) => /secret|hash|token|password|totp|lease$|\bkey_|signature|credential/.test(path));
  expect(suspicious.sort()).toEqual(Object.keys(NO_SECRETS).sort());
});

it('of the columns of bytes, files alone are exported', () => {
  const bytes = tables.flatMap((table) => exportedColumns(table).map(({ name, type }) => [`${table.name}.${name}`, type]));
  const files = ['claim_report_files.content', 'receipt_files.content', 'statement_originals.content'];
  expect(bytes.flatMap(([path, type]) => (type === 'bytea' ? path! : [])).sort()).toEqual(
    [...files, ...Object.keys(factsOfExtensions('exportedFiles'))].sort(),
  );
});
