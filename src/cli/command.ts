import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { OWN_LIMITS } from '../api/limits/own-limits.js';
import { given } from '../kernel/changes.js';
import { type Environment, ENVIRONMENTS, type Tenant, type Actor } from '../kernel/context.js';
import type { Plan, Plans } from '../kernel/plans.js';
import { parseDurationMs } from '../kernel/settings/reader.js';
import { SETTINGS, type Settings, StartError } from '../kernel/settings/settings.js';
import { textOfSetting } from '../kernel/settings/text-of-setting.js';
import { commaList } from '../kernel/text.js';
import { readSettings } from '../program/read-settings.js';
import { serviceNamed } from './logins.js';
import type { Services } from './open-services.js';

// Parsers of option values. A bad value is bad usage, reported before the database is opened.

/** By a parser whose error says what is wrong. */
const readBy =
  <T>(parse: (value: string) => T) =>
  (value: string): T => {
    try {
      return parse(value);
    } catch (error) {
      throw new InvalidArgumentError((error as Error).message);
    }
  };

export const duration = readBy(parseDurationMs);
export const serviceAddress = readBy(serviceNamed);

export const scopeList = (value: string): string[] | 'all' => (value === 'all' ? value : commaList(value));

export function oneOf<const T extends string>(values: readonly T[]): (value: string) => T {
  return (value) => {
    const found = values.find((candidate) => candidate === value);
    if (found === undefined) throw new InvalidArgumentError(`must be one of ${values.join(', ')}`);
    return found;
  };
}

/** Asked when the option is given: the environment may have more plans than ours. */
export function parsePlan(value: string): Plan {
  const { names } = plansOf(process.env);
  return oneOf(names)(value);
}

function plansOf(env: NodeJS.ProcessEnv): Plans {
  try {
    const text = textOfSetting(env, SETTINGS.plans.name);
    return text === undefined ? SETTINGS.plans.fallback : SETTINGS.plans.parse(text);
  } catch (error) {
    throw new InvalidArgumentError(`cannot be checked: PLANS ${(error as Error).message}`);
  }
}

export const parseEnvironment: (value: string) => Environment = oneOf(ENVIRONMENTS);

/** The parser of options would make a text of null. */
type Limit = number | 'none';

function ownLimit({ min, max }: { readonly min: number; readonly max: number }) {
  return (value: string): Limit => {
    if (value === 'none') return value;
    const number = Number(value);
    if (Number.isInteger(number) && number >= min && number <= max) return number;
    throw new InvalidArgumentError(`must be none, or a whole number from ${min} to ${max}`);
  };
}

export interface LimitOptions {
  share?: Limit;
  dailyCalls?: Limit;
  dailyWrites?: Limit;
  dailyTokens?: Limit;
}

export const withLimits = (command: Command): Command =>
  command
    .option('--share <percent>', 'percent of the rate of the organization that it never exceeds, or none', ownLimit(OWN_LIMITS.rateShare))
    .option('--daily-calls <calls>', 'calls of a day (UTC) that it can make, or none', ownLimit(OWN_LIMITS.dailyCalls))
    .option('--daily-writes <writes>', 'writes by tools in 24 hours of each connection, or none', ownLimit(OWN_LIMITS.dailyWrites))
    .option('--daily-tokens <tokens>', 'tokens of answers of tools in 24 hours, or none', ownLimit(OWN_LIMITS.dailyTokens));

const orNull = (limit: Limit | undefined): number | null | undefined => (limit === 'none' ? null : limit);
export const limitsIn = ({ share, dailyCalls, dailyWrites, dailyTokens }: LimitOptions) => {
  const ofTools = { dailyWrites: orNull(dailyWrites), dailyTokens: orNull(dailyTokens) };
  return given({ rateShare: orNull(share), dailyCalls: orNull(dailyCalls), ...ofTools });
};

export interface ProjectOptions {
  project?: string[];
  allProjects?: boolean;
}

export const withProjects = (command: Command): Command =>
  command
    .option('--project <id>', 'claim project whose records it reaches; can be repeated', (id: string, ids: string[] = []) => [...ids, id])
    .addOption(new Option('--all-projects', 'it reaches the records of all claim projects').conflicts('project'));

export const projectsIn = ({ project, allProjects }: ProjectOptions) => given({ projectIds: allProjects ? null : project });

export interface JsonOption {
  json?: boolean;
}

export const withJson = (command: Command): Command => command.option('--json', 'print one JSON document and nothing else');
export const jsonCommand = (parent: Command, name: string, about: string): Command => withJson(parent.command(name).description(about));

export interface OrgOption extends JsonOption {
  org: string;
}

export const ofOrganization = (command: Command): Command => command.requiredOption('--org <org>', 'organization: id or slug');
export const organizationCommand = (parent: Command, name: string, about: string): Command =>
  ofOrganization(jsonCommand(parent, name, about));

export function print(options: JsonOption, document: unknown, lines: readonly string[]): void {
  console.log(options.json ? JSON.stringify(document) : lines.join('\n'));
}

/** Columns whose cells are the properties that their headings name. */
export const columns = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, (row: Record<Name, string>) => row[name]]));

export function printList<Row>(
  options: JsonOption,
  document: unknown,
  rows: readonly Row[],
  shown: Readonly<Record<string, (row: Row) => string>>,
): void {
  const cells = [
    Object.keys(shown).map((heading) => heading.toUpperCase()),
    ...rows.map((row) => Object.values(shown).map((of) => of(row))),
  ];
  const widths = Object.keys(shown).map((_heading, at) => Math.max(...cells.map((row) => row[at]!.length)));
  const lines = cells.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd(),
  );
  print(options, document, rows.length === 0 ? ['None yet.'] : lines);
}

export const inOneOrBoth = (command: Command): Command =>
  command.option('--environment <environment>', 'test or live; default: both', parseEnvironment);

export function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new StartError(`${path} cannot be read (${(error as { code?: string }).code}).`);
  }
}

/** Calls an action with the database of DATABASE_URL, or with the embedded one, which is started if it does not run. */
export async function withDatabase<T>(action: (settings: Settings) => Promise<T>, given = readSettings(process.env)): Promise<T> {
  // A command runs no jobs, and log lines would mix with its output.
  const settings = (await given).with({ role: 'api', logLevel: 'silent' });
  if (settings.databaseUrl !== undefined) return action(settings);
  const { openEmbeddedDatabase } = await import('../../tools/embedded-postgres/index.js');
  const embedded = await openEmbeddedDatabase({ dataDir: settings.dataDir, mode: 'share' });
  try {
    return await action(settings.with({ databaseUrl: embedded.url }));
  } finally {
    await embedded.stop();
  }
}

/** Calls an action with the application's services, if the database is up to date. */
export function withServices<T>(action: (services: Services) => Promise<T>): Promise<T> {
  return withDatabase(async (settings) => {
    const { openServices } = await import('./open-services.js');
    const services = await openServices(settings);
    try {
      return await action(services);
    } finally {
      await services.close();
    }
  });
}

export function withOrganization<T>(named: string, action: (id: string, services: Services) => Promise<T>): Promise<T> {
  return withServices(async (services) => action((await services.organizations.named(named)).id, services));
}

/** What an organization has in an environment, or in both: each has its own. */
export function inEnvironments<Found extends object>(
  { org, environment }: { readonly org: string; readonly environment?: Environment },
  of: (tenant: Tenant, services: Services) => Promise<Found | readonly Found[] | undefined>,
): Promise<(Found & { readonly environment: Environment })[]> {
  return withOrganization(org, async (organizationId, services) => {
    const all: (Found & { readonly environment: Environment })[] = [];
    for (const one of environment ? [environment] : ENVIRONMENTS) {
      const found = ((await of({ organizationId, environment: one }, services)) ?? []) as Found | readonly Found[];
      all.push(...[found].flat().map((each) => ({ environment: one, ...(each as Found) })));
    }
    return all;
  });
}

const NAME = /^[^\p{C}]{1,80}$/u;
/** The `--by` of the command that runs. */
let givenName: string | undefined;

export function asOperatorName(value: string): string {
  const name = value.trim();
  if (!NAME.test(name)) throw new InvalidArgumentError('It must be a name of at most 80 characters.');
  return name;
}

/** What somebody at a terminal answers. Elsewhere nobody is asked. */
async function typed(question: string, otherwise: string): Promise<string> {
  if (!process.stdin.isTTY) throw new StartError(otherwise);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

/** Erases nothing unless one of the names is given, or typed at the terminal. */
export async function confirmErasing(names: readonly string[], given: string | undefined, question: string, lacks: string): Promise<void> {
  const name = given ?? (await typed(question, `Erasing cannot be undone: confirm it with --confirm ${names[0]}.`));
  if (!names.includes(name.trim())) throw new StartError(`Nothing was erased: the confirmation ${lacks}.`);
}

export function setOperator(name: string | undefined): void {
  givenName = name;
}

export const operator = (): Actor => ({ type: 'system', id: null, name: `${givenName ?? userOfMachine()} (claims command)` });

function userOfMachine(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user without a name.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
