import type { StdioServerHandle } from '@modelcontextprotocol/server/stdio';
import { StartError } from '../../platform/config/start-error.js';
import type { Rest, RestAnswer } from './rest-call.js';
import { toolsOf, type Contract } from './tools.js';

/** The same tools over stdio: a thin client of an API somewhere, which is given the credential and keeps none. */
export async function serveTools(baseUrl: string, credential: Readonly<Record<string, string>>): Promise<StdioServerHandle> {
  const rest = restAt(baseUrl, credential);
  const { status, body } = await rest({ method: 'GET', url: '/openapi.json', headers: {}, body: undefined });
  if (status !== 200) throw new StartError(`${baseUrl} does not answer as the Claims API.`);
  const tools = toolsOf(body as Contract);
  // Loaded here and not above: a process that serves HTTP imports this file, and needs none of it.
  const [{ serveStdio }, { toolServer }] = await Promise.all([import('@modelcontextprotocol/server/stdio'), import('./tool-server.js')]);
  return serveStdio(() => toolServer(tools, rest));
}

const PATIENCE_MS = 30_000;
/** For a model it is a refusal like any other, which says that the call may be repeated. */
const UNAVAILABLE: RestAnswer = { status: 503, body: { status: 503, code: 'unavailable', title: 'The API does not answer', retry: 'same_key' } };

function restAt(baseUrl: string, credential: Readonly<Record<string, string>>): Rest {
  return async ({ method, url, headers, body }) => {
    const sent = { ...credential, ...headers, accept: 'application/json', ...(body && { 'content-type': 'application/json' }) };
    try {
      const answer = await fetch(`${baseUrl}${url}`, { method, headers: sent, signal: AbortSignal.timeout(PATIENCE_MS), ...(body && { body: JSON.stringify(body) }) });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
    } catch {
      // Nobody is there, or somebody else, such as a proxy with a page of its own.
      return UNAVAILABLE;
    }
  };
}
