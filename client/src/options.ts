/** Anything like the `fetch` of browsers and Node. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A request that is about to be sent. Headers can be added to it, such as those of a trace. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  /** 1, and more when the call is repeated. */
  readonly attempt: number;
}

/**
 * Returns an OAuth access token, and is asked before every attempt. `refused`: a token that the service has refused in this call,
 * although it should still be valid. If the function then returns another one, the call is repeated once.
 */
export type AccessTokenFunction = (refused?: string) => string | Promise<string>;

/** Of an application that acts on its own behalf, without a user. */
export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
  /** Separated by spaces; by default all for which the application is approved. */
  scope?: string | undefined;
}

/** With one of `apiKey`, `accessToken` and `clientCredentials`. */
export interface ClaimsOptions {
  /** An API key (`pk_test_…`, `pk_live_…`). Keep it on your server. */
  apiKey?: string | undefined;
  /** An OAuth access token, or a function that returns the current one. */
  accessToken?: string | AccessTokenFunction | undefined;
  /** An application whose access tokens are requested, kept and renewed for you. Keep the secret on your server. */
  clientCredentials?: ClientCredentials | undefined;
  baseUrl?: string | undefined;
  fetch?: Fetch | undefined;
  /** Milliseconds for a call with all its retries; 60,000 by default. */
  timeout?: number | undefined;
  /** Milliseconds after which an attempt without an answer is repeated; half of `timeout` by default. */
  attemptTimeout?: number | undefined;
  /**
   * How often a call that failed is repeated; 4 by default. Neither waiting for the rate limit counts nor a new access token. With 0,
   * only a call whose access token was refused is repeated.
   */
  maxRetries?: number | undefined;
  /** Called before every attempt. */
  onRequest?: ((request: OutgoingRequest) => void | Promise<void>) | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Milliseconds for this call with all its retries. */
  timeout?: number | undefined;
}

export interface WriteOptions extends CallOptions {
  /** Made for each call by default. State one of your own if you may have to repeat the call later, after a crash. */
  idempotencyKey?: string | undefined;
}

interface Conditional {
  /** The ETag of the record, from `headersOf(record)`: the call fails with `changed_meanwhile` if it has changed since. */
  ifMatch?: string | undefined;
}

export interface UpdateOptions extends WriteOptions, Conditional {
  /** Changes `metadata` key by key, where `null` removes one, instead of replacing it as a whole. */
  merge?: boolean | undefined;
}
export interface DeleteOptions extends CallOptions, Conditional {}
