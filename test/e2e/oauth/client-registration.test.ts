import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/store/database/database.js';
import { RegistrationsService } from '../../../src/modules/oauth/index.js';
import { RegistrationsRepository } from '../../../src/modules/oauth/shared/registrations/registrations.repository.js';
import { startApp, type TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { authorizeUrl } from '../../support/oauth.js';
import { refusedOnAPage } from '../../support/oauth-answers.js';
import { aMember, connect, refresh, signInTo, textOf } from '../../support/shared-clients.js';

const METADATA = { client_name: 'An older client', redirect_uris: ['http://127.0.0.1/callback'], token_endpoint_auth_method: 'none' };

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ OAUTH_REGISTRATION: 'true', ADDRESS_LIMITS: '{"registrations":{"perMinute":1000000,"burst":1000000}}' });
});
afterAll(() => app.close());

async function register(metadata: unknown = METADATA, headers: Record<string, string> = { 'content-type': 'application/json' }, at = app) {
  const body = typeof metadata === 'string' ? metadata : JSON.stringify(metadata);
  const answer = await fetch(new URL('/oauth/register', at.url), {
    method: 'POST',
    headers: { ...headers, origin: 'https://partner.example.com' },
    body,
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, string | number | string[]> };
}
const exists = async (clientId: string) =>
  (await rowsOf(app.databaseUrl, 'SELECT 1 FROM oauth_registrations WHERE client_id = $1', [clientId])).length === 1;

describe('an application that registers itself', () => {
  it('is a public one that uses codes, whatever it asked for', async () => {
    const { status, headers, body } = await register({
      ...METADATA,
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code', 'client_credentials'],
      scope: 'everything',
      client_id: 'mine',
    });
    expect([status, headers.get('cache-control'), headers.get('access-control-allow-origin')]).toEqual([201, 'no-store', '*']);
    expect(body).toEqual({
      client_id: expect.stringMatching(/^reg_[\w-]{20}$/) as string,
      client_id_issued_at: expect.any(Number) as number,
      client_name: 'An older client',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
  });

  it('is connected like any other, and shown as one that nobody has verified', async () => {
    const { body } = await register();
    const { user } = await aMember(app);
    const text = textOf((await signInTo(app, body.client_id as string, user)).shown);
    expect(text).toContain('calls itself “An older client”. Anyone can use any name.');
    const { refreshToken } = await connect(app, body.client_id as string, user);
    expect((await refresh(app, body.client_id as string, refreshToken)).status).toBe(200);
  });

  it.each([
    ['no redirect address', { client_name: 'A' }, 'invalid_redirect_uri'],
    ['an unsafe one', { redirect_uris: ['data:text/html,a'] }, 'invalid_redirect_uri'],
    ['http to another host', { redirect_uris: ['http://example.com/'] }, 'invalid_redirect_uri'],
    ['another grant', { ...METADATA, grant_types: ['password'] }, 'invalid_client_metadata'],
    ['a name of spaces', { ...METADATA, client_name: '  ' }, 'invalid_client_metadata'],
    ['a list', [], 'invalid_client_metadata'],
    ['broken JSON', '{', 'invalid_client_metadata'],
    ['JSON of a thousand levels', '['.repeat(1000), 'invalid_client_metadata'],
  ])('with %s is refused as the RFC says', async (_what, metadata, error) => {
    const { status, body } = await register(metadata);
    expect([status, body]).toEqual([400, { error, error_description: expect.any(String) as string }]);
  });

  it('sends JSON of at most 16 KiB', async () => {
    expect((await register(METADATA, { 'content-type': 'text/plain' })).body.error).toBe('invalid_client_metadata');
    expect((await register({ ...METADATA, a: 'x'.repeat(17_000) })).status).toBe(413);
  });

  it('expires after a day if nobody has allowed it, and stays otherwise', async () => {
    const [unused, used] = [(await register()).body.client_id as string, (await register()).body.client_id as string];
    await connect(app, used, (await aMember(app)).user);
    const yesterday = "UPDATE oauth_registrations SET created_at = created_at - interval '25 hours' WHERE client_id = ANY ($1)";
    await rowsOf(app.databaseUrl, yesterday, [[unused, used]]);
    await app.app.get(RegistrationsService).expire();
    expect([await exists(unused), await exists(used)]).toEqual([false, true]);
  });

  it('makes room for newer ones, if nobody has allowed it', async () => {
    const [oldest, used] = [(await register()).body.client_id as string, (await register()).body.client_id as string];
    await connect(app, used, (await aMember(app)).user);
    const ancient = "UPDATE oauth_registrations SET created_at = '2001-01-01' WHERE client_id = ANY ($1)";
    await rowsOf(app.databaseUrl, ancient, [[oldest, used]]);
    const unused = 'SELECT count(*)::int AS count FROM oauth_registrations WHERE used_at IS NULL';
    const [{ count = 0 } = {}] = await rowsOf<{ count: number }>(app.databaseUrl, unused);
    await new RegistrationsRepository(app.app.get(Database)).removeOldest(count - 1);
    expect([await exists(oldest), await exists(used)]).toEqual([false, true]);
  });
});

describe('an application that the operator created for everyone', () => {
  it('is shown by its name, and ends with its removal', async () => {
    const registrations = app.app.get(RegistrationsService);
    const { clientId } = await registrations.list('Month-end sync', ['https://partner.example.com/callback', 'cursor://callback']);
    const { user } = await aMember(app);
    const wanted = { redirect_uri: 'cursor://callback' };
    const { shown } = await signInTo(app, clientId, user, wanted);
    expect(textOf(shown)).toContain('The operator of this service has listed <strong>Month-end sync</strong>.');
    expect(textOf(shown)).toContain('an app on this device (cursor://callback)');
    expect(shown.headers.get('content-security-policy')).toContain("form-action 'self' cursor:;");
    const { refreshToken } = await connect(app, clientId, user, wanted);
    await registrations.remove(clientId);
    await expect.poll(async () => (await refresh(app, clientId, refreshToken)).body.error).toBe('invalid_client');
    await expect(registrations.remove(clientId)).rejects.toThrow('There is no listed application');
  });

  it('follows the same rules', async () => {
    await expect(app.app.get(RegistrationsService).list('A', ['http://example.com/'])).rejects.toThrow(
      'redirect_uris holds http://example.com/',
    );
  });
});

// The last ones: passport keeps the strategies of the application that was started last.
describe('the operator', () => {
  it('turns registration on: without that, only what a user has allowed before goes on', async () => {
    const [unused, used] = [(await register()).body.client_id as string, (await register()).body.client_id as string];
    const { user } = await aMember(app);
    await connect(app, used, user);
    const usual = await startApp();
    expect((await register(METADATA, undefined, usual)).status).toBe(404);
    const metadata = (await (await fetch(`${usual.url}/.well-known/oauth-authorization-server`)).json()) as Record<string, unknown>;
    expect([metadata.registration_endpoint, metadata.client_id_metadata_document_supported]).toEqual([undefined, true]);
    expect(textOf((await signInTo(usual, used, user)).shown)).toContain('calls itself “An older client”');
    await refusedOnAPage(authorizeUrl(usual.url, { application: { clientId: unused } as never }));
    await usual.close();
  });

  it('can turn registration and metadata documents off, and then they are not announced', async () => {
    const { client_id: clientId } = (await register()).body;
    const metadata = async (at: TestApp) =>
      (await fetch(new URL('/.well-known/oauth-authorization-server', at.url))).json() as Promise<Record<string, unknown>>;
    expect(await metadata(app)).toMatchObject({
      registration_endpoint: `${app.url}/oauth/register`,
      client_id_metadata_document_supported: true,
    });
    const closed = await startApp({ OAUTH_REGISTRATION: 'false', OAUTH_CLIENT_DOCUMENTS: 'false' });
    const announced = await metadata(closed);
    expect([announced.registration_endpoint, announced.client_id_metadata_document_supported]).toEqual([undefined, false]);
    expect((await register(METADATA, undefined, closed)).status).toBe(404);
    for (const id of [clientId as string, 'https://example.com/client.json'])
      await refusedOnAPage(authorizeUrl(closed.url, { application: { clientId: id } as never }));
    await closed.close();
  });
});
