import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  AlreadyExistsError,
  ChangedMeanwhileError,
  Claims,
  ClaimsError,
  ConnectionError,
  CredentialInvalidError,
  ERRORS,
  headersOf,
  InternalError,
  NotFoundError,
  OPERATIONS,
  TimeoutError,
  UnexpectedAnswerError,
  ValidationFailedError,
  type OutgoingRequest,
} from '../../client/src/index.js';
import { PROBLEMS } from '../../src/kernel/problem-table.js';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';

const PROJECT = { name: 'Berlin office 2026', periodStart: '2026-01-01', periodEnd: '2026-12-31' };
const NOBODY = '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

async function aClient(options: object = {}): Promise<Claims> {
  return new Claims({ apiKey: (await aTenant(app)).key, baseUrl: app.url, ...options });
}

const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no error',
    (error: unknown) => error,
  );

/** A service that gives these answers in turn, and what was sent to it. An error is a connection that failed. */
function scripted(...answers: Array<Response | Error>) {
  const sent: Array<{ at: number; key: string | null; url: string; init: RequestInit }> = [];
  const send = (url: string, init: RequestInit): Promise<Response> => {
    sent.push({ at: performance.now(), key: (init.headers as Headers).get('idempotency-key'), url, init });
    const next = answers.shift()!;
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  };
  return { sent, claims: new Claims({ apiKey: 'pk_test_x', baseUrl: 'http://service.test', fetch: send }) };
}
const problem = (code: keyof typeof PROBLEMS, more: object = {}, headers: Record<string, string> = {}): Response => {
  const { status, retry, title } = PROBLEMS[code];
  return Response.json({ code, title, detail: `${title}.`, status, retry, errors: [], requestId: 'r-1', ...more }, { status, headers });
};
const made = (): Response => Response.json({ id: NOBODY }, { status: 201 });
const offline = new TypeError('fetch failed');

describe('the resources of the API', () => {
  it('records are created, read, listed, changed and deleted', async () => {
    const claims = await aClient();
    const project = await claims.projects.create({ ...PROJECT, metadata: { office: 7 } });
    expect(await claims.projects.get(project.id)).toEqual(project);
    expect(await claims.projects.update(project.id, { status: 'active' })).toMatchObject({ status: 'active', metadata: { office: 7 } });
    expect((await claims.projects.list({ status: 'active' }).page()).data).toHaveLength(1);
    const category = await claims.categories.create({ code: 'TRAVEL', name: 'Travel', projectId: project.id });
    expect((await claims.categories.list({ project_id: project.id }).page()).data).toEqual([category]);
    const webhook = await claims.webhooks.create({
      name: 'A receiver',
      targetUrl: 'https://example.com/hooks',
      subscribedEvents: ['claim_project.created'],
    });
    await claims.webhooks.delete(webhook.id);
    expect(await errorOf(claims.webhooks.get(webhook.id))).toBeInstanceOf(NotFoundError);
    expect(await claims.api.authContext()).toMatchObject({ credential: { environment: 'test' } });
  });

  it('every operation of the API is a method', () => {
    const claims = new Claims({ apiKey: 'pk_test_x' });
    const camel = (text: string): string => text.replace(/_(.)/g, (_all, letter: string) => letter.toUpperCase());
    const missing = Object.keys(OPERATIONS).filter((id) => {
      const [resource, verb] = id.split('.') as [string, string];
      const methods = claims[resource.slice(resource.lastIndexOf('_') + 1) as 'projects'] as unknown as Record<string, unknown>;
      return typeof methods[camel(verb)] !== 'function';
    });
    expect(missing).toEqual([]);
  });

  it('properties that this version does not know are kept', async () => {
    const { claims } = scripted(Response.json({ id: NOBODY, colour: { of: ['later'] } }));
    expect(await claims.projects.get(NOBODY)).toEqual({ id: NOBODY, colour: { of: ['later'] } });
  });

  it('a record that has changed since it was read is not overwritten', async () => {
    const claims = await aClient();
    const project = await claims.projects.create(PROJECT);
    const read = await claims.projects.get(project.id);
    await claims.projects.update(project.id, { name: 'By somebody else' });
    const ifMatch = headersOf(read).get('etag')!;
    expect(await errorOf(claims.projects.update(project.id, { name: 'Mine' }, { ifMatch }))).toBeInstanceOf(ChangedMeanwhileError);
  });

  it.each(['', '.', '..'])('an id of %j is refused before anything is sent', async (id) => {
    const { claims, sent } = scripted();
    expect(await errorOf(Promise.resolve().then(() => claims.projects.get(id)))).toBeInstanceOf(TypeError);
    expect(sent).toEqual([]);
  });

  it('an id is one part of the path, whatever it contains', async () => {
    const { claims, sent } = scripted(made());
    await claims.projects.get('a/../b?c#d');
    expect(sent[0]!.url).toBe('http://service.test/v1/claim-projects/a%2F..%2Fb%3Fc%23d');
  });
});

describe('the credential', () => {
  it('is either a key or a token', () => {
    expect(() => new Claims({})).toThrow(TypeError);
    expect(() => new Claims({ apiKey: 'pk_test_x', accessToken: 'y' })).toThrow(TypeError);
  });

  it('can be a function that is asked before every attempt', async () => {
    const tokens = ['first', 'second'];
    const sent: Array<string | null> = [];
    const answers = [problem('unavailable'), made()];
    const claims = new Claims({
      accessToken: () => Promise.resolve(tokens.shift()!),
      fetch: (_url, init) => {
        sent.push((init.headers as Headers).get('authorization'));
        return Promise.resolve(answers.shift()!);
      },
    });
    await claims.organization.get();
    expect(sent).toEqual(['Bearer first', 'Bearer second']);
  });

  it('is not passed on by a redirect', async () => {
    const { claims, sent } = scripted(new Response(null, { status: 302, headers: { Location: 'https://elsewhere.test' } }));
    expect(await errorOf(claims.organization.get())).toBeInstanceOf(UnexpectedAnswerError);
    expect(sent).toMatchObject([{ init: { redirect: 'manual' } }]);
  });
});

describe('errors', () => {
  it('every code has a class, which is named after it', () => {
    expect(Object.keys(ERRORS)).toEqual(Object.keys(PROBLEMS));
    expect(new ERRORS.internal_error('internal_error', '').name).toBe('InternalError');
    expect(new ERRORS.validation_failed('validation_failed', '').name).toBe('ValidationFailedError');
  });

  it('an error says what is wrong with which field, and has the request id and the problem', async () => {
    const error = (await errorOf((await aClient()).projects.create({ ...PROJECT, periodEnd: '2025-01-01' }))) as ValidationFailedError;
    expect(error).toBeInstanceOf(ValidationFailedError);
    expect(error).toBeInstanceOf(ClaimsError);
    expect(error).toMatchObject({ name: 'ValidationFailedError', status: 400, code: 'validation_failed', retry: 'never' });
    expect(error.errors).toMatchObject([{ location: 'body', field: 'periodEnd', code: 'before_start' }]);
    expect(error.requestId).toBe(error.problem!.requestId);
    expect(error.headers!.get('x-request-id')).toBe(error.requestId);
  });

  it('a duplicate names the record that is in its way', async () => {
    const claims = await aClient();
    const { id } = await claims.projects.create(PROJECT);
    const error = (await errorOf(claims.projects.create(PROJECT))) as AlreadyExistsError;
    expect(error).toBeInstanceOf(AlreadyExistsError);
    expect(error.conflictingId).toBe(id);
  });

  it('a wrong key is an error of its own, which does not repeat the key', async () => {
    const error = (await errorOf(new Claims({ apiKey: 'pk_test_wrong', baseUrl: app.url }).organization.get())) as Error;
    expect(error).toBeInstanceOf(CredentialInvalidError);
    expect(JSON.stringify(error) + error.stack).not.toContain('pk_test_wrong');
  });

  it('a code that this version does not know is still an error with that code', async () => {
    const { claims } = scripted(
      Response.json({ code: 'from_later', detail: 'New.', status: 422, retry: 'never', errors: [] }, { status: 422 }),
    );
    expect(await errorOf(claims.organization.get())).toMatchObject({ name: 'FromLaterError', code: 'from_later', status: 422 });
  });

  it('the page of a proxy is not taken for an answer', async () => {
    const { claims } = scripted(new Response('<h1>Hello</h1>', { status: 200 }), new Response('<h1>Gone</h1>', { status: 410 }));
    expect(await errorOf(claims.organization.get())).toMatchObject({ name: 'UnexpectedAnswerError', status: 200 });
    expect(await errorOf(claims.organization.get())).toMatchObject({ code: 'unexpected_answer', status: 410, retry: 'never' });
  });
});

describe('retries', () => {
  it('repeat a write with the same key, and the next write has another', async () => {
    const bad = new Response('Bad gateway', { status: 502 });
    const { claims, sent } = scripted(offline, problem('unavailable'), bad, made(), made());
    await claims.projects.create(PROJECT);
    await claims.projects.create(PROJECT);
    expect(new Set(sent.slice(0, 4).map(({ key }) => key)).size).toBe(1);
    expect(sent[4]!.key).not.toBe(sent[0]!.key);
  });

  it('keep the key of the caller', async () => {
    const { claims, sent } = scripted(offline, made());
    await claims.projects.create(PROJECT, { idempotencyKey: 'month-end-7' });
    expect(sent.map(({ key }) => key)).toEqual(['month-end-7', 'month-end-7']);
  });

  it('the same key gives the first answer, even from another client', async () => {
    const { key } = await aTenant(app);
    const [first, second] = [1, 2].map(() => new Claims({ apiKey: key, baseUrl: app.url }));
    const project = await first!.projects.create(PROJECT, { idempotencyKey: 'once' });
    const again = await second!.projects.create(PROJECT, { idempotencyKey: 'once' });
    expect(again).toEqual(project);
    expect(headersOf(again).get('idempotent-replayed')).toBe('true');
  });

  it('wait at least as long as the answer says', async () => {
    const { claims, sent } = scripted(problem('unavailable', {}, { 'Retry-After': '1' }), made());
    await claims.organization.get();
    expect(sent[1]!.at - sent[0]!.at).toBeGreaterThanOrEqual(990);
  });

  it.each(['not_found', 'validation_failed', 'scope_missing'] as const)('%s is not repeated', async (code) => {
    const { claims, sent } = scripted(problem(code));
    expect(await errorOf(claims.organization.get())).toMatchObject({ code });
    expect(sent).toHaveLength(1);
  });

  it('a key that is still in progress is repeated, one of another request is not', async () => {
    const { claims, sent } = scripted(problem('idempotency_conflict', { retry: 'same_key' }), made(), problem('idempotency_conflict'));
    await claims.projects.create(PROJECT);
    expect(await errorOf(claims.projects.create(PROJECT))).toMatchObject({ code: 'idempotency_conflict' });
    expect(sent).toHaveLength(3);
  });

  it('end after maxRetries, and the last failure is the error', async () => {
    const sent: OutgoingRequest[] = [];
    const claims = new Claims({
      apiKey: 'pk_test_x',
      maxRetries: 2,
      onRequest: (request) => void sent.push(request),
      fetch: () => Promise.resolve(problem('internal_error')),
    });
    expect(await errorOf(claims.organization.get())).toBeInstanceOf(InternalError);
    expect(sent.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  });

  it.each(['rate_limited', 'unavailable'] as const)('with maxRetries 0 %s is an error at once', async (code) => {
    const claims = new Claims({ apiKey: 'pk_test_x', maxRetries: 0, fetch: () => Promise.resolve(problem(code)) });
    expect(await errorOf(claims.organization.get())).toMatchObject({ code });
  });
});

/** A service that never answers. */
const silent = (_url: string, { signal }: RequestInit): Promise<Response> =>
  new Promise((_resolve, reject) => signal!.addEventListener('abort', () => reject(signal!.reason as Error)));

describe('a call ends', () => {
  it('when its time is over', async () => {
    const claims = new Claims({ apiKey: 'pk_test_x', fetch: silent });
    const error = await errorOf(claims.organization.get({ timeout: 300 }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ code: 'timeout', retry: 'same_key' });
  });

  it('when the service stays away', async () => {
    const claims = new Claims({ apiKey: 'pk_test_x', maxRetries: 1, fetch: () => Promise.reject(offline) });
    const error = (await errorOf(claims.organization.get())) as ConnectionError;
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.cause).toBe(offline);
  });

  it('when its signal is aborted, with the reason of the signal', async () => {
    const claims = new Claims({ apiKey: 'pk_test_x', fetch: silent });
    const reason = new Error('The page was left');
    const controller = new AbortController();
    const call = errorOf(claims.organization.get({ signal: controller.signal }));
    controller.abort(reason);
    expect(await call).toBe(reason);
    expect(await errorOf(claims.organization.get({ signal: controller.signal }))).toBe(reason);
  });

  it('when its signal is aborted while it waits to be repeated', async () => {
    const { claims } = scripted(problem('unavailable', {}, { 'Retry-After': '30' }));
    expect(await errorOf(claims.organization.get({ signal: AbortSignal.timeout(50) }))).toMatchObject({ name: 'TimeoutError' });
  });
});

it('onRequest can add headers to every attempt', async () => {
  const { key } = await aTenant(app);
  const onRequest = ({ headers }: OutgoingRequest): void => headers.set('X-Request-Id', 'trace-7');
  const project = await new Claims({ apiKey: key, baseUrl: app.url, onRequest }).projects.create(PROJECT);
  expect(headersOf(project).get('x-request-id')).toBe('trace-7');
});
