import type { Command } from 'commander';
import { isUuid } from '../../kernel/ids.js';
import { StartError } from '../../kernel/settings/settings.js';
import type { Answer, QuestionAbout } from '../../modules/organization-data/index.js';
import { duration, jsonCommand, type JsonOption, operator, organizationCommand, type OrgOption, print, printList } from '../command.js';
import { withOrganization, withServices } from '../command.js';

const LAST_MS = 15 * 60_000;

/** One answer is a list of facts, several are a table. What is not there is left out of facts. */
export function printAnswers(options: JsonOption, answers: readonly Answer[], isOne = false): void {
  const shown = (value: Answer[string] | undefined): string => String(value ?? '–');
  const [first] = answers;
  if (!isOne || !first) {
    const names = Object.keys(first ?? {});
    const shownBy = Object.fromEntries(names.map((name) => [name, (row: Answer) => shown(row[name])]));
    return printList(options, answers, answers, shownBy);
  }
  const facts = Object.entries(first).filter(([, value]) => value !== null);
  const width = Math.max(...facts.map(([name]) => name.length));
  print(
    options,
    first,
    facts.map(([name, value]) => `${name.padEnd(width)}  ${shown(value)}`),
  );
}

/** Adds a command that asks about one record, whose organization need not be known. */
export function addExplain(parent: Command, name: string, about: string, question: QuestionAbout, isOne = true): void {
  jsonCommand(parent, `${name} <id>`, about).action(async (id: string, options: JsonOption) => {
    if (!isUuid(id)) throw new StartError(`${id} is no id.`);
    printAnswers(options, await withServices(({ support }) => support.askAbout(operator(), question, id)), isOne);
  });
}

export function addQuestion(parent: Command, name: string, about: string, question: QuestionAbout): void {
  organizationCommand(parent, name, about).action(async (options: OrgOption) => {
    printAnswers(options, await withOrganization(options.org, (id, { support }) => support.ask(operator(), question, id)));
  });
}

export function addSupport(program: Command): void {
  jsonCommand(program, 'top', 'Which organizations take most time now, by the calls that are kept (REQUEST_HISTORY).')
    .option('--last <duration>', 'since when, such as 1h', duration, LAST_MS)
    .action(async ({ last, ...options }: JsonOption & { last: number }) => {
      printAnswers(options, await withServices(({ support }) => support.top(last)));
    });
  jsonCommand(program, 'jobs', 'What waits for a worker or is being worked on, by organization, the oldest first.')
    .option('--daily', 'instead: the jobs with a time of day, and what became of the last day of each')
    .action(async ({ daily = false, ...options }: JsonOption & { daily?: boolean }) => {
      printAnswers(options, await withServices(({ support }) => (daily ? support.dailyJobs() : support.askAcross('jobs'))));
    });
  const requests = program.command('requests').description('Calls that were answered.');
  jsonCommand(requests, 'find <request-id>', 'Find the calls with an X-Request-Id of any organization.').action(
    async (id: string, options: JsonOption) => {
      printAnswers(options, await withServices(({ support }) => support.askAcross('request', id)));
    },
  );
}
