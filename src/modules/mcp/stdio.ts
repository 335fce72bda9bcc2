import type { StdioServerHandle } from '@modelcontextprotocol/server/stdio';
import { API_VERSION, TOOLS_AGENT } from '../../kernel/product.js';
import { StartError } from '../../kernel/start-error.js';
import { PROBLEMS } from '../../kernel/problems.js';
import { UnknownWish, wished, wishFor } from './offer.js';
import type { Rest, RestAnswer } from './rest-call.js';
import type { Tool } from './tool.js';
import { toolsOf, type Contract } from './tools.js';

export interface StdioOptions {
  readonly readonly?: boolean | undefined;
  readonly toolsets?: string | undefined;
}

/** The same tools over stdio: a thin client of an API somewhere, which is given the credential and keeps none. */
export async function serveTools(
  baseUrl: string,
  credential: Readonly<Record<string, string>>,
  options: StdioOptions = {},
): Promise<StdioServerHandle> {
  const rest = restAt(baseUrl, headersOf(credential));
  const { status, body } = await rest({ method: 'GET', url: '/openapi.json', headers: {}, body: undefined });
  if (status !== 200) throw new StartError(`${baseUrl} does not answer as the Claims API.`);
  const tools = wishedOf(toolsOf(body as Contract), options);
  // Loaded here and not above: a process that serves HTTP imports this file, and needs none of it.
  const [{ serveStdio }, { toolServer }] = await Promise.all([import('@modelcontextprotocol/server/stdio'), import('./tool-server.js')]);
  return serveStdio(() => toolServer(tools, rest));
}

function wishedOf(tools: readonly Tool[], { readonly = false, toolsets }: StdioOptions): Tool[] {
  const wish = wishFor(readonly, toolsets, tools);
  if (wish instanceof UnknownWish) throw new StartError(wish.message);
  return wished(tools, wish);
}

/** A credential that no header can hold is none; what it is stays unsaid. */
function headersOf(credential: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  try {
    new Headers(credential);
  } catch {
    throw new StartError('The credential holds characters that no credential has.');
  }
  return { ...credential, 'user-agent': `${TOOLS_AGENT}${API_VERSION}` };
}

const PATIENCE_MS = 30_000;
/** For a model it is a refusal like any other, which says that the call may be repeated. */
const UNAVAILABLE: RestAnswer = {
  status: 503,
  body: { status: 503, code: 'unavailable', title: 'The API does not answer', retry: 'same_key' },
};
/** A call that is not to be made is not sent either: nothing between here and there could mistake it for one that is. */
const NOT_SENT: RestAnswer = {
  status: 428,
  body: { status: 428, code: 'confirmation_needed', title: PROBLEMS.confirmation_needed.title, retry: 'never' },
};

function restAt(baseUrl: string, always: Readonly<Record<string, string>>): Rest {
  return async ({ method, url, headers, body, isDryRun = false }) => {
    if (isDryRun) return NOT_SENT;
    const sent = { ...always, ...headers, accept: 'application/json', ...(body && { 'content-type': 'application/json' }) };
    try {
      const answer = await fetch(`${baseUrl}${url}`, {
        method,
        headers: sent,
        signal: AbortSignal.timeout(PATIENCE_MS),
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return {
        status: answer.status,
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
        retryAfter: answer.headers.get('retry-after') ?? undefined,
      };
    } catch {
      // Nobody is there, or somebody else, such as a proxy with a page of its own.
      return UNAVAILABLE;
    }
  };
}
