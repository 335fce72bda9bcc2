import { InvalidArgumentError, type Command } from 'commander';
import type { Plan, Plans } from '../kernel/plans.js';
import { parseDurationMs } from '../kernel/settings/reader.js';
import { SETTINGS } from '../kernel/settings/settings.js';
import { textOfSetting } from '../kernel/settings/text-of-setting.js';
import { ENVIRONMENTS, type Environment } from '../kernel/context.js';

// Parsers of option values. A bad value is bad usage, reported before the database is opened.

export function duration(value: string): number {
  try {
    return parseDurationMs(value);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

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

export const commaList = (value: string): string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

export function withJson(command: Command): Command {
  return command.option('--json', 'print one JSON document and nothing else');
}

/** One JSON document for programs, or lines for people. */
export function print(options: { json?: boolean }, document: unknown, lines: readonly string[]): void {
  console.log(options.json ? JSON.stringify(document) : lines.join('\n'));
}

/** The credential is sent by header, to any path below the address. */
export function serviceAddress(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new InvalidArgumentError('must be the URL of a service such as https://api.example.com');
  return value.replace(/\/+$/, '');
}
