import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, aProof, prove } from '../../support/dpop.js';
import { aPartner, ask } from '../../support/oauth.js';
import { startProcess, type TestProcess } from '../../support/process.js';

const redisUrl = inject('redisUrl');

describe.runIf(redisUrl)('a proof of possession', () => {
  let app: TestApp;
  let replica: TestProcess;
  beforeAll(async () => {
    app = await startApp({ REDIS_URL: redisUrl! });
    replica = await startProcess({ DATABASE_URL: app.databaseUrl, BASE_URL: app.url, REDIS_URL: redisUrl! });
  });
  afterAll(async () => {
    await replica.stop();
    await app.close();
  });

  it('counts once, on whichever replica it is used', async () => {
    const [{ application }, key] = [await aPartner(app), await aKey()];
    const proof = await aProof(key, { method: 'POST', url: `${app.url}/oauth/token` });
    const { body } = await ask(app, { application }, { grant_type: 'client_credentials' }, '/oauth/token', { DPoP: proof });
    const token = body.access_token!;
    const used = await aProof(key, { token, url: `${app.url}/v1/claim-projects` });
    const statuses = [];
    for (const origin of [app.url, replica.url, app.url]) statuses.push((await prove(`${origin}/v1/claim-projects`, token, used)).status);
    expect(statuses).toEqual([200, 401, 401]);
  });
});
