import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { READ_FOR_EXCERPT } from './answer-excerpt.js';

/** A response body is read up to here, so that the connection can be reused. After more the connection is closed. */
const MAX_BODY_BYTES = 64 * 1024;
const FIRST_FINAL_STATUS = 200;
const NO_BODY = Buffer.alloc(0);

export interface Answer {
  readonly status: number;
  /** How the body begins. */
  readonly start: Buffer;
  readonly isLonger: boolean;
  readonly retryAfter?: string;
}

/** Neither connection nor answer came in time. */
export class TookTooLong extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * One request and its answer, on undici's dispatch interface: `request` would make a signal and a stream for each, which cost more than
 * the request. Once there is a status it decides the outcome: whatever happens to the body afterwards only ends it.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined;
  private status: number | undefined;
  private retryAfter: string | undefined;
  private readonly chunks: Buffer[] = [];
  private read = 0;
  private hasEnded = false;
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly resolve: (answer: Answer) => void,
    private readonly reject: (error: Error) => void,
    timeoutMs: number,
  ) {
    this.timer = setTimeout(() => this.giveUp(new TookTooLong()), timeoutMs).unref();
  }

  /** Resolves with the answer. Rejects with the error if no status has come, at the latest after `timeoutMs`. */
  static send(dispatcher: Dispatcher, request: Dispatcher.DispatchOptions, timeoutMs: number): Promise<Answer> {
    return new Promise((resolve, reject) => dispatcher.dispatch(request, new Exchange(resolve, reject, timeoutMs)));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The time may have ended while the request waited for its connection.
    if (this.hasEnded) controller.abort(new TookTooLong());
    else this.controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < FIRST_FINAL_STATUS) return;
    this.status = status;
    const retryAfter = headers['retry-after'];
    if (typeof retryAfter === 'string') this.retryAfter = retryAfter;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.read < READ_FOR_EXCERPT) this.chunks.push(chunk);
    this.read += chunk.length;
    if (this.read > MAX_BODY_BYTES) this.giveUp(new Error('The answer is too long.'));
  }

  onResponseEnd(): void {
    this.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.end(error);
  }

  private giveUp(error: Error): void {
    this.end(error);
    this.controller?.abort(error);
  }

  private end(error?: Error): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    clearTimeout(this.timer);
    const { status, retryAfter, read } = this;
    // Made only if it is needed: its stack would cost more than the rest of this method.
    if (status === undefined) return this.reject(error ?? new Error('The answer has no status.'));
    const start = this.chunks.length === 0 ? NO_BODY : Buffer.concat(this.chunks).subarray(0, READ_FOR_EXCERPT);
    this.resolve({ status, start, isLonger: read > READ_FOR_EXCERPT, ...(retryAfter !== undefined && { retryAfter }) });
  }
}
