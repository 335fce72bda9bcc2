import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKeysService } from '../../src/modules/api-keys/index.js';
import { makeKey } from '../../src/modules/api-keys/key-format.js';
import { OPERATOR } from '../../src/kernel/context.js';
import { aKey, anOrganization, aTenant } from '../support/builders.js';
import { sendCall, callForMissing, fromNewAddress, withoutRequestId, validCall } from '../support/law-call.js';
import { named, startDocumentedApp } from '../support/documented-app.js';
import { anApplication, ask } from '../support/oauth.js';

const app = await startDocumentedApp();
afterAll(() => app.close());

/** Tells clients where to find the authorization server (RFC 9728). */
const RESOURCE_METADATA = `resource_metadata="${app.url}/.well-known/oauth-protected-resource"`;

/** Everybody can find this out from the text alone, so it tells nothing about the keys that exist. */
const NOT_WHOLE = 'This is not a whole API key: it was cut off or mistyped, since its checksum does not fit. Copy all of it again.';

const bad: { credential: string; key: string; isWhole: boolean }[] = [];
let good: string;
let tokenForTools: string;
beforeAll(async () => {
  const { id } = await anOrganization(app);
  good = (await aKey(app, id)).key;
  const application = await anApplication(app, id);
  const { body } = await ask(app, { application }, { grant_type: 'client_credentials', resource: `${app.url}/mcp` });
  tokenForTools = body.access_token!;
  const revoked = await aKey(app, id);
  await app.app.get(ApiKeysService).revoke(OPERATOR, revoked.id);
  const expired = await aKey(app, id, { expiresInMs: 0 });
  const wrongEnd = good.endsWith('0') ? '1' : '0';
  bad.push(
    { credential: 'a revoked key', key: revoked.key, isWhole: true },
    { credential: 'an expired key', key: expired.key, isWhole: true },
    { credential: 'a key with a wrong checksum', key: good.slice(0, -1) + wrongEnd, isWhole: false },
    { credential: 'a key of the other environment', key: good.replace('pk_test_', 'pk_live_'), isWhole: false },
    { credential: 'text that is not a key', key: 'secret', isWhole: true },
  );
});

describe.each(named(app.operations))('%s', (_id, operation) => {
  it('returns 401 without a credential, and says how to send one', async () => {
    const answer = await sendCall(app, callForMissing(app, operation), undefined, fromNewAddress());
    expect(answer).toMatchObject({ status: 401, body: { code: 'credential_missing', retry: 'never' } });
    expect(answer.headers['www-authenticate']).toBe(`Bearer realm="${app.url}", ${RESOURCE_METADATA}`);
  });

  it('returns the identical 401 to every invalid credential, whichever header it is in; one that is no whole key is told so', async () => {
    const call = callForMissing(app, operation);
    const unknown = withoutRequestId(await sendCall(app, call, makeKey('test'), fromNewAddress()));
    expect(unknown).toMatchObject({ status: 401, body: { code: 'credential_invalid', retry: 'never' } });
    for (const { credential, key, isWhole } of bad) {
      const asKey = await sendCall(app, call, key, fromNewAddress());
      const asBearer = await sendCall(app, call, undefined, { Authorization: `Bearer ${key}`, ...fromNewAddress() });
      const detail = isWhole ? unknown.body.detail : NOT_WHOLE;
      const expected = { ...unknown, body: { ...unknown.body, detail } };
      expect([asKey, asBearer].map(withoutRequestId), credential).toEqual([expected, expected]);
      expect(asKey.headers['www-authenticate'], credential).toBe(`Bearer realm="${app.url}", error="invalid_token", ${RESOURCE_METADATA}`);
    }
  });

  it('returns 400 to two credentials, valid or not', async () => {
    const call = callForMissing(app, operation);
    for (const second of [good, 'secret']) {
      const answer = await sendCall(app, call, good, { Authorization: `Bearer ${second}`, ...fromNewAddress() });
      expect(answer).toMatchObject({ status: 400, body: { code: 'ambiguous_credentials' } });
    }
  });

  it('returns 401 to an access token that was issued for the tool server, and says so', async () => {
    const headers = { Authorization: `Bearer ${tokenForTools}`, ...fromNewAddress() };
    const answer = await sendCall(app, callForMissing(app, operation), undefined, headers);
    const detail = `The token was issued for another resource: ${app.url}/mcp`;
    expect(answer).toMatchObject({ status: 401, body: { code: 'credential_invalid', detail, retry: 'never' } });
    expect(answer.headers['www-authenticate']).toBe(
      `Bearer realm="${app.url}", error="invalid_token", error_description="${detail}", ${RESOURCE_METADATA}`,
    );
  });

  it('accepts an access token for the API, which is the default', async () => {
    const { organization, key } = await aTenant(app);
    const application = await anApplication(app, organization.id);
    const call = await validCall(app, operation, key);
    for (const resource of [{}, { resource: app.url }] as Record<string, string>[]) {
      const { body } = await ask(app, { application }, { grant_type: 'client_credentials', ...resource });
      const answer = await sendCall(app, call, undefined, { Authorization: `Bearer ${body.access_token}` });
      // The second call meets the record that the first one has made or deleted, so it got past every guard.
      if (resource.resource === undefined) expect(answer.status).toBe(operation.status);
      else expect([operation.status, 404, 409]).toContain(answer.status);
    }
  });

  it('accepts an API key as a bearer token', async () => {
    const { key } = await aTenant(app);
    const call = await validCall(app, operation, key);
    expect((await sendCall(app, call, undefined, { Authorization: `Bearer ${key}` })).status).toBe(operation.status);
  });
});
