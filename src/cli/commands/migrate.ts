import type { Command } from 'commander';
import type { DataSource } from 'typeorm';
import { type Settings, StartError } from '../../kernel/settings/settings.js';
import type { Effect } from '../../store/database/migration-plan/statement-rules.js';
import { planPending, type PlannedMigration, type PlannedStatement } from '../../store/database/migration-plan/plan-migrations.js';
import { DEFAULT_WAIT_MS, migrate } from '../../store/database/migrate.js';
import { duration, jsonCommand, print, withDatabase } from '../command.js';
import { readSettings } from '../../program/read-settings.js';

const UP_TO_DATE = 'Nothing to do: the database is up to date.';

export function addMigrate(program: Command): void {
  jsonCommand(program, 'migrate', 'Run the pending migrations of the database.')
    .option('--plan', 'only print what would run: the statements, and what each of them locks')
    .option('--wait <duration>', 'how long to wait for locks that others hold, such as 5m', duration, DEFAULT_WAIT_MS)
    .action(async (options: { plan?: boolean; wait: number; json?: boolean }) => {
      if (options.plan) {
        const planned = await withOwner(planPending);
        print(options, { migrations: planned.map(documentOf) }, planned.length === 0 ? [UP_TO_DATE] : planned.flatMap(linesOf));
        return;
      }
      const run = await withOwner((source) => migrate(source, options.wait));
      print(options, { migrations: run }, run.length === 0 ? [UP_TO_DATE] : run.map((name) => `migrated ${name}`));
    });
}

function withOwner<T>(work: (source: DataSource) => Promise<T>): Promise<T> {
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
