import type { Problem, ProblemFieldError } from './generated-types.js';

/** What to do after a failed call: give up, repeat it with the same Idempotency-Key, or repeat it later. */
export type Retry = Problem['retry'];

export interface Failure {
  readonly status?: number;
  readonly problem?: Problem;
  readonly headers?: Headers;
  readonly cause?: unknown;
  readonly retry?: Retry;
}

/** Whatever a call can fail with. `code` says what happened; decide by it, never by the message. */
export class ClaimsError<Code extends string = string> extends Error {
  /** The HTTP status; undefined if there was no answer. */
  readonly status: number | undefined;
  readonly retry: Retry;
  /** State it when you ask for support. */
  readonly requestId: string | undefined;
  /** The answer as we sent it. */
  readonly problem: Problem | undefined;
  readonly headers: Headers | undefined;

  constructor(
    readonly code: Code,
    message: string,
    { status, problem, headers, cause, retry }: Failure = {},
  ) {
    super(message, { cause });
    // Not the name of the class, which minifiers change.
    this.name = `${code.replace(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase()).replace(/Error$/, '')}Error`;
    this.status = status;
    this.problem = problem;
    this.headers = headers;
    this.retry = problem?.retry ?? retry ?? 'never';
    this.requestId = problem?.requestId ?? headers?.get('x-request-id') ?? undefined;
  }

  /** What is wrong with which fields of the request; empty if it is not about fields. */
  get errors(): readonly ProblemFieldError[] {
    return this.problem?.errors ?? [];
  }

  /** Of `already_exists`: the id of the record that has the same values. */
  get conflictingId(): string | undefined {
    return this.problem?.conflictingId ?? undefined;
  }

  /** The seconds to wait before the next call, if the answer states them. */
  get retryAfter(): number | undefined {
    return this.headers ? secondsOf(this.headers.get('retry-after')) : undefined;
  }
}

/** The service could not be reached, or the connection ended before the whole answer had arrived. */
export class ConnectionError extends ClaimsError<'connection'> {
  constructor(message: string, cause?: unknown) {
    super('connection', message, { cause, retry: 'same_key' });
  }
}

/** There was no answer within the time limit. A write may have been carried out: repeat it with the same Idempotency-Key. */
export class TimeoutError extends ClaimsError<'timeout'> {
  constructor(message: string, cause?: unknown) {
    super('timeout', message, { cause, retry: 'same_key' });
  }
}

/** An answer that is not of the service, such as the page of a proxy. */
export class UnexpectedAnswerError extends ClaimsError<'unexpected_answer'> {
  constructor(status: number, headers: Headers) {
    const retry = [408, 429, 500, 502, 503, 504].includes(status) ? 'same_key' : 'never';
    super('unexpected_answer', `The answer with status ${status} is not one of the API. Check baseUrl.`, { status, headers, retry });
  }
}

/** Seconds, or a date. */
function secondsOf(text: string | null): number | undefined {
  if (!text) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
