import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Principal } from '../access/principal.js';

/** A call of the service by itself, for somebody who has called it. */
export interface InProcessCall {
  readonly method: string;
  readonly url: string;
  /** Their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly remoteAddress: string;
  readonly payload: string | undefined;
  /** Who calls, where that is known already: it is not asked again. */
  readonly principal?: Principal | undefined;
  /** Only to be checked: it ends where the operation would begin. */
  readonly isDryRun?: boolean | undefined;
}

/** What routes and guards look at of a request that came over the network. */
class InProcessRequest extends Readable {
  readonly httpVersion = '1.1';
  readonly httpVersionMajor = 1;
  readonly method: string;
  readonly url: string;
  readonly headers: InProcessCall['headers'];
  readonly socket: { readonly remoteAddress: string };
  readonly principal: Principal | undefined;
  readonly isDryRun: boolean;
  private readonly payload: string | undefined;

  constructor({ method, url, headers, remoteAddress, payload, principal, isDryRun = false }: InProcessCall) {
    super();
    this.method = method;
    this.url = url;
    this.headers = payload === undefined ? headers : { ...headers, 'content-length': `${Buffer.byteLength(payload)}` };
    this.socket = { remoteAddress };
    this.payload = payload;
    this.principal = principal;
    this.isDryRun = isDryRun;
  }

  override _read(): void {
    if (this.payload !== undefined) this.push(this.payload);
    this.push(null);
  }
}

/** An answer that is kept rather than sent. A stream of Node's would take more time over each than most calls do. */
class InProcessResponse extends EventEmitter {
  readonly writable = true;
  statusCode = 200;
  headersSent = false;
  writableEnded = false;
  writableFinished = false;
  closed = false;
  destroyed = false;
  /** By their names in lower case. */
  sentHeaders: Readonly<Record<string, unknown>> = {};
  private readonly headers = new Map<string, unknown>();
  private readonly chunks: (string | Buffer)[] = [];

  get payload(): string {
    const [only] = this.chunks;
    if (this.chunks.length === 1 && typeof only === 'string') return only;
    return Buffer.concat(this.chunks.map((chunk) => Buffer.from(chunk as string))).toString();
  }

  setHeader(name: string, value: unknown): this {
    this.headers.set(name.toLowerCase(), value);
    return this;
  }

  getHeader(name: string): unknown {
    return this.headers.get(name.toLowerCase());
  }

  hasHeader(name: string): boolean {
    return this.headers.has(name.toLowerCase());
  }

  removeHeader(name: string): void {
    this.headers.delete(name.toLowerCase());
  }

  writeHead(statusCode: number, headers: Readonly<Record<string, unknown>> = {}): this {
    this.statusCode = statusCode;
    this.sentHeaders = headers;
    this.headersSent = true;
    return this;
  }

  write(chunk: string | Buffer): boolean {
    this.chunks.push(chunk);
    return true;
  }

  end(chunk?: string | Buffer | null): this {
    if (chunk) this.write(chunk);
    this.writableEnded = this.writableFinished = true;
    this.emit('finish');
    return this.destroy();
  }

  destroy(): this {
    if (this.closed) return this;
    this.closed = this.destroyed = true;
    this.emit('close');
    return this;
  }
}

export interface InProcessAnswer {
  readonly statusCode: number;
  readonly payload: string;
  readonly sentHeaders: Readonly<Record<string, unknown>>;
}

/**
 * Calls the service within the process: routes, guards and hooks are those of any other call. Fastify's own `inject` is made
 * for tests and does all that a server and a client do to a message, which costs more than the calls that are made of it here.
 */
export function callInProcess(fastify: FastifyInstance, call: InProcessCall): Promise<InProcessAnswer> {
  const response = new InProcessResponse();
  return new Promise((resolve, reject) => {
    response.once('close', () => (response.writableFinished ? resolve(response) : reject(new Error('The call was not answered.'))));
    fastify.routing(new InProcessRequest(call) as unknown as IncomingMessage, response as unknown as ServerResponse);
  });
}

/**
 * The call that the service makes of itself, behind a request; undefined for every request from the network. Nothing that comes
 * over the network can look like one: it is what the object is, and not what the request says.
 */
export const inProcessCallOf = ({ raw }: FastifyRequest): Pick<InProcessCall, 'principal' | 'isDryRun'> | undefined =>
  raw instanceof InProcessRequest ? raw : undefined;
