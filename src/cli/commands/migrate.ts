import type { Command } from 'commander';
import { migrate } from '../../store/database/migrate.js';
import { print, withJson } from '../options.js';
import { withDatabase } from '../command-context.js';

export function addMigrate(program: Command): void {
  withJson(program.command('migrate').description('Run the pending migrations of the database.')).action(
    async (options: { json?: boolean }) => {
      const run = await withDatabase(async (settings) => {
        const { connectToMigrate } = await import('../../connect.js');
        const source = await connectToMigrate(settings);
        try {
          return await migrate(source);
        } finally {
          await source.destroy();
        }
      });
      print(
        options,
        { migrations: run },
        run.length === 0 ? ['Nothing to do: the database is up to date.'] : run.map((name) => `migrated ${name}`),
      );
    },
  );
}
