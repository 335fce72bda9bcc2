import type { Client, Tool } from '@modelcontextprotocol/client';
import { Ajv } from 'ajv';
import { expect } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import { eventually } from './eventually.js';
import { PATIENCE_MS } from './statements.js';
import { callTool } from './tools.js';

type Inputs = Readonly<Record<string, unknown>>;
type Content = Record<string, unknown>;

const ajv = new Ajv({ strict: false, formats: { date: true, uri: true, 'date-time': true } });
const ID = /[0-9a-f]{8}-[0-9a-f-]{27}/g;
const CONFIRMATIONS: Readonly<Record<string, () => unknown>> = {
  confirm: () => true,
  confirm_delete: () => true,
  idempotency_key: newId,
};

/**
 * Does what a model could do that knows nothing but the list of tools and the answers to its own calls: it fails on a tool that
 * no text named before, on an input that the list does not have, and on an id that no answer had.
 */
export class ScriptedModel {
  /** All that it has read besides the inputs of the tools that it knows. */
  private read: string;
  /** What it has sent and was answered. */
  readonly calls: { readonly tool: string; readonly inputs: Inputs; readonly text: string }[] = [];

  private constructor(
    private readonly client: Client,
    private readonly tools: readonly Tool[],
  ) {
    this.read = client.getInstructions() ?? '';
  }

  static async of(client: Client): Promise<ScriptedModel> {
    return new ScriptedModel(client, (await client.listTools()).tools);
  }

  /** The tool whose text has the words: what a model looks for first. */
  find(words: RegExp): Tool {
    const found = this.tools.find(({ name, description }) => words.test(`${name}: ${description}`));
    expect(found, `a tool about ${words}`).toBeDefined();
    this.read += JSON.stringify(found);
    return found!;
  }

  /** Follows a text that names the next tool. */
  next(name: string): Tool {
    expect(this.read, `a text that names ${name}`).toContain(name);
    const found = this.tools.find((tool) => tool.name === name);
    expect(found, name).toBeDefined();
    this.read += JSON.stringify(found);
    return found!;
  }

  async call(tool: Tool, inputs: Inputs = {}, options: Parameters<typeof callTool>[3] = {}): Promise<Content> {
    const { isError, text, content } = await this.send(tool, inputs, options);
    expect(isError, text).toBe(false);
    return content;
  }

  /** A call whose answer may take its time. */
  wait(tool: Tool, inputs: Inputs = {}): Promise<Content> {
    return this.call(tool, inputs, { onprogress: () => undefined });
  }

  /** The records of a list. */
  async list(tool: Tool, inputs: Inputs = {}): Promise<Content[]> {
    return (await this.call(tool, inputs)).data as Content[];
  }

  /** A call that is refused, with what the refusal says. */
  async refused(tool: Tool, inputs: Inputs): Promise<string> {
    const { isError, text } = await this.send(tool, inputs);
    expect(isError, text).toBe(true);
    return text;
  }

  /** Repeats a call until its answer has one of the values that the text of the tool names. */
  async follow(tool: Tool, inputs: Inputs, ends: readonly string[]): Promise<Content> {
    for (const end of ends) expect(tool.description).toContain(end);
    return eventually(async () => {
      const content = await this.call(tool, inputs);
      expect(ends).toContain(content.status);
      return content;
    }, PATIENCE_MS);
  }

  async resource(template: string, values: Readonly<Record<string, string>>): Promise<string> {
    expect(this.read, `a text that names ${template}`).toContain(template);
    const uri = template.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!);
    const [contents] = (await this.client.readResource({ uri })).contents;
    return (contents as { text: string }).text;
  }

  private async send(tool: Tool, wanted: Inputs, options: Parameters<typeof callTool>[3] = {}) {
    const { required = [], properties = {} } = tool.inputSchema;
    const added = required.filter((name) => !(name in wanted) && name in CONFIRMATIONS).map((name) => [name, CONFIRMATIONS[name]!()]);
    expect(Object.keys(wanted).filter((name) => !(name in properties))).toEqual([]);
    for (const id of JSON.stringify(wanted).match(ID) ?? []) expect(this.read, `an answer with ${id}`).toContain(id);
    const inputs = { ...wanted, ...(Object.fromEntries(added) as Inputs) };
    const check = ajv.compile(tool.inputSchema);
    expect(check(inputs), ajv.errorsText(check.errors)).toBe(true);
    const answer = await callTool(this.client, tool.name, inputs, options);
    this.calls.push({ tool: tool.name, inputs, text: answer.text });
    this.read += answer.text;
    return answer;
  }
}
