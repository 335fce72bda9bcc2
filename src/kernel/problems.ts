/** What a program should do with a failed call. */
export type Retry = 'never' | 'same_key' | 'later';

export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  readonly retry: Retry;
  /** The page under /problems/{code}: what happened, and what to do about it. */
  readonly about: string;
}

/** The one table of errors. A code never changes its meaning; new ones are added. */
export const PROBLEMS = {
  validation_failed: {
    status: 400,
    title: 'The request is not valid',
    retry: 'never',
    about:
      'A value in the body, the query or the path is missing, unknown or not allowed. `errors` names every one of them, up to 100, with its place and the reason. Correct them and send the request again; nothing was changed.',
  },
  malformed_json: {
    status: 400,
    title: 'The body is not JSON',
    retry: 'never',
    about: 'The body could not be read as a JSON object in UTF-8. Send one JSON object and `Content-Type: application/json`.',
  },
  idempotency_key_missing: {
    status: 400,
    title: 'The Idempotency-Key header is missing',
    retry: 'never',
    about:
      'Every POST and PATCH needs a header `Idempotency-Key`: a text of your choice, new for each thing you want done, the same when you repeat the call. So a call that was cut off can be repeated without doing it twice.',
  },
  idempotency_key_invalid: {
    status: 400,
    title: 'The Idempotency-Key header is not valid',
    retry: 'never',
    about: 'An Idempotency-Key is 1 to 255 printable ASCII characters. A UUID is a good choice.',
  },
  related_record_missing: {
    status: 400,
    title: 'A related record does not exist',
    retry: 'never',
    about:
      'The body names another record by its id, and no such record exists for this credential; `errors` names the field. Records of another organization or of the other environment count as not existing. Nothing was changed.',
  },
  environment_mismatch: {
    status: 400,
    title: 'The environment is not that of the credential',
    retry: 'never',
    about: 'A test credential manages what belongs to the test environment. Use a live credential for what is live.',
  },
  webhook_limit_reached: {
    status: 400,
    title: 'There are too many webhook endpoints',
    retry: 'never',
    about: 'An organization may have 50 webhook endpoints in each environment. Delete one that is no longer needed.',
  },
  target_not_allowed: {
    status: 400,
    title: 'Deliveries cannot go to this address',
    retry: 'never',
    about:
      'Deliveries go to the public Internet: by `https` where they are live, without credentials in the address, and not to addresses of private networks, of the machine itself or of nobody. `errors` says what stands against this one.',
  },
  ambiguous_credentials: {
    status: 400,
    title: 'Two credentials were sent',
    retry: 'never',
    about: 'Send either `X-API-Key` or `Authorization: Bearer`, not both: we do not guess which one you meant.',
  },
  credential_missing: {
    status: 401,
    title: 'No credential was sent',
    retry: 'never',
    about: 'Send your API key in the header `X-API-Key`, or an access token as `Authorization: Bearer`.',
  },
  credential_invalid: {
    status: 401,
    title: 'The credential is not valid',
    retry: 'never',
    about:
      'The credential is unknown, expired or revoked; we do not say which. Check that the whole of it was sent, and make a new one if need be.',
  },
  scope_missing: {
    status: 403,
    title: 'The credential lacks a scope',
    retry: 'never',
    about: 'The credential is valid, but was not given the scope that this operation needs; `detail` names it. Make a key with that scope.',
  },
  plan_required: {
    status: 403,
    title: 'A higher plan is needed',
    retry: 'never',
    about: 'This operation belongs to a plan that your organization does not have; `detail` names it.',
  },
  ip_not_allowed: {
    status: 403,
    title: 'The address is not allowed',
    retry: 'never',
    about: 'The key has an IP allowlist, and the call came from an address that is not on it; `detail` names the address we saw.',
  },
  organization_suspended: {
    status: 403,
    title: 'The organization is suspended',
    retry: 'never',
    about: 'The organization of this credential is suspended. Its owner has been told why.',
  },
  not_found: {
    status: 404,
    title: 'There is no such record',
    retry: 'never',
    about:
      'No record with that id exists for this credential. Records of another organization or of the other environment answer exactly so.',
  },
  route_not_found: {
    status: 404,
    title: 'There is no such address',
    retry: 'never',
    about: 'No operation has this path. `GET /v1` lists all that there are.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed here',
    retry: 'never',
    about: 'The path exists, but not with this method. The header `Allow` lists those that it has.',
  },
  not_acceptable: {
    status: 406,
    title: 'The answer would not be acceptable',
    retry: 'never',
    about: 'Answers are `application/json`, and the header `Accept` of the request excludes that.',
  },
  idempotency_conflict: {
    status: 409,
    title: 'The Idempotency-Key is in use',
    retry: 'never',
    about:
      'The key was used for another request within the last 24 hours, or the first request with it is still running (then `retry` is `same_key`). Use a new key for a new thing.',
  },
  already_exists: {
    status: 409,
    title: 'Such a record exists already',
    retry: 'never',
    about: 'A record that must be unique exists already; `errors` names the fields. Archived records count.',
  },
  body_too_large: { status: 413, title: 'The body is too large', retry: 'never', about: 'A request body may have at most 1 MiB.' },
  unsupported_media_type: {
    status: 415,
    title: 'The media type is not supported',
    retry: 'never',
    about: 'Bodies are JSON: send `Content-Type: application/json`, in UTF-8 and without a content encoding.',
  },
  confirmation_needed: {
    status: 428,
    title: 'It was not confirmed',
    retry: 'never',
    about:
      'Tools for language models answer so, the API itself never does: a tool that changes something was called without its confirmation. The request was checked, and nothing was done. To do it, call the tool with `confirm: true` (deleting: `confirm_delete: true`).',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    retry: 'later',
    about:
      'The limit of your tier is used up. Wait for the seconds that `Retry-After` names, and then go on at the pace that `RateLimit-Policy` states; do not retry in parallel.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    retry: 'never',
    about: 'All headers together may have at most 16 KiB.',
  },
  bad_request: {
    status: 400,
    title: 'The request is not HTTP',
    retry: 'never',
    about: 'The request could not be read as HTTP, or its address is not a valid one.',
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side',
    retry: 'same_key',
    about:
      'An error we did not foresee. Nothing was changed; the call may be repeated with the same Idempotency-Key. Tell us the `requestId` if it persists.',
  },
  unavailable: {
    status: 503,
    title: 'The service is not available for the moment',
    retry: 'same_key',
    about:
      'Something this service depends on is away. Repeat the call after the seconds that `Retry-After` names, with the same Idempotency-Key: if it was done, you are given its answer.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

export interface FieldError {
  readonly location: 'body' | 'query' | 'path' | 'header';
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

interface ProblemOptions {
  detail?: string;
  errors?: readonly FieldError[];
  retry?: Retry;
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
}

/** More would help nobody, and would make a large answer of a small request. */
const ERRORS_MAX = 100;

/** The only error that callers are told about. `cause` goes to the log, never to the caller. */
export class Problem extends Error {
  readonly detail: string;
  readonly errors: readonly FieldError[];
  readonly retry: Retry;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: ProblemCode,
    options: ProblemOptions = {},
  ) {
    super(options.detail ?? PROBLEMS[code].title, { cause: options.cause });
    this.detail = this.message;
    this.errors = options.errors ?? [];
    this.retry = options.retry ?? PROBLEMS[code].retry;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }

  /** One or several values of the request that are not as they must be. */
  static validation(errors: readonly FieldError[]): Problem {
    const shown = errors.slice(0, 3).map((error) => `${error.field} ${error.message}`);
    const rest = errors.length > 3 ? `; and ${errors.length - 3} more` : '';
    return new Problem('validation_failed', { detail: `${shown.join('; ')}${rest}.`, errors: errors.slice(0, ERRORS_MAX) });
  }

  /** One value of the body that is not valid. The message continues the name of the field: "must be at most 7d". */
  static invalidField(field: string, code: string, message: string): Problem {
    return Problem.validation([{ location: 'body', field, code, message }]);
  }

  /** `what` is the kind of record, with its id if the caller gave one: "user 018f…". */
  static notFound(what: string): Problem {
    return new Problem('not_found', { detail: `There is no ${what}.` });
  }
}

/** The body of every answer that is not 2xx (RFC 9457). */
export function problemBody(problem: Problem, at: { baseUrl: string; requestId: string }) {
  return {
    type: `${at.baseUrl}/problems/${problem.code}`,
    title: PROBLEMS[problem.code].title,
    status: problem.status,
    detail: problem.detail,
    code: problem.code,
    requestId: at.requestId,
    retry: problem.retry,
    errors: problem.errors,
  };
}

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';
