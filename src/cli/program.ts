import { Command, CommanderError } from 'commander';
import { API_VERSION } from '../kernel/product.js';
import { printError } from '../print-error.js';
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

const FAILED = 1;
const BAD_USAGE = 2;

/** The `claims` command with its subcommands. */
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
  // An error is one line, even where commander adds a suggestion on a second one.
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

/** Runs a command and returns its exit status: 0, 1, or 2 for bad usage. An error is printed as one line on stderr. */
export async function run(argv: readonly string[]): Promise<number> {
  try {
    await makeProgram().parseAsync(argv);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : BAD_USAGE;
    printError(error);
    return FAILED;
  }
}

export function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap((inner) => everyCommand(inner))];
}
