import { ProtocolError, ProtocolErrorCode, type GetPromptResult, type Prompt } from '@modelcontextprotocol/server';
import { codePoints } from '../../../kernel/text.js';

const MAX_ARGUMENT_LENGTH = 200;

type Values = Readonly<Record<string, string>>;

interface Task {
  readonly title: string;
  readonly description: string;
  readonly inputs: Readonly<Record<string, { readonly about: string; readonly optional?: boolean }>>;
  readonly text: (values: Values) => string;
}

const TASKS: Readonly<Record<string, Task>> = {
  prepare_claim: {
    title: 'Prepare a claim for a quarter',
    description: 'From the project to the report that can be reviewed and signed.',
    inputs: {
      project: { about: 'Name of the claim project, or the reference of the client.' },
      quarter: { about: 'Such as Q1 2026.' },
      categories: { about: 'Codes of the expense categories; all of them if left out.', optional: true },
    },
    text: ({ project, quarter, categories }) =>
      `Prepare the claim of ${project} for ${quarter}${categories ? `, with the categories ${categories}` : ''}.\n` +
      '1. Find the claim project, and create it only if there is none.\n' +
      '2. List the bank statements of the project and of the organization. Say which months of the quarter no statement covers; ' +
      'statements are imported by a person, not by a tool.\n' +
      '3. List the expense categories that apply, and say what each of them claims.\n' +
      '4. Create a report configuration for the quarter with the files json, xlsx and pdf, and queue a run with it.\n' +
      '5. Follow the run until it ends. Then say what is claimed in each category, what is not claimed, every warning and every ' +
      'control that does not agree, in plain words.\n' +
      'Ask before anything is created.',
  },
  explain_missing_month: {
    title: 'Why is this month missing?',
    description: 'Finds out why a report has no evidence or no claim for a month.',
    inputs: { report_id: { about: 'Id of the claim report run.' }, month: { about: 'Such as 2026-03.' } },
    text: ({ report_id: report, month }) =>
      `Why does claim report ${report} have nothing, or less than expected, for ${month}?\n` +
      '1. Get the run. Look at its period, its evidence for the month, its statements, other currencies and warnings.\n' +
      '2. List the bank statements of that time: is one missing, still waiting, failed, of another project, or already expired?\n' +
      '3. Look at the uncategorised lines: they are read, but no rule claims them.\n' +
      'Answer with the reason first, and then with what a person can do about it.',
  },
  review_uncategorised: {
    title: 'Review uncategorised lines',
    description: 'Proposes rules for lines that no category claims.',
    inputs: { report_id: { about: 'Id of the claim report run.' } },
    text: ({ report_id: report }) =>
      `Review what claim report ${report} does not claim.\n` +
      '1. Get the run, and look at the largest uncategorised lines and at the counterparties of several of them. They are shown by ' +
      'place, amount and token: texts of bank statements are not.\n' +
      '2. List the expense categories with their rules.\n' +
      '3. Propose for each counterparty a category and a rule, or say that it is private or not claimable. Say what each rule would ' +
      'claim.\n' +
      'Change no category before a person has agreed.',
  },
};

export const prompts: readonly Prompt[] = Object.entries(TASKS).map(([name, { title, description, inputs }]) => ({
  name,
  title,
  description,
  arguments: Object.entries(inputs).map(([input, { about, optional = false }]) => ({
    name: input,
    description: about,
    required: !optional,
  })),
}));

export function promptNamed(name: string, values: Values = {}): GetPromptResult {
  const task = Object.hasOwn(TASKS, name) ? TASKS[name] : undefined;
  if (!task) throw invalid(`There is no prompt ${name}.`);
  const unknown = Object.keys(values).find((input) => !Object.hasOwn(task.inputs, input));
  if (unknown !== undefined) throw invalid(`The prompt ${name} has no argument ${unknown}.`);
  for (const [input, { optional = false }] of Object.entries(task.inputs)) {
    const value = values[input]?.trim() ?? '';
    if (value === '' && !optional) throw invalid(`The prompt ${name} needs the argument ${input}.`);
    if (codePoints(value) > MAX_ARGUMENT_LENGTH) throw invalid(`${input} must have at most ${MAX_ARGUMENT_LENGTH} characters.`);
  }
  return { description: task.description, messages: [{ role: 'user', content: { type: 'text', text: task.text(values) } }] };
}

const invalid = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
