import type { Fault } from './check.js';
import { PROBLEMS } from './document.js';

export interface FieldFault extends Fault {
  readonly location: 'body' | 'query' | 'path' | 'header';
}

interface Details {
  readonly detail?: string | undefined;
  readonly errors?: readonly FieldFault[];
  readonly conflictingId?: string;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
}

/** What the mock answers to an operation that it does not play. No answer of the service has this code. */
const NOT_IN_MOCK = { status: 501, title: 'The mock does not play this operation', detail: 'Give an answer yourself.', retry: 'never' };

/** A problem that the mock answers with. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    readonly details: Details = {},
  ) {
    super(details.detail ?? code);
  }

  answer(requestId: string): Response {
    const { status, title, detail, retry } = PROBLEMS[this.code] ?? NOT_IN_MOCK;
    const { retryAfter, errors = [], conflictingId } = this.details;
    const body = {
      type: `https://api.claims.example/problems/${this.code}`,
      title,
      status,
      detail: this.details.detail ?? detail,
      code: this.code,
      requestId,
      retry,
      errors,
      ...(conflictingId !== undefined && { conflictingId }),
    };
    const headers = new Headers({ 'Content-Type': 'application/problem+json; charset=utf-8', 'X-Request-Id': requestId });
    if (retryAfter !== undefined) headers.set('Retry-After', String(retryAfter));
    return new Response(JSON.stringify(body), { status, headers });
  }

  /** Values of the request that are not valid. */
  static invalid(errors: readonly FieldFault[]): Refusal {
    const detail = `${errors
      .slice(0, 3)
      .map(({ field, message }) => `${field} ${message}`)
      .join('; ')}.`;
    return new Refusal('validation_failed', { detail, errors });
  }
}
