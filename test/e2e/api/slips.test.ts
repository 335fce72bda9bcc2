import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { expectFieldErrors, expectProblem } from '../../support/problem.js';

const PROJECTS = '/v1/claim-projects';

let app: TestApp;
let api: Client;
let key: string;
beforeAll(async () => {
  app = await startApp();
  ({ key } = await aTenant(app));
  api = new Client(app.url, key);
});
afterAll(() => app.close());

describe('a path that does not exist', () => {
  const id = newId();

  it.each([
    ...['/claim-projects', '/v1/projects', '/v1/claim_projects', '/v1/claim-project', '/v1/claim-projects/', '/V1/Claim-Projects'].map(
      (path) => [path, PROJECTS],
    ),
    ...['/api/v1/claim-projects', '/v2/claim-projects', '/v1/claimprojects?page=1', '/v1/claim-porjects'].map((path) => [path, PROJECTS]),
    ['/v1/category', '/v1/expense-categories'],
    ['/v1/webhook', '/v1/webhooks'],
    [`/v1/projects/${id}`, `${PROJECTS}/{project_id}`],
  ])('%s is answered with the nearest one, %s', async (path, nearest) => {
    expect(expectProblem(await api.get(path), 'route_not_found').detail).toBe(`No operation has this path. Did you mean ${nearest}?`);
  });

  it.each(['/', '/wp-login.php', '/v1/invoices', `/v1/${'a/'.repeat(500)}`, `/${'claim-projects'.repeat(200)}`])(
    '%s is near to none',
    async (path) => {
      const { status, text } = await api.get(path);
      if (status === 404) expect(text).not.toContain('Did you mean');
      else expect(path).toBe('/');
    },
  );
});

describe('a name that other APIs have', () => {
  it.each([
    ['pageSize', 'page_size'],
    ['limit', 'page_size'],
    ['per_page', 'page_size'],
    ['page_siez', 'page_size'],
  ])('%s in a query is answered with ours, %s', async (sent, ours) => {
    const answer = await api.get(`${PROJECTS}?${sent}=10`);
    expectFieldErrors(answer, `query ${sent} unknown_property`);
    expect(expectProblem(answer, 'validation_failed').detail).toBe(`${sent} is not a known query parameter: did you mean ${ours}?`);
  });

  it.each([
    ['period_start', 'periodStart'],
    ['startDate', 'periodStart'],
    ['nmae', 'name'],
  ])('%s in a body is answered with ours, %s', async (sent, ours) => {
    const answer = await api.post(PROJECTS, { name: 'Berlin', periodStart: '2026-01-01', periodEnd: '2026-12-31', [sent]: 'x' });
    expect(expectProblem(answer, 'validation_failed').detail).toBe(`${sent} is not a known property: did you mean ${ours}?`);
  });

  it('is no guess where nothing is near', async () => {
    expect(expectProblem(await api.get(`${PROJECTS}?colour=red`), 'validation_failed').detail).toBe(
      'colour is not a known query parameter.',
    );
  });
});

describe('a body', () => {
  it('with a byte order mark is told that it has one', async () => {
    const answer = await api.send('POST', PROJECTS, '\uFEFF{"name":"Berlin"}', { 'Content-Type': 'application/json' });
    expect(expectProblem(answer, 'malformed_json').detail).toContain('begins with a byte order mark (BOM)');
  });

  it('with a number beyond the doubles in place of a text is told that a text is expected', async () => {
    const body = '{"name":12345678901234567890,"periodStart":"2026-01-01","periodEnd":"2026-12-31"}';
    const answer = await api.send('POST', PROJECTS, body, { 'Content-Type': 'application/json' });
    expectFieldErrors(answer, 'body name wrong_type');
    expect(expectProblem(answer, 'validation_failed').detail).toBe('name must be a string.');
  });
});

describe('a credential that was sent wrong', () => {
  const refused = async (headers: Record<string, string>) => {
    const answer = await api.get('/v1', { 'X-API-Key': '', ...headers });
    expect(answer.text).not.toContain(key.slice(8, 40));
    return expectProblem(answer, 'credential_invalid').detail;
  };

  it('by another scheme, or by none, is told so', async () => {
    for (const scheme of ['Basic', 'Token', 'ApiKey'])
      expect(await refused({ Authorization: `${scheme} ${key}` })).toContain('a scheme that the API does not take');
    expect(await refused({ Authorization: key })).toContain('has no scheme before the credential');
    expect(await refused({ Authorization: `Bearer Bearer ${key}` })).toContain('has the scheme twice');
    expect(await refused({ 'X-API-Key': `Bearer ${key}` })).toContain('has a scheme before the key');
  });

  it('in quotes, with white space, or cut off, is told so', async () => {
    expect(await refused({ 'X-API-Key': `"${key}"` })).toContain('is in quotes');
    expect(await refused({ Authorization: `Bearer '${key}'` })).toContain('is in quotes');
    expect(await refused({ Authorization: `Bearer ${key.slice(0, 20)} ${key.slice(20)}` })).toContain('has white space in it');
    expect(await refused({ 'X-API-Key': key.slice(0, -3) })).toContain('not a whole API key');
    expect(await refused({ Authorization: `Bearer ${key.slice(0, -3)}` })).toContain('not a whole API key');
  });

  it('that looks as it should is told nothing more', async () => {
    expect(await refused({ Authorization: 'Bearer an-access-token-that-nobody-has' })).toBe(
      'The credential is unknown, expired or revoked; for security we do not say which.',
    );
  });
});

it('an address of a developer’s own machine as target of a webhook is refused with how to develop locally', async () => {
  const input = { name: 'Local', targetUrl: 'http://127.0.0.1:3999/hook', subscribedEvents: ['claim_project.created'] };
  const { detail } = expectProblem(await api.post('/v1/webhooks', input), 'target_not_allowed');
  expect(detail).toContain('claims webhook listen');
  expect(detail).toContain('WEBHOOK_ALLOWED_NETWORKS');
});
