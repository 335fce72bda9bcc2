import { HttpException } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { Problem, type ProblemCode } from '../../kernel/problems.js';
import { readError } from '../../store/database/database.js';
import type { Answer } from './call.js';

/** The problems for what Fastify throws, and a handler that throws an exception of Nest. */
const BY_STATUS: ReadonlyMap<unknown, ProblemCode> = new Map([
  [404, 'not_found'],
  [413, 'body_too_large'],
  [415, 'unsupported_media_type'],
  [503, 'unavailable'],
]);

/** What callers may know of an error. What they may not is its cause, for the log. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const status = statusOf(error);
  const code = BY_STATUS.get(status);
  if (code !== undefined) return new Problem(code, { cause: error });
  if (typeof status === 'number' && status >= 400 && status < 500) return new Problem('bad_request', { cause: error });
  const read = isNetworkError(error) || error instanceof QueryFailedError ? readError(error) : error;
  return read instanceof Problem ? read : new Problem('internal_error', { cause: error });
}

/** The answer of a call that was refused, or has failed. */
export function refused(error: unknown, headers: Answer['headers'] = {}, isCounted = false): Answer {
  const problem = asProblem(error);
  const { status } = problem;
  const nothing = { record: undefined, body: undefined, file: undefined, isReplay: false };
  return { ...nothing, status, headers: { ...headers, ...problem.headers }, problem, isCounted };
}

/** The status that a framework would answer with. */
export function statusOf(error: unknown): unknown {
  return error instanceof HttpException ? error.getStatus() : (error as { statusCode?: unknown } | null)?.statusCode;
}

function isNetworkError(error: unknown): boolean {
  return ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(String((error as { code?: unknown } | null)?.code));
}
