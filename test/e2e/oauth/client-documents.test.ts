import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AddressLimiter, LocalRateLimiter } from '../../../src/api/limits/rate-limiter.js';
import { LookUps } from '../../../src/api/outbound/look-ups.js';
import { Settings } from '../../../src/kernel/settings/settings.js';
import { Clock } from '../../../src/kernel/time.js';
import { ClientDocuments } from '../../../src/modules/oauth/shared/documents/client-documents.js';
import { DOCUMENT_MAX_BYTES, DocumentFetcher } from '../../../src/modules/oauth/shared/documents/remembered-documents.js';
import { anAddress } from '../../support/addresses.js';
import { Receiver, type Answer } from '../../support/receiver.js';
import { APP_CALLBACK } from '../../support/shared-clients.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

class SetClock extends Clock {
  time = Date.parse('2026-11-22T12:00:00Z');
  override now = (): Date => new Date(this.time);
}

const clock = new SetClock();
let site: Receiver;
let url: string;
let documents: ClientDocuments;
const fetchers: DocumentFetcher[] = [];
beforeAll(async () => {
  site = await Receiver.start();
});
beforeEach(() => {
  site.received.length = 0;
  site.answer = json(() => valid());
  url = `${site.url}/client.json`;
  documents = make();
});
afterAll(async () => {
  await site.close();
  for (const fetcher of fetchers) await fetcher.onApplicationShutdown();
});

function make(env: Record<string, string> = {}): ClientDocuments {
  const settings = Settings.from({ OAUTH_CLIENT_DOCUMENT_NETWORKS: '127.0.0.0/8', ...env });
  const limiter = new LocalRateLimiter();
  const fetcher = new DocumentFetcher(settings, new LookUps());
  fetchers.push(fetcher);
  return new ClientDocuments(settings, fetcher, new AddressLimiter(limiter, settings), limiter, clock);
}

const valid = (more: object = {}) => ({ client_id: url, client_name: 'A model', redirect_uris: [APP_CALLBACK], ...more });
const json =
  (body: () => unknown, headers: Record<string, string> = {}): Answer =>
  (_received, response) =>
    void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body()));
const find = (wanted = url, from = anAddress()) => documents.find(wanted, from);
const refused = (reason: string) => ({ message: `The metadata document of the application cannot be used: ${reason}.` });

describe('a metadata document', () => {
  it('tells name, host and redirect addresses of an application, and nothing else', async () => {
    site.answer = json(() => valid({ application: { organizationId: 'a' }, scope: 'all', logo_uri: 'http://10.0.0.1/', isListed: true }));
    expect(await find()).toEqual({
      clientId: url,
      name: 'A model',
      host: new URL(url).host,
      redirectUris: [APP_CALLBACK],
      isListed: false,
      securityRules: [],
    });
    expect(site.received.map(({ headers }) => headers.accept)).toEqual(['application/json']);
  });

  it('without a name goes by its host', async () => {
    site.answer = json(() => valid({ client_name: undefined }));
    expect((await find()).name).toBe(new URL(url).host);
  });

  it.each([
    ['of another client id', { client_id: 'https://other.example.com/client.json' }, 'its client_id is not its URL'],
    ['without a client id', { client_id: undefined }, 'its client_id is not its URL'],
    ['with a secret', { client_secret: 'x' }, 'it has a client secret, which is public now'],
    ['of a client with a secret', { token_endpoint_auth_method: 'client_secret_basic' }, 'its token_endpoint_auth_method is not none'],
    ['without redirect addresses', { redirect_uris: [] }, 'redirect_uris must be a list of 1 to 20 addresses'],
    ['with too many of them', { redirect_uris: Array(21).fill(APP_CALLBACK) }, 'redirect_uris must be a list of 1 to 20 addresses'],
    ['with an odd one', { redirect_uris: [{}] }, 'redirect_uris must be a list of 1 to 20 addresses'],
    ['of an implicit client', { grant_types: ['implicit'] }, 'grant_types must include authorization_code'],
    ['with an odd response type', { response_types: 'code' }, 'response_types must include code'],
    ['with a name that is none', { client_name: 7 }, 'client_name must be a text of 1 to 200 visible characters'],
    ['with a name that turns text around', { client_name: 'a\u202eb' }, 'client_name must be a text of 1 to 200 visible characters'],
  ])('%s is refused', async (_what, more, reason) => {
    site.answer = json(() => valid(more));
    await expect(find()).rejects.toMatchObject(refused(reason));
  });

  it('with an unsafe redirect address is refused by that address', async () => {
    site.answer = json(() => valid({ redirect_uris: ['javascript:alert(1)'] }));
    await expect(find()).rejects.toThrow('redirect_uris holds javascript:alert(1), which must be https');
  });

  it.each([
    ['an object', 'application/json', '[]', 'it is not a JSON object'],
    ['JSON', 'application/json', '{', 'it is not JSON'],
    ['application/json', 'text/html', '{}', 'it is not served as application/json'],
    ['small', 'application/json', ' '.repeat(DOCUMENT_MAX_BYTES + 1), 'it is larger than 16 KiB'],
  ])('that is not %s is refused', async (_what, type, body, reason) => {
    site.answer = (_received, response) => void response.writeHead(200, { 'content-type': type }).end(body);
    await expect(find()).rejects.toMatchObject(refused(reason));
  });

  it('that never ends is not read to the end', async () => {
    let sent = 0;
    let timer: NodeJS.Timeout | undefined;
    const closed = new Promise<void>((resolve) => {
      site.answer = (_received, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).on('close', resolve);
        timer = setInterval(() => response.write(' '.repeat((sent += 1024) && 1024)), 1);
      };
    });
    await expect(find()).rejects.toMatchObject(refused('it is larger than 16 KiB'));
    await closed;
    clearInterval(timer);
    expect(sent).toBeLessThan(1024 * 1024);
  });

  it('that comes too slowly is refused after 5 seconds', async () => {
    const drip: NodeJS.Timeout[] = [];
    site.answer = (_received, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      drip.push(setInterval(() => response.write(' '), 200));
    };
    const start = performance.now();
    await expect(find()).rejects.toMatchObject(refused('its server takes longer than 5 seconds'));
    expect(performance.now() - start).toBeLessThan(7000);
    drip.forEach((timer) => clearInterval(timer));
  });

  it.each([301, 302, 307, 308])('that redirects with %i is refused, and nobody follows', async (status) => {
    site.answer = (_received, response) => void response.writeHead(status, { location: `${site.url}/elsewhere.json` }).end();
    await expect(find()).rejects.toMatchObject(refused(`its address answers with status ${status}`));
    expect(site.received.map(({ path }) => path)).toEqual(['/client.json']);
  });
});

describe('the URL of a metadata document', () => {
  it.each([
    ['at this machine', (port: string) => `https://127.0.0.1:${port}/client.json`],
    ['at this machine by name', (port: string) => `https://localhost:${port}/client.json`],
    ['at this machine as IPv6', (port: string) => `https://[::ffff:7f00:1]:${port}/client.json`],
    ['in a private network', () => 'https://10.0.0.1/client.json'],
    ['at the metadata service of a cloud', () => 'https://169.254.169.254/client.json'],
  ])('is not fetched %s', async (_where, at) => {
    documents = make({ OAUTH_CLIENT_DOCUMENT_NETWORKS: '' });
    await expect(find(at(new URL(site.url).port))).rejects.toMatchObject(refused('its address is not public'));
    expect(site.received).toEqual([]);
  });

  it.each([
    ['http://example.com/client.json', 'its URL must begin with https://'],
    ['https://example.com/', 'its URL must have a path'],
    ['https://example.com', 'its URL is not written in its normal form'],
    ['https://EXAMPLE.com/client.json', 'its URL is not written in its normal form'],
    ['https://example.com:443/client.json', 'its URL is not written in its normal form'],
    ['https://example.com/a/../client.json', 'its URL is not written in its normal form'],
    ['https://example.com/%2e%2e/client.json', 'its URL is not written in its normal form'],
    ['https://example.com/client.json#part', 'its URL must not have a fragment or credentials'],
    ['https://user@example.com/client.json', 'its URL must not have a fragment or credentials'],
    ['https://exam ple.com/client.json', 'its URL is not written in its normal form'],
    [`https://example.com/${'x'.repeat(1000)}`, 'its URL is longer than 1000 characters'],
  ])('may not be %s', async (wanted, reason) => {
    await expect(find(wanted)).rejects.toMatchObject(refused(reason));
  });
});

describe('what was found', () => {
  it('is remembered for five minutes, or as its server says, but from a minute to an hour', async () => {
    for (const [cacheControl, keptFor] of [
      [undefined, 5 * MINUTE],
      ['public, max-age=600', 10 * MINUTE],
      ['max-age=0', MINUTE],
      ['max-age=99999999', HOUR],
    ] as const) {
      documents = make();
      let name = 'Before';
      site.answer = json(() => valid({ client_name: name }), cacheControl === undefined ? {} : { 'cache-control': cacheControl });
      expect((await find()).name).toBe('Before');
      name = 'After';
      clock.time += keptFor - 1;
      expect((await find()).name).toBe('Before');
      clock.time += 1;
      expect((await find()).name).toBe('After');
    }
  });

  it('is used for a day longer while its server does not answer, but not if it says that there is no document', async () => {
    await find();
    clock.time += HOUR;
    site.answer = (_received, response) => void response.destroy();
    expect((await find()).name).toBe('A model');
    site.answer = (_received, response) => void response.writeHead(503).end();
    clock.time += MINUTE;
    expect((await find()).name).toBe('A model');
    site.answer = (_received, response) => void response.writeHead(404).end();
    clock.time += MINUTE;
    await expect(find()).rejects.toMatchObject(refused('its address answers with status 404'));
  });

  it('ends a day after it was last fetched', async () => {
    await find();
    site.answer = (_received, response) => void response.destroy();
    clock.time += 25 * HOUR;
    await expect(find()).rejects.toMatchObject({ ...refused('its server cannot be reached'), isTemporary: true });
  });

  it('is remembered for ten seconds if it is refused', async () => {
    site.answer = (_received, response) => void response.writeHead(404).end();
    for (let count = 0; count < 5; count += 1) await expect(find()).rejects.toThrow('404');
    expect(site.received).toHaveLength(1);
    site.answer = json(() => valid());
    clock.time += 10_000;
    expect((await find()).name).toBe('A model');
  });

  it('is shared by callers at the same time', async () => {
    expect(new Set((await Promise.all(Array.from({ length: 20 }, () => find()))).map(({ name }) => name))).toEqual(new Set(['A model']));
    expect(site.received).toHaveLength(1);
  });
});

describe('a caller', () => {
  const other = (number: number) => `${site.url}/${number}.json`;

  it('who asks for too many documents is refused, while others are not, and what is known goes on', async () => {
    const caller = anAddress();
    await find(url, caller);
    for (let count = 1; count < 20; count += 1) await expect(find(other(count), caller)).rejects.toThrow('its client_id');
    await expect(find(other(21), caller)).rejects.toThrow('too many documents were asked for from this address');
    expect((await find(url, caller)).name).toBe('A model');
    clock.time += 6 * MINUTE;
    expect((await find(url, caller)).name).toBe('A model');
    await expect(find(other(21))).rejects.toThrow('its client_id');
  });

  it('cannot make us fetch from one host without end, from however many addresses', async () => {
    const began = performance.now();
    let reason = '';
    // One more is allowed for each second that this takes.
    for (let count = 0; count < 600 && !reason.includes('too many documents of its host'); count += 1)
      reason = await find(other(count)).then(String, (error: Error) => error.message);
    expect(reason).toContain('too many documents of its host');
    expect(site.received.length).toBeGreaterThanOrEqual(60);
    expect(site.received.length).toBeLessThanOrEqual(61 + (performance.now() - began) / 1000);
  });
});
