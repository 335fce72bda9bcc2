import type { StdioServerHandle } from '@modelcontextprotocol/server/stdio';
import { PROBLEMS } from '../../../kernel/problems.js';
import { userAgentOf } from '../../../kernel/product.js';
import { StartError } from '../../../kernel/settings/settings.js';
import { filterOfOptions, filterTools, UnknownToolFilter, CHANNEL, urlOf } from '../tools/tool.js';
import type { CallRest, Options, RestAnswer, Tool } from '../tools/tool.js';
import { notFound, refused, type Guide, type Guides } from '../resources.js';
import { toolsOf, type Contract } from '../tools/tools-of-contract.js';

/** Serves the same tools over stdio, as a thin client of an API elsewhere. The credential is stored nowhere. */
export async function serveTools(
  baseUrl: string,
  credential: () => Promise<Readonly<Record<string, string>>>,
  options: Options = {},
): Promise<StdioServerHandle> {
  // A credential that cannot be sent is reported now, and not by the first tool call.
  headersOf(await credential());
  const send = senderTo(baseUrl, async () => headersOf(await credential()));
  const { status, body } = await send({ url: '/openapi.json' });
  if (status !== 200) throw new StartError(`${baseUrl} does not answer as the Claims API.`);
  const tools = toolsFor(options, toolsOf(body as Contract));
  // Loaded here and not above: a process that serves HTTP imports this file, and needs none of it.
  const [{ serveStdio }, { toolServer }] = await Promise.all([import('@modelcontextprotocol/server/stdio'), import('./tool-server.js')]);
  // Clients show stderr as the log of the server.
  const onFailure = (error: unknown): void => void process.stderr.write(`claims: tool call failed: ${String(error)}\n`);
  return serveStdio(() => toolServer(tools, { callRest: restOver(send), guides: guidesOver(send), onFailure }));
}

function toolsFor(options: Options, tools: readonly Tool[]): Tool[] {
  const filter = filterOfOptions(options, tools);
  if (filter instanceof UnknownToolFilter) throw new StartError(filter.message);
  return filterTools(tools, filter);
}

/** Refuses a credential that does not fit into a header, without repeating it. */
function headersOf(credential: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  try {
    new Headers(credential);
  } catch {
    throw new StartError('The credential holds characters that no credential has.');
  }
  return { ...credential, 'user-agent': userAgentOf(CHANNEL) };
}

const CALL_TIMEOUT_MS = 30_000;
/** For a model it is a refusal like any other, which says that the call may be repeated. */
const UNAVAILABLE: RestAnswer = {
  status: 503,
  body: { status: 503, code: 'unavailable', title: 'The API does not answer', retry: 'same_key' },
};
/** A dry run is not sent: if a proxy dropped a header that marks it, the API would take it for the real call. */
const NOT_SENT: RestAnswer = {
  status: 428,
  body: { status: 428, code: 'confirmation_needed', title: PROBLEMS.confirmation_needed.title, retry: 'never' },
};

interface Sent {
  readonly method?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  readonly isFile?: boolean;
}

type Send = (sent: Sent) => Promise<RestAnswer>;

function senderTo(baseUrl: string, always: () => Promise<Readonly<Record<string, string>>>): Send {
  return async ({ method = 'GET', url, headers, body, isFile = false }) => {
    const sent = {
      ...(await always()),
      ...headers,
      accept: isFile ? '*/*' : 'application/json',
      ...(body && { 'content-type': 'application/json' }),
    };
    try {
      const answer = await fetch(`${baseUrl}${url}`, {
        method,
        headers: sent,
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
        ...(body && { body: JSON.stringify(body) }),
      });
      if (isFile && answer.ok) {
        const file = { mediaType: answer.headers.get('content-type')!, bytes: Buffer.from(await answer.arrayBuffer()) };
        return { status: answer.status, body: undefined, file };
      }
      const text = await answer.text();
      return {
        status: answer.status,
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
        retryAfter: answer.headers.get('retry-after') ?? undefined,
      };
    } catch {
      // No answer, or not one of the API: a proxy may answer with a page of its own.
      return UNAVAILABLE;
    }
  };
}

const restOver =
  (send: Send): CallRest =>
  ({ key, isDryRun = false, ...call }) =>
    isDryRun
      ? Promise.resolve(NOT_SENT)
      : send({ ...call, url: urlOf(call), ...(key !== undefined && { headers: { 'idempotency-key': key } }) });

const guidesOver = (send: Send): Guides => ({
  async list() {
    const answer = await send({ url: '/guides' });
    if (answer.status !== 200) throw refused(answer);
    return (answer.body as { data: readonly Guide[] }).data;
  },
  async text(name) {
    const answer = await send({ url: `/guides/${encodeURIComponent(name)}.md`, isFile: true });
    if (!answer.file && !notFound(answer)) throw refused(answer);
    return answer.file?.bytes.toString();
  },
});
