import supertest, { type Response } from 'supertest';
import { newId } from '../../src/kernel/ids.js';
import { noteExchange } from './exchanges.js';

type Headers = Record<string, string>;
/** Only these members of a response, so that a failing test prints a readable diff. */
export type Answer = Pick<Response, 'status' | 'headers' | 'text' | 'body'>;

/** Calls the API like an integrator. Each write gets a new Idempotency-Key unless the test sends one. */
export class Client {
  constructor(
    readonly url: string,
    private readonly key?: string,
  ) {}

  get(path: string, headers: Headers = {}): Promise<Answer> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body?: object, headers: Headers = {}): Promise<Answer> {
    return this.send('POST', path, body, headers);
  }

  patch(path: string, body: object, headers: Headers = {}): Promise<Answer> {
    return this.send('PATCH', path, body, headers);
  }

  delete(path: string, headers: Headers = {}): Promise<Answer> {
    return this.send('DELETE', path, undefined, headers);
  }

  /** Sends any call. `headers` replace the default API key and Idempotency-Key; an empty value leaves the header out. */
  async send(method: string, path: string, body: object | string | undefined, headers: Headers = {}): Promise<Answer> {
    const defaults: Headers = {
      ...(this.key && { 'X-API-Key': this.key }),
      ...(method !== 'GET' && { 'Idempotency-Key': newId() }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    };
    const sent = Object.fromEntries(Object.entries({ ...defaults, ...headers }).filter(([, value]) => value !== ''));
    const request = supertest(this.url)[method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete' | 'put'](path).set(sent);
    const { status, headers: got, text, body: answered } = await (body === undefined ? request : request.send(body));
    noteExchange({ call: `${method} ${path}`, body, status, answer: text ?? '' });
    return { status, headers: got, text, body: answered };
  }
}
