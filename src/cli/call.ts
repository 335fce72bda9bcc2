import { once } from 'node:events';
import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { parsedJson } from '../kernel/json.js';

interface Call {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly stop: AbortSignal;
}

/** Follows no redirect. `fetch` of Node 20 may wait forever for a server that closes at once, and then the process ends without a word. */
export async function call<T>(
  url: string,
  { method, headers, body, timeoutMs, stop }: Call,
  read: (answer: IncomingMessage) => T | Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  try {
    const send = url.startsWith('https:') ? requestHttps : requestHttp;
    const request = send(url, { method, headers, agent: false, signal: AbortSignal.any([stop, late.signal]) });
    // An error after the answer has begun is one of the answer, too.
    request.on('error', () => undefined).end(body);
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    return await read(answer);
  } catch (error) {
    throw late.signal.aborted ? new Error(`no answer within ${timeoutMs / 1000} seconds`, { cause: error }) : error;
  } finally {
    clearTimeout(timer);
  }
}

export interface TextAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export const callForText = (url: string, given: Call): Promise<TextAnswer> =>
  call(url, given, async (answer) => ({ status: answer.statusCode ?? 0, headers: answer.headers, text: await text(answer) }));

/** The JSON of an answer; an empty object if it is none. */
export const parsed = (read: string): object => (parsedJson(read, () => null) as object | null) ?? {};

export function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return code ?? message;
}
