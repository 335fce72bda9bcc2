import { exportJWK, exportPKCS8, exportSPKI } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AddressLimiter, LocalRateLimiter } from '../../../src/api/limits/rate-limiter.js';
import { LookUps } from '../../../src/api/outbound/look-ups.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { Settings } from '../../../src/kernel/settings/settings.js';
import { Clock } from '../../../src/kernel/time.js';
import { ApplicationsService } from '../../../src/modules/oauth/index.js';
import { KeyDocuments } from '../../../src/modules/oauth/shared/documents/key-documents.js';
import { DocumentFetcher } from '../../../src/modules/oauth/shared/documents/remembered-documents.js';
import { anAddress } from '../../support/addresses.js';
import { startApp, type TestApp } from '../../support/app.js';
import { anAssertion, askWith } from '../../support/assertions.js';
import { aKey, type Key } from '../../support/dpop.js';
import { aPartner, ask, anApplication, authorizeUrl, Browser } from '../../support/oauth.js';
import { Receiver } from '../../support/receiver.js';
import { LOCAL_DOCUMENTS } from '../../support/shared-clients.js';

const OWN = { grant_type: 'client_credentials' };

let app: TestApp;
let site: Receiver;
beforeAll(async () => {
  site = await Receiver.start();
  app = await startApp(LOCAL_DOCUMENTS);
});
afterAll(async () => {
  await app.close();
  await site.close();
});
let path = 0;
let published: unknown;
let headers: Record<string, string>;
beforeEach(() => {
  headers = {};
  site.received.length = 0;
  path += 1;
  site.answer = (_received, response) =>
    void response.writeHead(200, { 'content-type': 'application/jwk-set+json', ...headers }).end(JSON.stringify(published));
});

const jwkOf = async (key: Key, kid: string) => ({ ...(await exportJWK(key.publicKey)), kid });
const addressOf = () => `${site.url}/${path}/keys.json`;

/** An application that publishes its keys. */
async function aPublisher(wanted: Parameters<typeof anApplication>[2] = {}) {
  const partner = await aPartner(app, { publicKeys: addressOf(), ...wanted });
  const tokenWith = async (key: Key, kid?: string) =>
    askWith(app, partner.application, {
      ...OWN,
      ...(await anAssertion(app, { ...partner, key }, { header: kid === undefined ? {} : { kid } })),
    });
  return { ...partner, tokenWith };
}

describe('an application that publishes its keys', () => {
  it('authenticates by them, has no secret, and they are fetched once', async () => {
    const key = await aKey();
    published = { keys: [await jwkOf(key, 'one')] };
    const { application, tokenWith } = await aPublisher();
    for (const kid of ['one', undefined, 'one']) expect((await tokenWith(key, kid)).status).toBe(200);
    expect(site.received.map(({ headers: sent }) => sent.accept)).toEqual(['application/json']);
    expect(await ask(app, { application: { ...application, clientSecret: 'cs_guessed' } }, OWN)).toMatchObject({ status: 401 });
  });

  it('is asked for them by an assertion alone, and not by what anybody can send', async () => {
    const { application } = await aPublisher();
    await new Browser(app.url).visit(authorizeUrl(app.url, { application }));
    await askWith(app, application, OWN);
    await ask(app, { application: { ...application, clientSecret: 'x' } }, OWN);
    expect(site.received).toHaveLength(0);
  });

  it('is refused with another key, and with one whose name another key has', async () => {
    published = { keys: [await jwkOf(await aKey(), 'one')] };
    const { tokenWith } = await aPublisher();
    for (const kid of ['one', 'two', undefined])
      expect(await tokenWith(await aKey(), kid)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  it('may have keys that are for others', async () => {
    const key = await aKey();
    const [encrypting, unknown] = [
      { ...(await jwkOf(await aKey(), 'enc')), use: 'enc' },
      { kty: 'OKP', crv: 'X25519', x: 'AA' },
    ];
    published = { keys: [encrypting, unknown, 7, null, { kty: 'odd' }, { ...(await jwkOf(key, 'one')), use: 'sig' }] };
    const { tokenWith } = await aPublisher();
    expect((await tokenWith(key)).status).toBe(200);
  });

  it.each([
    ['no set', () => ({}), 'it is not a set of at most 20 JWKs'],
    ['too many keys', () => ({ keys: Array(21).fill({}) }), 'it is not a set of at most 20 JWKs'],
    ['a private key', async () => ({ keys: [await exportJWK((await aKey()).privateKey)] }), 'it has a key that must be secret'],
    ['a shared secret', () => ({ keys: [{ kty: 'oct', k: 'AAAA' }] }), 'it has a key that must be secret'],
  ])('is refused if it publishes %s', async (_what, keysOf: () => unknown, reason) => {
    published = await keysOf();
    const { tokenWith } = await aPublisher();
    const { status, body } = await tokenWith(await aKey());
    expect([status, body.error, body.error_description]).toEqual([
      400,
      'invalid_client',
      expect.stringContaining(`The key set of the application cannot be used: ${reason}`),
    ]);
  });

  it('is told to come back while its server is away', async () => {
    site.answer = (_received, response) => void response.writeHead(503).end();
    const { tokenWith } = await aPublisher();
    expect(await tokenWith(await aKey())).toMatchObject({ status: 400, body: { error: 'temporarily_unavailable' } });
  });

  it('is not fetched from an address that is not public, nor by another protocol', async () => {
    const strict = await startApp();
    const { organization } = await aPartner(strict);
    for (const publicKeys of ['http://127.0.0.1/keys.json', 'http://keys.example.com/keys.json', 'https://a:b@example.com/keys.json'])
      await expect(anApplication(strict, organization.id, { publicKeys })).rejects.toMatchObject({ errors: [{ field: 'publicKeys' }] });
    const { id, clientId } = await anApplication(strict, organization.id, { publicKeys: 'https://127.0.0.1/keys.json' });
    expect(id).toBeDefined();
    const { body } = await askWith(
      strict,
      { clientId },
      { ...OWN, ...(await anAssertion(strict, { application: { clientId }, key: await aKey() })) },
    );
    expect(body.error_description).toContain('its address is not public');
    await strict.close();
  });

  it('takes keys that are given to it instead, and gives no keys to a public application', async () => {
    const [first, second] = [await aKey(), await aKey()];
    published = { keys: [await jwkOf(first, 'one')] };
    const { application, tokenWith } = await aPublisher();
    expect((await tokenWith(first)).status).toBe(200);
    const set = (text: string) => app.app.get(ApplicationsService).setPublicKeys(OPERATOR, application.id, text);
    expect(await set(await exportSPKI(second.publicKey))).toMatchObject({ jwksUri: null, secretHash: null });
    await expect.poll(async () => [(await tokenWith(first)).status, (await tokenWith(second)).status]).toEqual([401, 200]);
    expect(await set(addressOf())).toMatchObject({ jwksUri: addressOf(), publicKeys: null });
    await expect(set(await exportPKCS8(first.privateKey))).rejects.toMatchObject({ code: 'validation_failed' });
    const { application: open } = await aPartner(app, { isPublic: true });
    await expect(app.app.get(ApplicationsService).setPublicKeys(OPERATOR, open.id, addressOf())).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });
});

/** As the authorization server asks for them, with a clock that the test moves. */
describe('published keys are remembered', () => {
  class SetClock extends Clock {
    time = Date.parse('2026-11-22T12:00:00Z');
    override now = (): Date => new Date(this.time);
  }
  const [MINUTE, HOUR] = [60_000, 3_600_000];
  let clock: SetClock;
  let documents: KeyDocuments;
  let fetcher: DocumentFetcher;
  beforeEach(() => {
    clock = new SetClock();
    const settings = Settings.from(LOCAL_DOCUMENTS);
    const limiter = new LocalRateLimiter();
    fetcher = new DocumentFetcher(settings, new LookUps());
    documents = new KeyDocuments(settings, fetcher, new AddressLimiter(limiter, settings), limiter, clock);
    return () => fetcher.onApplicationShutdown();
  });
  const find = (kid?: string) =>
    documents
      .find(addressOf(), anAddress(), ({ keys }) => kid === undefined || keys.some((key) => key.kid === kid))
      .then(({ keys }) => keys.map((key) => key.kid));
  const publish = async (...kids: string[]) =>
    void (published = { keys: await Promise.all(kids.map(async (kid) => jwkOf(await aKey(), kid))) });

  it('for five minutes, so that a key which is withdrawn ends', async () => {
    await publish('old');
    expect(await find()).toEqual(['old']);
    await publish('new');
    clock.time += 5 * MINUTE - 1;
    expect(await find()).toEqual(['old']);
    clock.time += 1;
    expect(await find()).toEqual(['new']);
  });

  it.each([
    ['max-age=1', MINUTE],
    ['max-age=600', 10 * MINUTE],
    ['max-age=999999', 15 * MINUTE],
  ])('for as long as %s says, within bounds', async (cacheControl, ms) => {
    headers = { 'cache-control': cacheControl };
    await publish('old');
    await find();
    await publish('new');
    clock.time += ms - 1;
    expect(await find()).toEqual(['old']);
    clock.time += 1;
    expect(await find()).toEqual(['new']);
  });

  it('and fetched before that for a key that is new, but not more often than every ten seconds', async () => {
    await publish('old');
    await find();
    await publish('old', 'new');
    expect(await find('new')).toEqual(['old']);
    clock.time += 10_000;
    expect(await find('new')).toEqual(['old', 'new']);
    for (let forged = 0; forged < 20; forged++) await find(`forged ${forged}`);
    expect(site.received).toHaveLength(2);
  });

  it('for an hour longer while their server is away, and not if it says that there are none', async () => {
    await publish('one');
    await find();
    site.answer = (_received, response) => void response.writeHead(500).end();
    clock.time += HOUR;
    expect(await find()).toEqual(['one']);
    clock.time += 6 * MINUTE;
    await expect(find()).rejects.toThrow('status 500');
    clock.time = Date.parse('2026-11-22T12:00:00Z') + 6 * MINUTE;
    site.answer = (_received, response) => void response.writeHead(404).end();
    await expect(find('two')).rejects.toThrow('status');
  });
});
