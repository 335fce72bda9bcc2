import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { ApplicationsService } from '../../../src/modules/oauth/index.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey as anApiKey, anOrganization } from '../../support/builders.js';
import { rowsOf } from '../../support/database.js';
import { aDevice, answerDevice, DEVICE_GRANT, poll } from '../../support/devices.js';
import { aKey, aProof } from '../../support/dpop.js';
import { anApplication, aPartner, ask, bearer, Browser } from '../../support/oauth.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const INSECURE = { [oauth.allowInsecureRequests]: true };
const aDevicePartner = (wanted: Parameters<typeof aPartner>[1] = {}) =>
  aPartner(app, { grants: ['device_code'], redirectUris: [], isPublic: true, ...wanted });

describe('a device', () => {
  it('gets a code for ten minutes, an address for its user, and waits', async () => {
    const partner = await aDevicePartner();
    const { body, deviceCode } = await aDevice(app, partner);
    expect(body).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/) as unknown,
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/) as unknown,
      verification_uri: `${app.url}/oauth/device`,
      verification_uri_complete: `${app.url}/oauth/device?user_code=${body.user_code}`,
      expires_in: 600,
    });
    expect(await poll(app, partner, deviceCode)).toMatchObject({ status: 400, body: { error: 'authorization_pending' } });
  });

  it('gets tokens once its user has allowed it, which call the API and can be refreshed', async () => {
    const partner = await aDevicePartner();
    const { userCode, deviceCode } = await aDevice(app, partner, { scope: 'claim_projects:read' });
    const done = await answerDevice(app, partner, userCode);
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('Your device is connected')]);
    const { status, body } = await poll(app, partner, deviceCode);
    expect([status, body.scope]).toEqual([200, 'claim_projects:read']);
    expect((await bearer(app, body.access_token!)).status).toBe(200);
    const refreshed = await ask(app, partner, { grant_type: 'refresh_token', refresh_token: body.refresh_token! });
    expect((await bearer(app, refreshed.body.access_token!)).status).toBe(200);
  });

  it('gets tokens once: a second request ends them', async () => {
    const partner = await aDevicePartner();
    const { userCode, deviceCode } = await aDevice(app, partner);
    await answerDevice(app, partner, userCode);
    const answers = await Promise.all([1, 2].map(() => poll(app, partner, deviceCode)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const { body } = answers.find(({ status }) => status === 200)!;
    await expect.poll(async () => (await bearer(app, body.access_token!)).status).toBe(401);
  });

  it('is told if its user refuses, and the audit log says so', async () => {
    const partner = await aDevicePartner({ plan: 'enterprise' });
    const { userCode, deviceCode } = await aDevice(app, partner);
    expect((await answerDevice(app, partner, userCode, 'refuse')).text).toContain('Your device was not connected');
    expect((await poll(app, partner, deviceCode)).body).toMatchObject({ error: 'access_denied' });
    const { key } = await anApiKey(app, partner.organization.id, { environment: 'live' });
    await expect
      .poll(async () =>
        (await fetch(`${app.url}/v1/audit/events?action_prefix=application.access`, { headers: { 'x-api-key': key } })).json(),
      )
      .toMatchObject({ data: [{ action: 'application.access_refused' }] });
  });

  it('is told if its user stops before the sign-in', async () => {
    const partner = await aDevicePartner();
    const { userCode, deviceCode } = await aDevice(app, partner);
    const browser = new Browser(app.url);
    const shown = await browser.submit(await browser.visit('/oauth/device'), { user_code: userCode });
    await browser.submit(shown, { user_code: userCode, abort: 'yes' });
    expect((await poll(app, partner, deviceCode)).body).toMatchObject({ error: 'access_denied' });
  });

  it('is told to slow down if it asks all the time', async () => {
    const partner = await aDevicePartner();
    const { deviceCode } = await aDevice(app, partner);
    const errors = [];
    for (let call = 0; call < 4; call++) errors.push((await poll(app, partner, deviceCode)).body.error);
    expect(errors).toEqual(['authorization_pending', 'authorization_pending', 'slow_down', 'slow_down']);
  });

  it('is told if its code has expired', async () => {
    const partner = await aDevicePartner();
    const { deviceCode } = await aDevice(app, partner);
    await rowsOf(app.databaseUrl, "UPDATE oauth_records SET payload = jsonb_set(payload::jsonb, '{exp}', '1') WHERE client_id = $1", [
      partner.application.clientId,
    ]);
    expect((await poll(app, partner, deviceCode)).body).toMatchObject({ error: 'expired_token' });
  });

  it('can have a secret, and a key to which its tokens are bound', async () => {
    const [partner, key] = [await aDevicePartner({ isPublic: false }), await aKey()];
    const { userCode, deviceCode } = await aDevice(app, partner);
    await answerDevice(app, partner, userCode);
    const proof = { DPoP: await aProof(key, { method: 'POST', url: `${app.url}/oauth/token` }) };
    expect((await poll(app, partner, deviceCode, proof)).body).toMatchObject({ token_type: 'DPoP' });
  });

  it('gets nothing with the code of another application', async () => {
    const [partner, other] = [await aDevicePartner(), await aDevicePartner()];
    const { deviceCode } = await aDevice(app, partner);
    expect((await poll(app, other, deviceCode)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('is refused if its application may not use the grant, or was suspended', async () => {
    const { id } = await anOrganization(app);
    const application = await anApplication(app, id, { isPublic: true });
    const start = (wanted: typeof application) => ask(app, { application: wanted }, {}, '/oauth/device_authorization');
    expect(await start(application)).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } });
    const { application: suspended } = await aDevicePartner();
    await app.app.get(ApplicationsService).setStatus(OPERATOR, suspended.id, 'suspended');
    expect(await start(suspended)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });
});

it('no code is stored in a form that can be used', async () => {
  const partner = await aDevicePartner();
  const { userCode, deviceCode } = await aDevice(app, partner);
  const browser = new Browser(app.url);
  const shown = await browser.submit(await browser.visit('/oauth/device'), { user_code: userCode });
  await browser.submit(shown, { user_code: userCode, confirm: 'yes' });
  const rows = await rowsOf<{ kind: string; text: string }>(
    app.databaseUrl,
    'SELECT kind, payload::text AS text FROM oauth_records WHERE client_id = $1 ORDER BY kind',
    [partner.application.clientId],
  );
  expect(rows.map(({ kind }) => kind)).toEqual(['DeviceCode', 'Interaction']);
  for (const { text } of rows) {
    expect(text).not.toContain(deviceCode);
    expect(text).not.toContain(userCode.replace('-', ''));
  }
});

describe('the page for the code', () => {
  const enter = async (code: string, browser = new Browser(app.url)) =>
    browser.submit(await browser.visit('/oauth/device'), { user_code: code });

  it('accepts the code in any case, and without its hyphen', async () => {
    const { userCode } = await aDevice(app, await aDevicePartner());
    const { text } = await enter(` ${userCode.toLowerCase().replace('-', ' ')}`);
    expect(text).toContain('Connect Month-end sync?');
    expect(text).toContain(`<strong>${userCode}</strong>`);
  });

  it('has the code of the link already, which must still be sent by the user', async () => {
    const partner = await aDevicePartner();
    const { body, userCode, deviceCode } = await aDevice(app, partner);
    const { status, text } = await new Browser(app.url).visit(body.verification_uri_complete!);
    expect([status, text]).toEqual([200, expect.stringContaining(`value="${userCode}"`)]);
    expect(text).not.toContain('<script');
    expect((await poll(app, partner, deviceCode)).body.error).toBe('authorization_pending');
  });

  it('says the same of a wrong, a used and an expired code', async () => {
    const partner = await aDevicePartner();
    const other = await aDevicePartner();
    const [used, expired] = [await aDevice(app, partner), await aDevice(app, other)];
    await answerDevice(app, partner, used.userCode);
    await rowsOf(
      app.databaseUrl,
      "UPDATE oauth_records SET payload = jsonb_set(payload::jsonb, '{exp}', '1') WHERE client_id = $1 AND kind = 'DeviceCode'",
      [other.application.clientId],
    );
    const said = [];
    for (const code of ['BBBB-BBBB', used.userCode, expired.userCode, '']) {
      const { status, text } = await enter(code);
      said.push([status, /role="alert" id="problem">([^<]+)/.exec(text)?.[1]]);
    }
    expect(said).toEqual(
      Array(4).fill([400, 'This code is wrong, was used before, or has expired. Check it, or start again on your device.']),
    );
  });

  it('shows markup in a code as text', async () => {
    const { text } = await new Browser(app.url).visit('/oauth/device?user_code=%22%3E%3Cb%3E');
    expect(text).toContain('value="&quot;>&lt;b>"');
  });

  it('refuses a form that was not shown to this browser', async () => {
    const { userCode } = await aDevice(app, await aDevicePartner());
    const browser = new Browser(app.url);
    await browser.visit('/oauth/device');
    const shown = await browser.visit('/oauth/device', { xsrf: 'forged', user_code: userCode, confirm: 'yes' });
    expect([shown.status, shown.text]).toEqual([400, expect.stringContaining('This page has expired. Enter the code again.')]);
  });

  it('leads back to the page if a form comes from a browser that has not seen it', async () => {
    for (const body of [undefined, new URLSearchParams({ user_code: 'BBBB-BBBB' })]) {
      const answer = await fetch(`${app.url}/oauth/device`, { method: 'POST', redirect: 'manual', ...(body && { body }) });
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/oauth/device']);
    }
  });

  it('limits how many codes can be tried from one address', async () => {
    const limited = await startApp({ ADDRESS_LIMITS: '{}' });
    const statuses = await Promise.all(Array.from({ length: 30 }, () => fetch(`${limited.url}/oauth/device`, { method: 'POST' })));
    await limited.close();
    expect(statuses.filter(({ status }) => status === 429).length).toBeGreaterThan(8);
  });
});

describe('unmodified clients', () => {
  it('oauth4webapi', async () => {
    const partner = await aDevicePartner();
    const issuer = new URL(app.url);
    const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE });
    const [server, client] = [await oauth.processDiscoveryResponse(issuer, discovered), { client_id: partner.application.clientId }];
    const started = await oauth.deviceAuthorizationRequest(server, client, oauth.None(), {}, INSECURE);
    const device = await oauth.processDeviceAuthorizationResponse(server, client, started);
    await answerDevice(app, partner, device.user_code);
    const answer = await oauth.deviceCodeGrantRequest(server, client, oauth.None(), device.device_code, INSECURE);
    expect((await oauth.processDeviceCodeResponse(server, client, answer)).token_type).toBe('bearer');
  });

  it('openid-client', async () => {
    const partner = await aDevicePartner();
    const configuration = await openid.discovery(new URL(app.url), partner.application.clientId, undefined, openid.None(), {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    });
    expect(configuration.serverMetadata().grant_types_supported).toContain(DEVICE_GRANT);
    const device = await openid.initiateDeviceAuthorization(configuration, { scope: 'usage:read' });
    await answerDevice(app, partner, device.user_code);
    expect((await openid.pollDeviceAuthorizationGrant(configuration, device)).scope).toBe('usage:read');
  });
});
