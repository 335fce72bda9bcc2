import { Command, CommanderError } from 'commander';
import { API_VERSION } from '../kernel/product.js';
import { printError } from '../program/print-error.js';
import { EXAMPLES } from './examples.js';
import { asOperatorName, setOperator } from './command.js';
import { addApp } from './commands/app.js';
import { addAudit } from './commands/audit.js';
import { addExtension } from './commands/extension.js';
import { addDoctor, addMigrate, addRates, addSecrets } from './commands/installation.js';
import { addKey } from './commands/key.js';
import { addLogin } from './commands/login.js';
import { addMcp } from './commands/mcp.js';
import { addOrg } from './commands/org.js';
import { addPerson } from './commands/person.js';
import { addReport } from './commands/report.js';
import { addStatement } from './commands/statement.js';
import { addSupport } from './commands/support.js';
import { addUser } from './commands/user.js';
import { addWebhook } from './commands/webhook.js';

const FAILED = 1;
const BAD_USAGE = 2;

export function makeProgram(): Command {
  const program = new Command('claims').description('Runs and administers the Claims API.').version(API_VERSION);
  program.option('--by <name>', 'who runs the command, for the audit log; the user of this machine by default', asOperatorName);
  // Also where none is given: a process may run several commands.
  program.hook('preAction', () => setOperator(program.opts<{ by?: string }>().by));
  for (const add of [
    addStart,
    addMigrate,
    addDoctor,
    addExtension,
    addOrg,
    addKey,
    addUser,
    addPerson,
    addApp,
    addStatement,
    addReport,
    addRates,
    addWebhook,
    addAudit,
    addSupport,
    addSecrets,
    addLogin,
    addMcp,
  ])
    add(program);
  for (const command of everyCommand(program)) {
    const outputError = (text: string, write: (line: string) => void): void =>
      write(`${asOneLine(withWhatWasMeant(text, program))} See ${nameOf(command)} --help.\n`);
    command.exitOverride().configureOutput({ outputError });
    const example = EXAMPLES[nameOf(command).replace(/^claims /, '')];
    if (example !== undefined) command.addHelpText('after', `\nExample:\n  claims ${example}`);
  }
  return program;
}

/** An error is one line, even where commander adds a suggestion on a second one. */
const asOneLine = (text: string): string =>
  text
    .replace(/^error: /, 'claims: ')
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/[^.)]$/, '$&.');

/** Commander finds words that are spelled alike. Other people know the words, but not their order: `import-statement`. */
function withWhatWasMeant(text: string, program: Command): string {
  const unknown = /unknown command '([^']+)'/.exec(text)?.[1] ?? '';
  const words = unknown.split(/[-_:. ]/).map((word) => word.toLowerCase().replace(/s$/, ''));
  const found = everyCommand(program)
    .filter(({ commands }) => commands.length === 0)
    .map((command) => nameOf(command))
    .map((name) => ({ name, hits: words.filter((word) => name.split(' ').includes(word)).length }));
  const most = Math.max(...found.map(({ hits }) => hits));
  const meant = found.filter(({ hits }) => hits === most).map(({ name }) => name);
  return most === 0 || meant.length > MOST_MEANT
    ? text
    : text.replace(/\s*(\(Did you mean[^]*)?$/, ` (Did you mean ${meant.join(', or ')}?)`);
}
const MOST_MEANT = 3;

export function nameOf(command: Command): string {
  const names: string[] = [];
  for (let at: Command | null = command; at; at = at.parent) names.unshift(at.name());
  return names.join(' ');
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

export const everyCommand = (command: Command): Command[] => [command, ...command.commands.flatMap((inner) => everyCommand(inner))];

function addStart(program: Command): void {
  program
    .command('start')
    .description('Start the service in the role that ROLE names: all, api or worker.')
    .action(async () => (await import('../program/start-processes.js')).startProcesses(process.env));
}
