import type { Command } from 'commander';
import type { DataSource } from 'typeorm';
import { writeFile } from 'node:fs/promises';
import { API_VERSION } from '../../kernel/product.js';
import { SECRET_SETTINGS } from '../../kernel/settings/secret-source.js';
import { SETTINGS, type Settings, StartError } from '../../kernel/settings/settings.js';
import { readSettings } from '../../program/read-settings.js';
import { DEFAULT_WAIT_MS, migrate, pendingMigrations } from '../../store/database/migrate.js';
import { type Effect, planPending, type PlannedMigration, type PlannedStatement } from '../../../tools/migration-plan/index.js';
import { jsonCommand, print, duration, withDatabase, type JsonOption, withServices, contentOf } from '../command.js';
import type { Finding } from './doctor-checks.js';

export function addDoctor(program: Command): void {
  jsonCommand(program, 'doctor', 'Check settings, database, migrations, clock and Redis.')
    .option('--ssrf', 'also try deliveries to forbidden targets: this machine, private networks, metadata services')
    .option('--support <file>', 'also write what a supporter needs to a file: findings, settings without secrets, queues, sizes of tables')
    .action(async (options: { ssrf?: boolean; support?: string; json?: boolean }) => {
      const { examine } = await import('./doctor-checks.js');
      const findings = await examine(options.ssrf === true);
      if (options.support !== undefined) await writeBundle(options.support, findings);
      printFindings(options, findings);
    });
}

/** Exits with 1 if something has failed. */
export function printFindings(options: JsonOption, findings: readonly Finding[]): void {
  const ok = findings.every((finding) => finding.ok);
  print(
    options,
    { ok, findings },
    findings.map((finding) => `${markOf(finding)}  ${finding.check.padEnd(10)}  ${finding.detail}`),
  );
  process.exitCode = ok ? 0 : 1;
}

const SECRETS: ReadonlySet<string> = new Set(SECRET_SETTINGS);

/** Without personal data, and without names of organizations. */
async function writeBundle(path: string, findings: readonly Finding[]): Promise<void> {
  const given = Object.values(SETTINGS).filter(({ name }) => !SECRETS.has(name) && process.env[name] !== undefined);
  const settings = Object.fromEntries(given.map(({ name }) => [name, process.env[name]]));
  const state = await withServices(({ support }) => support.bundle()).catch((error: unknown) => ({ unknown: (error as Error).message }));
  const versions = { claims: API_VERSION, node: process.version, platform: `${process.platform} ${process.arch}` };
  await writeFile(path, `${JSON.stringify({ madeAt: new Date().toISOString(), versions, findings, settings, ...state }, null, 2)}\n`, {
    mode: 0o600,
  });
}

const markOf = ({ ok, warning }: Finding): string => (!ok ? 'FAILED' : warning ? 'WARN  ' : 'ok    ');

const UP_TO_DATE = 'Nothing to do: the database is up to date.';

export function addMigrate(program: Command): void {
  jsonCommand(program, 'migrate', 'Run the pending migrations of the database.')
    .option('--plan', 'only print what would run: the statements, and what each of them locks')
    .option('--wait <duration>', 'how long to wait for locks that others hold, such as 5m', duration, DEFAULT_WAIT_MS)
    .action(async (options: { plan?: boolean; wait: number; json?: boolean }) => {
      if (options.plan) {
        const planned = await withOwner(async (source) => planPending(source, await pendingMigrations(source)));
        print(options, { migrations: planned.map(documentOf) }, planned.length === 0 ? [UP_TO_DATE] : planned.flatMap(linesOf));
        return;
      }
      const run = await withOwner((source) => migrate(source, options.wait));
      print(options, { migrations: run }, run.length === 0 ? [UP_TO_DATE] : run.map((name) => `migrated ${name}`));
    });
}

export function withOwner<T>(work: (source: DataSource) => Promise<T>): Promise<T> {
  return withDatabase(async (settings) => {
    const { connectToMigrate } = await import('../../program/connect.js');
    const source = await connectToMigrate(settings);
    try {
      return await work(source);
    } finally {
      await source.destroy();
    }
  }, readOwnSettings(process.env));
}

/** The database is all that a migration needs, so whatever runs it need not hold the other secrets, nor the role of the service. */
async function readOwnSettings(env: NodeJS.ProcessEnv): Promise<Settings> {
  const settings = await readSettings(env, []);
  const { isProduction, databaseDirectUrl, databaseUrl = databaseDirectUrl } = settings;
  if (isProduction && databaseUrl === undefined)
    throw new StartError('DATABASE_URL or DATABASE_DIRECT_URL must be set when NODE_ENV is production.');
  return settings.with({ databaseUrl });
}

function linesOf({ name, statements, incomplete }: PlannedMigration): string[] {
  const more = incomplete === undefined ? [] : [`  The rest is not known before the migrations above have run: ${incomplete}`];
  return [name, ...statements.flatMap(linesOfStatement), ...more];
}

function linesOfStatement({ sql, effects, faults }: PlannedStatement): string[] {
  const notes = [...(effects.length === 0 && faults.length === 0 ? ['locks nothing that others use'] : []), ...effects.map(lockOf)];
  return [`  ${sql}`, ...notes.map((note) => `    ${note}`), ...faults.map((fault) => `    WARNING  ${fault}`)];
}

const lockOf = ({ table, lock, isLong }: Effect): string =>
  lock === undefined ? `changes ${table}` : `${lock} on ${table}, ${isLong ? 'for as long as it takes' : 'for a moment'}`;

const documentOf = ({ name, statements, incomplete }: PlannedMigration) => ({
  name,
  statements: statements.map(({ sql, transaction, effects, faults }) => ({
    sql,
    transaction,
    locks: effects.flatMap(({ table, lock, isLong }) => (lock === undefined ? [] : [{ table, mode: lock, isLong }])),
    warnings: faults,
  })),
  ...(incomplete !== undefined && { incomplete }),
});

export function addSecrets(program: Command): void {
  const secrets = program.command('secrets').description('Retire encryption keys.');

  jsonCommand(
    secrets,
    'reencrypt',
    'Encrypt all stored secrets under the first ENCRYPTION_KEY. Can be repeated. Exits with 1 if any is left under another key.',
  ).action(async (options: JsonOption) => {
    const columns = await withServices(({ reencryption }) => reencryption.run());
    const left = columns.reduce((sum, column) => sum + column.left, 0);
    const lines = columns.map(({ what, moved, left: rest, unreadable }) => {
      const why = unreadable > 0 ? `, ${unreadable} of them under a key that ENCRYPTION_KEY does not have` : '';
      return `${what.padEnd(34)}  moved ${moved}  left ${rest}${why}`;
    });
    const sum = left === 0 ? 'Everything is under the first key.' : `${left} are left: run this command again, with all keys set.`;
    print(options, { ok: left === 0, columns }, [...lines, sum]);
    if (left > 0) process.exitCode = 1;
  });
}

export function addRates(program: Command): void {
  const rates = program.command('rates').description('Exchange rates of the European Central Bank for reports: import, show.');

  jsonCommand(
    rates,
    'import <file>',
    'Import a file of the bank: eurofxref-hist.csv, eurofxref-daily.xml, the like, or a ZIP archive of one. It can be repeated.',
  )
    .option('--replace', 'replace stored rates that the file contradicts')
    .action(async (path: string, { replace, json }: { replace?: boolean; json?: boolean }) => {
      const file = contentOf(path);
      const done = await withServices(({ rates: service }) => service.import(file, { replace }));
      const { days, currencies, first, last, added, replaced, unchanged } = done;
      print({ json }, done, [
        `${days} days from ${first} to ${last}, ${currencies} currencies. ` +
          `Rates: ${added} added, ${replaced} replaced, ${unchanged} unchanged.`,
      ]);
    });

  jsonCommand(rates, 'show', 'Show for which days each currency has rates.').action(async (options: JsonOption) => {
    const stored = await withServices(({ rates: service }) => service.stored());
    const lines = stored.map(({ currency, days, first, last }) => `${currency}  ${days} days from ${first} to ${last}`);
    print(options, stored, lines.length > 0 ? lines : ['No rates were imported.']);
  });
}
