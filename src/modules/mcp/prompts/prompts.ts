import { ProtocolError, ProtocolErrorCode, type GetPromptResult, type Prompt } from '@modelcontextprotocol/server';
import { packageJson } from '../../../kernel/package-folder.js';
import { codePoints } from '../../../kernel/text.js';

const MAX_ARGUMENT_LENGTH = 200;

type Values = Readonly<Record<string, string>>;

interface Input {
  readonly about: string;
  readonly optional?: boolean;
  /** What the text says of it, with {value}, if it is given. */
  readonly as?: string;
}

interface Task {
  readonly title: string;
  readonly description: string;
  readonly inputs: Readonly<Record<string, Input>>;
  /** Its lines. {input} stands for what was given. */
  readonly text: readonly string[];
}

const TASKS = packageJson<Readonly<Record<string, Task>>>('templates/prompts.json');

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
  return { description: task.description, messages: [{ role: 'user', content: { type: 'text', text: textOf(task, values) } }] };
}

const textOf = ({ inputs, text }: Task, values: Values): string =>
  text.join('\n').replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = values[name] ?? '';
    // Quoted, so that a value cannot go on as a line of ours.
    return value && (inputs[name]!.as ?? '{value}').replace('{value}', () => JSON.stringify(value));
  });

const invalid = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
