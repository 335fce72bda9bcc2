import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { expectProblem } from '../../support/problem.js';
import { aWebhook, WEBHOOKS, webhookInput } from '../../support/webhooks.js';

let app: TestApp;
let clients: Record<'test' | 'live', Client>;
beforeAll(async () => {
  app = await startApp();
  // Refused requests store nothing, so all tests share two organizations.
  clients = {
    test: new Client(app.url, (await aTenant(app)).key),
    live: new Client(app.url, (await aTenant(app, { environment: 'live' })).key),
  };
});
afterAll(() => app.close());

async function expectRefused(environment: 'test' | 'live', targetUrl: string): Promise<void> {
  const answer = await clients[environment].post(WEBHOOKS, webhookInput({ targetUrl }));
  expect(answer.status, `${targetUrl} was answered ${answer.text}`).toBe(400);
  const { errors } = expectProblem(answer, 'target_not_allowed');
  expect(errors, targetUrl).toMatchObject([{ location: 'body', field: 'targetUrl', code: 'target_not_allowed' }]);
}

const FORBIDDEN_HOSTS = {
  'this machine': [
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '0177.0.0.1',
    '127.0.0.1.',
    '%31%32%37.0.0.1',
    '１２７.０.０.１',
    '0',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'loc%61lhost',
    'hooks.localhost',
  ],
  'private networks': [
    '10.0.0.1',
    '10.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.168.257',
    '0xc0a80001',
    '100.64.0.1',
    '[fd00::1]',
    '[fc00::1]',
    '[fec0::1]',
  ],
  'link-local addresses, where clouds serve credentials': [
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '169.254.170.2',
    '[fe80::1]',
    '[fd00:ec2::254]',
  ],
  'IPv4 in IPv6': [
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:8.8.8.8]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
    '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
  ],
  'multicast and reserved addresses': [
    '224.0.0.1',
    '255.255.255.255',
    '240.0.0.1',
    '[ff02::1]',
    '192.0.2.1',
    '198.51.100.7',
    '203.0.113.9',
    '198.18.0.1',
    '[2001:db8::1]',
    '[100::1]',
  ],
};

describe('a target must not be', () => {
  it.each(Object.entries(FORBIDDEN_HOSTS))('%s, in any spelling', async (_what, hosts) => {
    for (const host of hosts) {
      await expectRefused('test', `http://${host}/hook`);
      await expectRefused('live', `https://${host}:8443/hook`);
    }
  });

  it.each([
    ['without a scheme', 'hooks.example.com/claims'],
    ['a path', '/claims'],
    ['without a host', 'https://'],
    ['of another scheme', 'ftp://hooks.example.com/claims'],
    ['a file', 'file:///etc/passwd'],
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/plain,hello'],
    ['a web socket', 'wss://hooks.example.com'],
    ['without slashes', 'https:hooks.example.com'],
    ['with backslashes', 'https:\\\\hooks.example.com\\claims'],
    ['with white space before it', ' https://hooks.example.com'],
    ['with white space in it', 'https://hooks.example.com/a b'],
    ['on two lines', 'https://hooks.example.com/\r\nX-Injected: 1'],
    ['with an invalid port', 'https://hooks.example.com:99999/'],
    ['with a user', 'https://user@hooks.example.com/'],
    ['with a user and a password', 'https://user:password@hooks.example.com/'],
    ['with a password alone', 'https://:password@hooks.example.com/'],
    ['a private address behind a user', 'https://hooks.example.com@10.0.0.1/'],
  ])('%s', async (_what, targetUrl) => {
    await expectRefused('test', targetUrl);
    await expectRefused('live', targetUrl);
  });

  it('http for a live endpoint', async () => {
    await expectRefused('live', 'http://hooks.example.com/claims');
    expect((await aWebhook(clients.test, { targetUrl: 'http://hooks.example.com/claims' })).targetUrl).toBe(
      'http://hooks.example.com/claims',
    );
    expect((await aWebhook(clients.live, { environment: 'test', targetUrl: 'http://hooks.example.com/claims' })).environment).toBe('test');
  });

  it('changed to a forbidden one', async () => {
    const { id, targetUrl } = await aWebhook(clients.live);
    for (const bad of [
      'http://hooks.example.com/claims',
      'https://10.0.0.1/',
      'https://localhost/',
      'https://user@hooks.example.com/',
      'x',
    ]) {
      expectProblem(await clients.live.patch(`${WEBHOOKS}/${id}`, { targetUrl: bad }), 'target_not_allowed');
    }
    expect((await clients.live.get(`${WEBHOOKS}/${id}`)).body).toMatchObject({ targetUrl });
  });
});

describe('a target may be', () => {
  it.each([
    'https://8.8.8.8/hook',
    'https://[2606:4700::6810:84e5]:8443/hook?a=b',
    'https://no-such-name.invalid/yet',
    'HTTPS://Hooks.Example.Com/Claims',
    'https://büro.invalid/straße',
  ])('%s, and is stored as it was sent', async (targetUrl) => {
    expect((await aWebhook(clients.live, { targetUrl })).targetUrl).toBe(targetUrl);
  });

  it('in a network that WEBHOOK_ALLOWED_NETWORKS allows, and in no other private network', async () => {
    const open = await startApp({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8, 10.1.0.0/16' });
    const api = new Client(open.url, (await aTenant(open)).key);
    for (const targetUrl of ['http://127.0.0.1:9/', 'http://localhost:9/', 'https://10.1.2.3/']) await aWebhook(api, { targetUrl });
    for (const targetUrl of ['http://10.2.0.1/', 'http://169.254.169.254/latest/meta-data', 'http://[::1]/'])
      expectProblem(await api.post(WEBHOOKS, webhookInput({ targetUrl })), 'target_not_allowed');
    await open.close();
  });

  it('one of the hosts that OUTBOUND_HOSTS lists, and no other', async () => {
    const hosts = 'hooks.example.com, *.partner.example, 127.0.0.1';
    const listed = await startApp({ OUTBOUND_HOSTS: hosts, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
    const api = new Client(listed.url, (await aTenant(listed)).key);
    for (const host of ['hooks.example.com', 'HOOKS.example.com.', 'a.b.partner.example', '127.0.0.1:9'])
      await aWebhook(api, { targetUrl: `https://${host}/claims` });
    for (const host of ['hooks.example.org', 'a.hooks.example.com', 'partner.example', 'notpartner.example', 'localhost', '8.8.8.8']) {
      const { detail } = expectProblem(await api.post(WEBHOOKS, webhookInput({ targetUrl: `https://${host}/` })), 'target_not_allowed');
      expect(detail, host).toContain('OUTBOUND_HOSTS');
    }
    await listed.close();
  });
});
