import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { newShortLivedId } from '../../kernel/ids.js';
import { problemBody, PROBLEM_MEDIA_TYPE, Problem } from '../../kernel/problems.js';
import type { Settings } from '../../kernel/settings/settings.js';
import { refuseSlowBody, tooSlow } from '../validation/read-request.js';
import { headersOf } from './answer-headers.js';

/** How long a refused client has to read the answer and close the connection. Then we close it. */
const LINGER_MS = 1000;

/** The bytes are not HTTP, the headers are too large, or the request is too slow: Node has no request that it could hand over. */
export function refuseConnection(error: Error & { code?: string }, socket: Socket, { publicUrl }: Settings): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && refuseSlowBody(socket)) return;
  socket.end(answerOf(problemOf(error.code), publicUrl));
  // A client that neither reads nor closes must not keep the connection.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}

function problemOf(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow();
  return new Problem(code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'bad_request');
}

function answerOf(problem: Problem, baseUrl: string): string {
  const requestId = newShortLivedId();
  const body = JSON.stringify(problemBody(problem, { baseUrl, requestId }));
  const length = { 'Content-Type': PROBLEM_MEDIA_TYPE, 'Content-Length': Buffer.byteLength(body), Connection: 'close' };
  const headers = Object.entries({ ...headersOf(requestId), ...length }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${headers.join('')}\r\n${body}`;
}
