import { OPERATOR } from '../../src/kernel/context.js';
import type { ConfirmationRules, RulesByRisk } from '../../src/kernel/confirmation-rules.js';
import { newId } from '../../src/kernel/ids.js';
import { AgentsService } from '../../src/modules/organization/index.js';
import type { TestApp } from './app.js';

/** What an organization lets its tools do in both environments. What is left out is the model's. */
export async function ruled({ app }: TestApp, organizationId: string, rules: RulesByRisk): Promise<void> {
  const all = { write: 'model', destructive: 'model', ...rules } as const;
  await app.get(AgentsService).setRules(OPERATOR, organizationId, { test: all, live: all } satisfies ConfirmationRules);
}

export const NEWEST = '2026-07-28';
const CAN_ASK = { elicitation: { form: {} } };
export const YES = { action: 'accept', content: { confirm: true } };
export const NO = { action: 'decline' };

export interface Sending {
  readonly revision?: string;
  readonly replies?: object;
  readonly capabilities?: object;
  readonly client?: string;
  /** With it, the call is none that is answered without the SDK. */
  readonly isPlain?: boolean;
}

export interface Said {
  readonly isError?: boolean;
  readonly requestState?: string;
  readonly content?: { readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>> & {
    readonly code?: string;
    readonly confirmation?: { readonly id: string; readonly url: string; readonly state: string };
  };
}

/** A tool call in one message, as a client sends it that says whatever it likes. */
export async function sends(
  { url }: Pick<TestApp, 'url'>,
  headers: Readonly<Record<string, string>>,
  name: string,
  inputs: object,
  { revision = NEWEST, replies = {}, capabilities = {}, client = 'A client', isPlain = true }: Sending = {},
): Promise<Said> {
  const isNewest = revision === NEWEST;
  const told = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'io.modelcontextprotocol/clientInfo': { name: client, version: '1' },
  };
  const meta = { ...(isNewest && told), ...(!isPlain && { progressToken: newId() }) };
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      ...headers,
      ...{ Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json', 'MCP-Protocol-Version': revision },
      ...(isNewest && { 'Mcp-Method': 'tools/call', 'Mcp-Name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: inputs, _meta: meta, ...replies } }),
  });
  const text = await response.text();
  const messages = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => data!);
  const last = JSON.parse(messages.at(-1) ?? text) as { result?: Said; error?: object };
  return last.result ?? { isError: true, structuredContent: { error: last.error } };
}

/** Asks a client that can show a form, and sends back what its person says. */
export async function asksClient(
  app: Pick<TestApp, 'url'>,
  headers: Readonly<Record<string, string>>,
  name: string,
  inputs: object,
  reply: object = YES,
): Promise<{ readonly asked: Said; readonly said: Said; readonly replies: object }> {
  const asked = await sends(app, headers, name, inputs, { capabilities: CAN_ASK });
  const replies = { inputResponses: { confirmation: reply }, requestState: asked.requestState };
  return { asked, said: await sends(app, headers, name, inputs, { capabilities: CAN_ASK, replies }), replies };
}
