import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client';
import type { TestApp } from './app.js';

/** Prefers the newest revision of the protocol. */
const NEWEST: ClientOptions = { versionNegotiation: { mode: 'auto' } };

/** The official MCP client, connected over HTTP. */
export async function connectTools(
  { url }: Pick<TestApp, 'url'>,
  headers: Record<string, string>,
  query = '',
  options = NEWEST,
): Promise<Client> {
  const client = new Client({ name: 'A client', version: '1.0.0' }, options);
  await client.connect(new StreamableHTTPClientTransport(new URL(`/mcp${query}`, url), { requestInit: { headers } }));
  return client;
}

interface Answer {
  readonly isError: boolean;
  readonly text: string;
  readonly content: Record<string, unknown>;
}

/** Calls a tool and returns its text and its structured content. */
export async function callTool(
  client: Client,
  name: string,
  inputs: Record<string, unknown> = {},
  options: Parameters<Client['callTool']>[1] = {},
): Promise<Answer> {
  const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: inputs }, options);
  const [first] = content as { type: string; text: string }[];
  return { isError, text: first?.text ?? '', content: structuredContent as Record<string, unknown> };
}

export const namesOf = async (client: Client): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name);
