import supertest, { type Response } from 'supertest';
import { newId } from '../../src/platform/database/ids.js';

type Headers = Record<string, string>;

/** Calls the API as an integrator would; a write gets a new Idempotency-Key unless the test gives one. */
export class Client {
  constructor(
    private readonly url: string,
    private readonly key?: string,
  ) {}

  get(path: string, headers: Headers = {}): Promise<Response> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body: object, headers: Headers = {}): Promise<Response> {
    return this.send('POST', path, body, headers);
  }

  patch(path: string, body: object, headers: Headers = {}): Promise<Response> {
    return this.send('PATCH', path, body, headers);
  }

  /** Any call: with the client's key and a new Idempotency-Key, unless the headers say otherwise (an empty one leaves it out). */
  async send(method: string, path: string, body: object | string | undefined, headers: Headers = {}): Promise<Response> {
    const defaults: Headers = { ...(this.key && { 'X-API-Key': this.key }), ...(method !== 'GET' && { 'Idempotency-Key': newId() }), ...(body !== undefined && { 'Content-Type': 'application/json' }) };
    const sent = Object.fromEntries(Object.entries({ ...defaults, ...headers }).filter(([, value]) => value !== ''));
    const request = supertest(this.url)[method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete' | 'put'](path).set(sent);
    return body === undefined ? request : request.send(body);
  }
}
