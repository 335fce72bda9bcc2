import { ClaimsError, ConnectionError, TimeoutError, UnexpectedAnswerError, type Failure } from './errors.js';
import { clientCredentialsToken } from './client-credentials.js';
import type { Problem } from './generated-types.js';
import { parsed } from './json.js';
import type { Query } from './list.js';
import type { AccessTokenFunction, ClaimsOptions, UpdateOptions } from './options.js';
import { Pace } from './pace.js';
import { serviceAt, type Service } from './service.js';
import { backoffMs, sleep, unlessAborted } from './waiting.js';

const TIMEOUT_MS = 60_000;
const MAX_RETRIES = 4;
const RATE_LIMITED = 429;

export interface Operation {
  readonly method: string;
  readonly path: string;
  /** Whether it takes an Idempotency-Key. */
  readonly key?: true;
}

export interface Input {
  readonly path?: readonly string[];
  readonly query?: object;
  readonly body?: object;
  /** Instead of a body in JSON: a form, of which one field is a file. */
  readonly form?: object;
}

export type ErrorClasses = Readonly<Record<string, new (code: never, message: string, failure: Failure) => ClaimsError>>;

/** A call on its way: what stays the same in all its attempts, and what became of those before. */
interface Call {
  readonly operation: Operation;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData | undefined;
  readonly signal: AbortSignal | undefined;
  readonly deadline: number;
  readonly attemptTimeout: number;
  readonly isFile: boolean;
  /** Whether an attempt was sent whose answer did not arrive. */
  wasLost: boolean;
  /** The access token of the last attempt. */
  token: string | undefined;
  /** The first access token that was refused, and how. */
  refused: { readonly token: string | undefined; readonly error: ClaimsError } | undefined;
}

const answers = new WeakMap<object, Headers>();

/** The headers of an answer, such as its `etag` and `x-request-id`. Pass what a method returned. */
export const headersOf = (answer: object): Headers => answers.get(answer) ?? new Headers();

/** A group of operations on one kind of record. */
export class Resource {
  constructor(protected readonly caller: Caller) {}
}

/** Sends calls, repeats those that fail, and reads the answers. */
export class Caller {
  private readonly service: Service;
  private readonly accessToken: AccessTokenFunction | undefined;
  private readonly pace = new Pace();
  /** The last answer of 429, of whichever call. */
  private refusal: ClaimsError | undefined;

  constructor(
    private readonly options: ClaimsOptions,
    baseUrl: string,
    private readonly errors: ErrorClasses,
  ) {
    const { apiKey, accessToken, clientCredentials } = options;
    if ([apiKey, accessToken, clientCredentials].filter(Boolean).length !== 1)
      throw new TypeError('Pass one of apiKey, accessToken and clientCredentials.');
    this.service = serviceAt(options.baseUrl ?? baseUrl, options.fetch);
    if (clientCredentials) this.accessToken = clientCredentialsToken({ ...this.service, ...clientCredentials }, clientCredentials.scope);
    else this.accessToken = typeof accessToken === 'string' ? () => accessToken : accessToken;
  }

  async call<Answer>(operation: Operation, input: Input, options: UpdateOptions): Promise<Answer> {
    return (await this.send(this.begin(operation, input, options, false))) as Answer;
  }

  /** The answer is a file, whose body is not read. */
  async file(operation: Operation, input: Input, options: UpdateOptions): Promise<Response> {
    return (await this.send(this.begin(operation, input, options, true))) as Response;
  }

  private begin(operation: Operation, { path, query, body, form }: Input, options: UpdateOptions, isFile: boolean): Call {
    const timeout = options.timeout ?? this.options.timeout ?? TIMEOUT_MS;
    const key = operation.key && (options.idempotencyKey ?? crypto.randomUUID());
    return {
      operation,
      url: this.service.baseUrl + pathOf(operation.path, path) + queryText({ ...query }),
      headers: {
        Accept: isFile ? '*/*' : 'application/json',
        ...(body && { 'Content-Type': options.merge ? 'application/merge-patch+json' : 'application/json' }),
        ...(key && { 'Idempotency-Key': key }),
        ...(options.ifMatch && { 'If-Match': options.ifMatch }),
      },
      body: form ? formOf(form) : body && JSON.stringify(body),
      signal: options.signal,
      deadline: Date.now() + timeout,
      attemptTimeout: this.options.attemptTimeout ?? timeout / 2,
      isFile,
      wasLost: false,
      token: undefined,
      refused: undefined,
    };
  }

  private async send(call: Call): Promise<unknown> {
    let [failures, error] = [0, undefined as ClaimsError | undefined];
    for (let attempt = 1; ; attempt += 1) {
      await this.waitForTurn(call, error);
      try {
        return await this.attempt(call, attempt);
      } catch (thrown) {
        if (!(thrown instanceof ClaimsError)) throw thrown;
        error = thrown;
      }
      // The answer to the first attempt was lost, and by now the record is gone: as was asked for.
      if (call.wasLost && call.operation.method === 'DELETE' && error.status === 404) return undefined;
      if (error.code === 'credential_invalid' && this.accessToken && !call.refused) call.refused = { token: call.token, error };
      else if (error.status === RATE_LIMITED && this.options.maxRetries !== 0) this.slowDown(error);
      else await this.waitAfter((failures += 1), error, call);
    }
  }

  private slowDown(refusal: ClaimsError): void {
    this.refusal = refusal;
    this.pace.refused(Date.now(), refusal.retryAfter ?? 1, refusal.headers!.get('ratelimit-policy'));
  }

  /** Until the rate limit lets the call pass. Throws the last error at once if that is too late for the call. */
  private async waitForTurn({ deadline, signal }: Call, error: ClaimsError | undefined): Promise<void> {
    const wait = this.pace.turn(Date.now(), deadline);
    if (wait === undefined) throw error ?? this.refusal!;
    if (wait > 0) await sleep(wait, signal);
  }

  private async waitAfter(failures: number, error: ClaimsError, { deadline, signal }: Call): Promise<void> {
    const wait = (error.retryAfter ?? 0) * 1000 + backoffMs(failures);
    const isUseless = error.retry === 'never' || failures > (this.options.maxRetries ?? MAX_RETRIES);
    if (isUseless || Date.now() + wait > deadline) throw error;
    await sleep(wait, signal);
  }

  private async attempt(call: Call, attempt: number): Promise<unknown> {
    const { operation, url, signal, deadline } = call;
    signal?.throwIfAborted();
    const controller = new AbortController();
    const abort = (): void => controller.abort(signal!.reason);
    const end = (): void => controller.abort(new TimeoutError('There was no answer in time.'));
    const timer = setTimeout(end, Math.max(0, Math.min(deadline - Date.now(), call.attemptTimeout)));
    signal?.addEventListener('abort', abort, { once: true });
    let isOpen = false;
    try {
      const headers = new Headers(call.headers);
      if (this.accessToken) headers.set('Authorization', `Bearer ${await unlessAborted(this.tokenFor(call), controller.signal)}`);
      else headers.set('X-API-Key', this.options.apiKey!.trim());
      await this.options.onRequest?.({ method: operation.method, url, headers, attempt });
      controller.signal.throwIfAborted();
      const answer = await this.exchange(call, headers, controller.signal);
      isOpen = call.isFile;
      return answer;
    } finally {
      clearTimeout(timer);
      // Whoever reads a file can still abort it.
      if (!isOpen) signal?.removeEventListener('abort', abort);
    }
  }

  private async tokenFor(call: Call): Promise<string> {
    const token = await this.accessToken!(call.refused?.token);
    if (call.refused && token === call.refused.token) throw call.refused.error;
    return (call.token = token);
  }

  private async exchange(call: Call, headers: Headers, signal: AbortSignal): Promise<unknown> {
    const { operation, url, body, isFile } = call;
    try {
      // A redirect would pass the key on to another server.
      const init = { method: operation.method, headers, signal, redirect: 'manual' } as const;
      const response = await this.service.fetch(url, body === undefined ? init : { ...init, body });
      return isFile && response.ok ? response : await this.read(response);
    } catch (error) {
      if (error instanceof ClaimsError) throw error;
      call.wasLost = true;
      signal.throwIfAborted();
      throw new ConnectionError('The connection failed.', error);
    }
  }

  private async read(response: Response): Promise<unknown> {
    const { status, headers } = response;
    const text = await response.text();
    if (status === 204) return undefined;
    const document = parsed(text);
    if (!document) throw new UnexpectedAnswerError(status, headers);
    if (response.ok) {
      answers.set(document, headers);
      return document;
    }
    const problem = document as Problem;
    if (typeof problem.code !== 'string') throw new UnexpectedAnswerError(status, headers);
    // Not a class for each code that a later version may add.
    const Class = Object.hasOwn(this.errors, problem.code) ? this.errors[problem.code]! : ClaimsError;
    throw new Class(problem.code as never, `${problem.code}: ${problem.detail}`, { status, problem, headers });
  }
}

function pathOf(template: string, values: readonly string[] = []): string {
  let next = 0;
  return template.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = values[next++];
    // An empty one would be the path of the list, and dots that of another record.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw new TypeError(`${name} must be an id, not ${JSON.stringify(value)}.`);
    return encodeURIComponent(value);
  });
}

/** Whoever sends it names its boundary. */
function formOf(fields: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields) as [string, Blob | string | boolean | null | undefined][])
    if (value !== undefined && value !== null) form.append(name, value instanceof Blob ? value : String(value));
  return form;
}

function queryText(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length > 0 ? `?${new URLSearchParams(given).toString()}` : '';
}
