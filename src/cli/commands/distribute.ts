import type { Command } from 'commander';
import { StartError } from '../../kernel/start-error.js';
import { Distribution } from '../../store/database/distribution.js';
import { pendingMigrations } from '../../store/database/migrate.js';
import { print, withDatabase, withJson } from '../command.js';

interface Options {
  readonly plan?: boolean;
  readonly apply?: boolean;
  readonly json?: boolean;
}

export function addDistribute(program: Command): void {
  const command = program
    .command('distribute')
    .description('Distribute the tables over the servers of a Citus cluster, while the service is stopped.')
    .option('--plan', 'print the statements that would be executed')
    .option('--apply', 'execute them; can be repeated');
  withJson(command).action(async (options: Options) => {
    if (options.plan === options.apply) command.error('error: give either --plan or --apply');
    const statements = await withDatabase(async (settings) => {
      const { connectToMigrate } = await import('../../program/connect.js');
      const source = await connectToMigrate(settings);
      try {
        const pending = await pendingMigrations(source);
        if (pending.length > 0) throw new StartError(`${pending.length} migrations are pending: run \`claims migrate\` first.`);
        const distribution = new Distribution(source);
        return options.apply ? await distribution.apply() : await distribution.plan();
      } finally {
        await source.destroy();
      }
    });
    const done = { [options.apply ? 'executed' : 'planned']: statements };
    print(options, done, statements.length === 0 ? ['Nothing to do: every table is where it belongs.'] : statements);
  });
}
