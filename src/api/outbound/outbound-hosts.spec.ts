import { describe, expect, it } from 'vitest';
import { Settings } from '../../kernel/settings/settings.js';
import { LookUps } from './look-ups.js';
import { addressIn, reasonOfNoAnswer, StrangerClient } from './stranger-client.js';

const settings = Settings.from({ OUTBOUND_HOSTS: 'keys.example,*.partner.example,192.0.2.7', WEBHOOK_ALLOWED_NETWORKS: '192.0.2.0/24' });

describe('with a list of hosts', () => {
  it.each(['https://other.example/', 'https://keys.example.evil.example/', 'https://192.0.2.8/', 'https://partner.example/'])(
    'no host is asked for that is not in it, and its name is not looked up: %s',
    async (url) => {
      const lookUps = new LookUps(settings);
      lookUps.findAddresses = () => Promise.reject(new Error('It was looked up.'));
      const client = new StrangerClient({ what: 'Tests', owner: 'tests', lookUps, allowed: settings.webhookAllowedNetworks });
      const asked = client.request(url, {}, () => Promise.resolve('answered'));
      expect(await asked.catch(reasonOfNoAnswer)).toBe('not_public');
      await client.close();
    },
  );

  it('an address can be stored if its host is in it', () => {
    const stored = ['https://keys.example/a', 'https://a.b.partner.example/', 'https://192.0.2.7/', 'https://keys.example./'];
    for (const url of stored) expect(addressIn(url, settings.webhookAllowedNetworks, settings.outboundHosts), url).toBeDefined();
    for (const url of ['https://a.keys.example/', 'https://192.0.2.9/', 'https://xpartner.example/'])
      expect(addressIn(url, settings.webhookAllowedNetworks, settings.outboundHosts), url).toBeUndefined();
  });
});

it('without a list, every public host can be stored', () => {
  expect(addressIn('https://any.example/', [], [])).toBeDefined();
});

it.each(['http://a.example', '*', '*.', 'A.example', 'a.*.example', 'a..b', '10.0.0.0/8'])('%s is no host of a list', (hosts) => {
  expect(() => Settings.from({ OUTBOUND_HOSTS: hosts })).toThrow(/OUTBOUND_HOSTS/);
});
