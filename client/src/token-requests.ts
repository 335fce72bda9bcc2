import { ClaimsError, ConnectionError, TimeoutError, UnexpectedAnswerError } from './errors.js';
import type { Problem } from './generated-types.js';
import { parsed } from './json.js';
import type { Service } from './service.js';

/** Short: for a minute, the service answers a repeated refresh as it did the first time. There must be time to repeat it. */
const TIMEOUT_MS = 10_000;
/** A token is renewed this long before it expires, so that it does not expire on its way. */
const MARGIN_MS = 60_000;

/** An application that is registered with the service. */
export interface OAuthClient extends Service {
  readonly clientId: string;
  /** Undefined for a public application. */
  readonly clientSecret: string | undefined;
}

export interface AccessToken {
  readonly accessToken: string;
  /** In milliseconds since 1970, like `Date.now()`. */
  readonly expiresAt: number;
  /** What was allowed, separated by spaces. It can be less than what was asked for. */
  readonly scope: string;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly document: object | undefined;
}

export type OAuthErrorCode =
  | 'access_denied'
  | 'consent_required'
  | 'invalid_authorization_details'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_request'
  | 'invalid_scope'
  | 'login_required'
  | 'temporarily_unavailable'
  | 'unauthorized_client'
  | (string & {});

/** The service refused to give tokens. `code` is the `error` of OAuth, such as `invalid_client`, or `access_denied` if the user refused. */
export class OAuthError extends ClaimsError<OAuthErrorCode> {
  constructor(
    code: OAuthErrorCode,
    readonly description: string | undefined,
    failure: { readonly status?: number; readonly headers?: Headers } = {},
  ) {
    const isTemporary = failure.status === 429 || (failure.status ?? 0) >= 500;
    super(code, description ? `${code}: ${description}` : code, { ...failure, retry: isTemporary ? 'same_key' : 'never' });
  }
}

/** Whether it can be sent with a call, and is another one than the one that was refused. */
export function isUsable({ accessToken, expiresAt }: AccessToken, refused: string | undefined): boolean {
  return accessToken !== refused && Date.now() < expiresAt - MARGIN_MS;
}

/** Asks for tokens. A refresh token is in the answer unless an application asks on its own behalf. */
export async function requestTokens(
  client: OAuthClient,
  fields: Readonly<Record<string, string>>,
): Promise<AccessToken & { readonly refreshToken: string | undefined }> {
  const sentAt = Date.now();
  const { status, headers, document } = await post(client, '/oauth/token', fields);
  const { access_token: accessToken, expires_in: seconds, refresh_token: refreshToken, scope = '' } = { ...document } as TokenAnswer;
  if (typeof accessToken !== 'string' || typeof seconds !== 'number') throw new UnexpectedAnswerError(status, headers);
  return { accessToken, refreshToken, expiresAt: sentAt + seconds * 1000, scope };
}

interface TokenAnswer {
  access_token?: string;
  expires_in?: number;
  refresh_token?: string;
  scope?: string;
}

/** Sends a form in the name of the application. */
export async function post(client: OAuthClient, path: string, fields: Readonly<Record<string, string>>): Promise<Answer> {
  const { clientId, clientSecret } = client;
  const headers = new Headers({ Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' });
  const body = new URLSearchParams(fields);
  // RFC 6749, 2.3.1: both are encoded, because an id may be a URL.
  if (clientSecret) headers.set('Authorization', `Basic ${btoa([clientId, clientSecret].map(encodeURIComponent).join(':'))}`);
  else body.set('client_id', clientId);
  const answer = await sent(client, path, { method: 'POST', headers, body: body.toString(), redirect: 'manual' });
  if (answer.status !== 200) throw errorOf(answer);
  return answer;
}

async function sent({ baseUrl, fetch }: Service, path: string, init: RequestInit): Promise<Answer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(baseUrl + path, { ...init, signal });
    return { status: response.status, headers: response.headers, document: parsed(await response.text()) };
  } catch (error) {
    if (signal.aborted) throw new TimeoutError('There was no answer to the request for a token in time.', error);
    throw new ConnectionError('The connection failed when a token was requested.', error);
  }
}

function errorOf({ status, headers, document }: Answer): ClaimsError {
  const { error, error_description: description } = { ...document } as { error?: string; error_description?: string };
  if (typeof error === 'string') return new OAuthError(error, description, { status, headers });
  const problem = document as Problem | undefined;
  if (typeof problem?.code !== 'string') return new UnexpectedAnswerError(status, headers);
  return new ClaimsError(problem.code, `${problem.code}: ${problem.detail}`, { status, problem, headers });
}
