import { BODY_MAX_BYTES, HEADERS_MAX_BYTES, KEY_MAX_LENGTH, MS_FOR_EACH_MIB, SLOWEST_BODY } from './product.js';
import { setting } from './settings/setting-text.js';

/** What a program should do after a failed call. */
export type Retry = 'never' | 'same_key' | 'later';

export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  readonly retry: Retry;
  /** The text of the page /problems/{code}: what happened, and what to do about it. May state settings. */
  readonly about: string;
}

/** At most this many field errors are listed in one answer: a small request must not cause a large answer. */
export const ERRORS_MAX = 100;

/** A code never changes its meaning; new ones are added. `retry` is `never` where none is said. */
const OWN = {
  validation_failed: {
    status: 400,
    title: 'The request is not valid',
    about:
      'A value in the body, query or path is missing, unknown or not allowed. `errors` lists each one, up to ' +
      `${ERRORS_MAX}, with its location and the reason. Nothing was changed. Correct the values and send the request again.`,
  },
  malformed_json: {
    status: 400,
    title: 'The body is not a JSON object',
    about: 'The body could not be read as a JSON object in UTF-8. Send one JSON object and `Content-Type: application/json`.',
  },
  idempotency_key_missing: {
    status: 400,
    title: 'The Idempotency-Key header is missing',
    about:
      'Every POST and PATCH needs an `Idempotency-Key` header. Choose a new key for each new request, and send the same key ' +
      'when you repeat a request: it is then carried out only once.',
  },
  idempotency_key_invalid: {
    status: 400,
    title: 'The Idempotency-Key header is not valid',
    about: `An Idempotency-Key has 1 to ${KEY_MAX_LENGTH} printable ASCII characters. A UUID is a good choice.`,
  },
  related_record_missing: {
    status: 400,
    title: 'A related record does not exist',
    about:
      'The body refers to another record by an id that does not exist for this credential; `errors` names the field. Records of ' +
      'another organization or of the other environment count as missing. Nothing was changed.',
  },
  environment_mismatch: {
    status: 400,
    title: 'The environment does not match the credential',
    about: 'A test credential manages test records only. Use a live credential to manage live records.',
  },
  target_not_allowed: {
    status: 400,
    title: 'Deliveries cannot be sent to this URL',
    about:
      'Deliveries are sent to the public Internet only: the URL must use `https` for live events, must not contain credentials, ' +
      'and must not lead to a private, local or reserved address. `errors` says what is wrong with this one. To get events on your own ' +
      'machine, run `claims webhook listen`, or a service of your own with `WEBHOOK_ALLOWED_NETWORKS`; test endpoints may use `http`.',
  },
  ambiguous_credentials: {
    status: 400,
    title: 'Two credentials were sent',
    about: 'Send either `X-API-Key` or `Authorization: Bearer`, not both.',
  },
  credential_missing: {
    status: 401,
    title: 'No credential was sent',
    about: 'Send your API key in the `X-API-Key` header, or an access token as `Authorization: Bearer`.',
  },
  credential_invalid: {
    status: 401,
    title: 'The credential is not valid',
    about:
      'The credential is unknown, expired or revoked; for security we do not say which. Check that you sent all of it. If that ' +
      'does not help, create a new one.',
  },
  scope_missing: {
    status: 403,
    title: 'The credential lacks a scope',
    about:
      'The credential is valid, but does not have the scope that this operation requires; `detail` names the scope. Use a ' +
      'credential that has it.',
  },
  role_required: {
    status: 403,
    title: 'The role of the person does not allow this',
    about:
      'An application acts for a person here, and may do no more than that person; `detail` names the role that this takes. Another ' +
      'consent does not help: an admin has to change the role of the person, or to use the application themselves.',
  },
  event_not_allowed: {
    status: 403,
    title: 'The record of an event may not be read',
    about:
      'An event carries a record, so it is given only to those who may read that record; `detail` names the kind of event, and the ' +
      'scope or role that its record takes. Use a credential that has it, or leave out the kind.',
  },
  plan_required: {
    status: 403,
    title: 'A higher plan is required',
    about: 'This operation requires a plan that your organization does not have; `detail` names the plan.',
  },
  ip_not_allowed: {
    status: 403,
    title: 'The IP address is not allowed',
    about:
      'The API key has an IP allowlist, and the request came from an address that is not on it; `detail` names the address that ' +
      'we saw.',
  },
  organization_suspended: {
    status: 403,
    title: 'The organization is suspended',
    about:
      'The organization of this credential is suspended: no credential of it works, and no webhooks are sent. Contact support to find ' +
      'out why.',
  },
  not_found: {
    status: 404,
    title: 'There is no such record',
    about:
      'No record with this id exists for this credential. Records of another organization or of the other environment get the ' +
      'same answer.',
  },
  route_not_found: {
    status: 404,
    title: 'There is no such path',
    about: 'No operation has this path. `GET /v1` lists all operations.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed',
    about: 'The path exists, but not with this method. The `Allow` header lists the methods that it has.',
  },
  not_acceptable: {
    status: 406,
    title: 'The client does not accept JSON',
    about: 'Answers are `application/json`, and the `Accept` header of the request excludes that.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    retry: 'same_key',
    about:
      'The request was given up before all of its headers and body had arrived. They must arrive within ' +
      `${setting('requestTimeoutMs')}, and each MiB of the body that has arrived adds ${MS_FOR_EACH_MIB / 1000} seconds. After its ` +
      `first ${SLOWEST_BODY.inMs / 1000} seconds, at least ${SLOWEST_BODY.bytes / 1024} KiB of a body must come in each ` +
      `${SLOWEST_BODY.inMs / 1000}. ` +
      'The connection was closed, and nothing was changed. Send the request again with the same Idempotency-Key, on a new connection.',
  },
  idempotency_conflict: {
    status: 409,
    title: 'The Idempotency-Key is already in use',
    about:
      'This Idempotency-Key belongs to another request. Either the key was used for a different request within the last ' +
      `${setting('idempotencyRetentionMs')}: use a new key for a new request. Or the first request with this key is still in ` +
      'progress: then `retry` is `same_key`.',
  },
  already_exists: {
    status: 409,
    title: 'The record already exists',
    about:
      'Another record, perhaps an archived one, has the same values in fields that must be unique; `errors` names the fields and ' +
      '`conflictingId` the record.',
  },
  claim_final: {
    status: 409,
    title: 'The claim of these days is final',
    about:
      'A claim of the project is final, and the change would be about its days; `conflictingId` is the claim closing that made it ' +
      'final. Nothing was changed. Make another run and correct the claim, or reopen it.',
  },
  claim_state: {
    status: 409,
    title: 'The claim is not in the state for this step',
    about:
      'The claim cannot take this step; `detail` says which state it has now, or what it lacks. Nothing was changed. ' +
      '`GET /v1/claim-closings?report_id=` shows the steps of a run.',
  },
  changed_meanwhile: {
    status: 412,
    title: 'The record has changed meanwhile',
    about:
      'Somebody has changed the record since you read the ETag that `If-Match` states. Your call has changed nothing. Read the ' +
      'record again, decide whether your change still applies, and send it with the new ETag.',
  },
  limit_exceeded: {
    status: 409,
    title: 'The limit of records is reached',
    about:
      'The organization has as many records of this kind as it may; `detail` names the limit, its value and the count. Nothing was ' +
      'changed. `GET /v1/organization` shows all limits.',
  },
  body_too_large: {
    status: 413,
    title: 'The body is too large',
    about: `A request body may have at most ${BODY_MAX_BYTES / 1024 ** 2} MiB.`,
  },
  unsupported_media_type: {
    status: 415,
    title: 'The media type is not supported',
    about: 'Send the body as `Content-Type: application/json`, in UTF-8 and without a content encoding.',
  },
  confirmation_needed: {
    status: 428,
    title: 'The call was not confirmed',
    about:
      'Only tools for language models give this answer, the API itself never does. A tool that changes something was called ' +
      'without its confirmation: the request was checked, and nothing was changed. To carry it out, call the tool with ' +
      '`confirm: true` (to delete: `confirm_delete: true`).',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    retry: 'later',
    about:
      'You have used up your rate limit, or have more requests in progress at once than your share, as `detail` says. Wait for ' +
      'the seconds that `Retry-After` states, then keep to the rate that `RateLimit-Policy` states. Do not retry in parallel.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    about: `All headers together may have at most ${HEADERS_MAX_BYTES / 1024} KiB.`,
  },
  bad_request: {
    status: 400,
    title: 'The request is not valid HTTP',
    about: 'The request could not be read as HTTP, or its URL is not valid.',
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side',
    retry: 'same_key',
    about:
      'An unexpected error; nothing was changed. You can repeat the request with the same Idempotency-Key. If it persists, send us ' +
      'the `requestId`.',
  },
  unavailable: {
    status: 503,
    title: 'The service is temporarily unavailable',
    retry: 'same_key',
    about:
      'Something that the service depends on is down. Wait for the seconds that `Retry-After` states, then repeat the request ' +
      'with the same Idempotency-Key. If it had been carried out, you get its answer.',
  },
} as const satisfies Record<string, Omit<ProblemKind, 'retry'> & Partial<ProblemKind>>;

/** A code that is declared below is one as well. */
export type ProblemCode = keyof typeof OWN;

const table: Record<string, ProblemKind> = Object.fromEntries(
  Object.entries(OWN).map(([code, kind]) => [code, { retry: 'never', ...kind }]),
);

/** The one table of errors. List them when asked, not while files are loaded: more may be declared until the start. */
export const PROBLEMS: Readonly<Record<ProblemCode, ProblemKind>> = table as Record<ProblemCode, ProblemKind>;

/**
 * Declares a problem that an extension answers with; a code is declared once in the whole program. It has its page, and is in the
 * documents of the operations that name it. `about` is one or more sentences, of which the first is the default `detail`.
 */
export function declareProblem(code: string, kind: ProblemKind): ProblemCode {
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/.test(code)) throw new Error(`${code} is no problem code: words_with_underscores are expected.`);
  if (Object.hasOwn(table, code)) throw new Error(`The problem ${code} is declared twice.`);
  if (kind.status < 400 || kind.status > 499 || kind.status === 401)
    throw new Error(`The problem ${code} has the status ${kind.status}: 400 to 499 is expected, but not 401.`);
  if (!/^[A-Z].*\.$/s.test(kind.about)) throw new Error(`The problem ${code} is described by no sentence.`);
  table[code] = kind;
  return code as ProblemCode;
}
