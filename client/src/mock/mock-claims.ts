import type { OPERATIONS } from '../generated.js';
import type { ClaimReport, Problem } from '../generated-types.js';
import { Keys } from './keys.js';
import { etagOf, Playing, type Played } from './playing.js';
import { operationOf, readCall, requireKey, requireOperation, type MockCall } from './reading.js';
import type { MockRecord } from './records.js';
import { Refusal } from './refusal.js';

export interface MockOptions {
  /** How often a run is asked for until it has succeeded; 1 by default: it has when it is first asked for. */
  readonly asksPerReport?: number;
}

/** A call that the mock has received. */
export interface MockRequest {
  /** Undefined if no operation has this path. */
  readonly operation: string | undefined;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

export interface MockProblem {
  readonly code: Problem['code'];
  readonly detail?: string;
  /** Seconds, for the header `Retry-After`. */
  readonly retryAfter?: number;
}

type OperationId = keyof typeof OPERATIONS;
type ResponseMaker = () => Response | Promise<Response>;
type Answer = object | ResponseMaker;

/**
 * The API in memory, for the tests of programs that use it: `new Claims({ apiKey: mock.apiKey, fetch: mock.fetch })`.
 *
 * It checks requests against the OpenAPI document and answers as the service does: records by id, pages, filters and `search`,
 * repeated Idempotency-Keys, ETags, and problems with their codes.
 *
 * It does not read bank statements or compute reports: a run ends with an empty result, unless you state another. Of rules it checks
 * the form, and not the patterns. It has no scopes, plans, rate limits and limits of sizes and records, sends no webhooks, and does
 * not look up their URLs. Its feed of events has those that were sent with `test.sendEvent`, and no others. What it cannot play is answered
 * with 501 and the code `not_in_mock`: the audit log, answered requests, usage, organization, catalog, credential, deliveries, files,
 * closings, and endpoints with the signature `ed25519`. State answers with `answer`.
 */
export class MockClaims {
  /** The key that it lets in. */
  readonly apiKey = 'pk_test_mock';
  /** What it has received, in order. */
  readonly requests: MockRequest[] = [];
  private playing: Playing;
  private readonly keys = new Keys();
  private readonly answers = new Map<string, Answer>();
  private failures: Refusal[] = [];
  private lost = 0;
  private isOffline = false;

  constructor(private readonly options: MockOptions = {}) {
    this.playing = new Playing(options.asksPerReport ?? 1);
  }

  /** The next calls fail with a problem. */
  failNext(problem: Problem['code'] | MockProblem, times = 1): void {
    const { code, ...details } = typeof problem === 'string' ? { code: problem } : problem;
    for (let time = 0; time < times; time += 1) this.failures.push(new Refusal(code, details));
  }

  /** The next calls are carried out, and their answers are lost. */
  loseNext(times = 1): void {
    this.lost += times;
  }

  /** No call arrives until `online` is called. */
  offline(): void {
    this.isOffline = true;
  }

  online(): void {
    this.isOffline = false;
  }

  /** Ends all runs that have not ended. `outcome` has other fields than those of a run that found nothing, such as `failure`. */
  finishReports(outcome: Partial<ClaimReport> = {}): void {
    this.playing.finishReports(outcome);
  }

  /** What an operation answers from now on: an object, or a function that returns a whole response. */
  answer(operation: OperationId, answer: Answer): void {
    this.answers.set(operation, answer);
  }

  /** Adds a record that programs cannot create, such as a bank statement: `mock.add('/v1/bank-statements', { fileName: 'a.csv' })`. */
  add(path: `/v1/${string}`, fields: object): { readonly id: string } {
    const records = this.playing.records.get(path);
    if (!records) throw new TypeError(`The mock keeps no records of ${path}.`);
    return records.add(fields as Record<string, unknown>);
  }

  /** As if it were new. */
  reset(): void {
    this.playing = new Playing(this.options.asksPerReport ?? 1);
    this.requests.length = 0;
    this.keys.clear();
    this.answers.clear();
    this.failures = [];
    this.lost = 0;
    this.isOffline = false;
  }

  /** Answers a request. It is a `fetch` for `Claims`, and a handler for servers that take requests of this kind. */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = typeof input === 'string' || input instanceof URL ? new Request(input, init) : input;
    request.signal.throwIfAborted();
    if (this.isOffline) throw new TypeError('fetch failed');
    const response = await this.respond(request);
    if (this.lost === 0) return response;
    this.lost -= 1;
    throw new TypeError('fetch failed');
  };

  private async respond(request: Request): Promise<Response> {
    const requestId = request.headers.get('X-Request-Id') ?? crypto.randomUUID();
    try {
      const response = await this.handle(request);
      response.headers.set('X-Request-Id', requestId);
      return response;
    } catch (error) {
      if (error instanceof Refusal) return error.answer(requestId);
      throw error;
    }
  }

  private async handle(request: Request): Promise<Response> {
    const { method, headers } = request;
    const [url, body] = [new URL(request.url), await request.text()];
    const path = url.pathname + url.search;
    this.requests.push({ operation: operationOf(method, url.pathname)?.operation.id, method, path, headers, body });
    const failure = this.failures.shift();
    if (failure) throw failure;
    const { operation, params } = requireOperation(method, url.pathname);
    requireKey(headers, this.apiKey);
    await this.playing.provoking.give(url.pathname);
    const call = readCall(operation, params, url, headers, body);
    const answer = this.answers.get(operation.id);
    if (typeof answer === 'function') return (answer as ResponseMaker)();
    if (answer) return written(answer, operation.status, new Headers());
    if (operation.id === 'test.reset' && !this.keys.has(headers.get('Idempotency-Key'))) this.keys.clear();
    return this.keys.once(call, headers.get('Idempotency-Key'), () => this.played(call, url, headers));
  }

  private played(call: MockCall, url: URL, headers: Headers): Response {
    const { operation } = call;
    const answer = this.playing.play(call, operation.ifMatch ? headers.get('If-Match') : null);
    const record = isRecord(answer) ? answer : undefined;
    const shown = new Headers({ 'Cache-Control': 'no-store' });
    if (record) shown.set('ETag', etagOf(record));
    if (record && operation.status === 201) shown.set('Location', `${url.origin}${url.pathname}/${record.id}`);
    if (record && operation.method === 'GET' && isNamed(headers.get('If-None-Match'), etagOf(record)))
      return new Response(null, { status: 304, headers: shown });
    if (answer === undefined) return new Response(null, { status: operation.status, headers: shown });
    return written(answer, operation.status, shown);
  }
}

function written(answer: object, status: number, headers: Headers): Response {
  headers.set('Content-Type', 'application/json; charset=utf-8');
  return new Response(JSON.stringify(answer), { status, headers });
}

const isRecord = (answer: Played): answer is MockRecord => typeof answer?.updatedAt === 'string';

const isNamed = (header: string | null, tag: string): boolean =>
  header !== null && header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag);
