import { Command, CommanderError } from 'commander';
import { API_VERSION } from '../kernel/product.js';
import { exitWithOneLine } from '../exit.js';
import { addApp } from './app.js';
import { addAudit } from './audit.js';
import { addDoctor } from './doctor.js';
import { addKey } from './key.js';
import { addMcp } from './mcp.js';
import { addMigrate } from './migrate.js';
import { addOrg } from './org.js';
import { addReport } from './report.js';
import { addStart } from './start.js';
import { addStatement } from './statement.js';
import { addUser } from './user.js';
import { addWebhook } from './webhook.js';

const BAD_USAGE = 2;

/** The `claims` command with all that it can do. */
export function makeProgram(): Command {
  const program = new Command('claims').description('Runs and administers the Claims API.').version(API_VERSION);
  for (const add of [
    addStart,
    addMigrate,
    addDoctor,
    addOrg,
    addKey,
    addUser,
    addApp,
    addStatement,
    addReport,
    addWebhook,
    addAudit,
    addMcp,
  ])
    add(program);
  // One line, also where a second one would suggest what may have been meant.
  const outputError = (text: string, write: (line: string) => void): void =>
    write(
      `${text
        .replace(/^error: /, 'claims: ')
        .trim()
        .replace(/\s*\n\s*/g, ' ')}\n`,
    );
  for (const command of everyCommand(program)) command.exitOverride().configureOutput({ outputError });
  return program;
}

/** Errors are one line on stderr; exit 1, or 2 for bad usage. */
export async function run(argv: string[]): Promise<void> {
  try {
    await makeProgram().parseAsync(argv);
  } catch (error) {
    if (!(error instanceof CommanderError)) exitWithOneLine(error);
    process.exit(error.exitCode === 0 ? 0 : BAD_USAGE);
  }
}

export function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap((inner) => everyCommand(inner))];
}
