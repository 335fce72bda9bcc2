import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAddressIn, isCidrOrAddress, isForbidden } from './addresses.js';

describe('an address or CIDR', () => {
  it.each([
    '203.0.113.9',
    '0.0.0.0',
    '255.255.255.255',
    '203.0.113.0/24',
    '203.0.113.9/32',
    '0.0.0.0/0',
    '::1',
    '::',
    '2001:db8::/32',
    '2001:DB8::1',
    '::/0',
    'fe80::1',
    '::ffff:203.0.113.9',
    '::ffff:203.0.113.0/120',
  ])('may be %s', (text) => {
    expect(isCidrOrAddress(text)).toBe(true);
  });

  it.each([
    '',
    ' ',
    '1',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '-1.2.3.4',
    '0x7f.0.0.1',
    '010.0.0.1',
    '1.2.3.04',
    '1.2.3.4/',
    '1.2.3.4/33',
    '1.2.3.4/-1',
    '1.2.3.4/8/8',
    '1.2.3.4/08',
    '1.2.3.4/x',
    ' 1.2.3.4',
    '1.2.3.4 ',
    '1.2.3.4:80',
    '2001:db8::/129',
    '2001:db8',
    '[::1]',
    'fe80::1%eth0',
    ':::',
    'localhost',
    '*',
    '1.2.3.*',
    '１.2.3.4',
  ])('may not be “%s”', (text) => {
    expect(isCidrOrAddress(text)).toBe(false);
  });
});

describe('an address', () => {
  it.each([
    ['203.0.113.9', ['203.0.113.9']],
    ['203.0.113.9', ['198.51.100.1', '203.0.113.0/24']],
    ['203.0.113.255', ['203.0.113.0/24']],
    ['198.51.100.1', ['0.0.0.0/0']],
    ['2001:db8::1', ['2001:db8::/32']],
    ['2001:0DB8:0:0::1', ['2001:db8::1']],
    ['::ffff:203.0.113.9', ['203.0.113.0/24']],
    ['::ffff:cb00:7109', ['203.0.113.9']],
    ['fe80::1%eth0', ['fe80::/10']],
    ['203.0.113.9', ['::ffff:203.0.113.9']],
    ['203.0.113.9', ['::ffff:203.0.113.0/120']],
  ])('%s is in %s', (address, allowed) => {
    expect(isAddressIn(address, allowed)).toBe(true);
  });

  it.each([
    ['203.0.113.9', []],
    ['203.0.113.9', ['203.0.113.8', '203.0.112.0/24']],
    ['203.0.114.0', ['203.0.113.0/24']],
    ['2001:db9::1', ['2001:db8::/32']],
    ['2001:db8::1', ['0.0.0.0/0']],
    ['203.0.113.9', ['::/0']],
    ['::ffff:203.0.114.9', ['::ffff:203.0.113.0/120']],
    ['203.0.113.9', ['nonsense', '']],
    ['nonsense', ['0.0.0.0/0', '::/0']],
    ['', ['0.0.0.0/0', '::/0']],
    ['203.0.113.9:80', ['0.0.0.0/0']],
    ['010.0.0.1', ['8.0.0.1', '10.0.0.1']],
  ])('%s is not in %s', (address, allowed) => {
    expect(isAddressIn(address, allowed)).toBe(false);
  });
});

describe('deliveries must not be sent to', () => {
  it.each([
    [
      'this machine',
      [
        '127.0.0.1',
        '127.255.255.254',
        '0.0.0.0',
        '0.1.2.3',
        '::1',
        '::',
        '::ffff:127.0.0.1',
        '::ffff:7f00:1',
        '0:0:0:0:0:ffff:7f00:0001',
        '::127.0.0.1',
      ],
    ],
    [
      'a private network',
      [
        '10.0.0.1',
        '172.16.0.1',
        '172.31.255.255',
        '192.168.1.1',
        '100.64.0.1',
        '100.127.255.255',
        'fc00::1',
        'fd12:3456:789a::1',
        '::ffff:10.0.0.1',
        'fec0::1',
      ],
    ],
    ['link-local addresses', ['169.254.1.1', '169.254.169.254', 'fe80::1', 'fe80::1%eth0', '::ffff:169.254.169.254', 'fd00:ec2::254']],
    ['multicast addresses', ['224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1', 'ff0e::1']],
    [
      'reserved addresses',
      [
        '192.0.2.1',
        '198.51.100.1',
        '203.0.113.7',
        '198.18.0.1',
        '198.19.255.255',
        '240.0.0.1',
        '192.0.0.8',
        '192.88.99.1',
        '2001:db8::1',
        '100::1',
        '3fff::1',
        '4000::1',
        '8000::1',
      ],
    ],
    [
      'an IPv4 address wrapped in an IPv6 address',
      [
        '64:ff9b::7f00:1',
        '64:ff9b::8.8.8.8',
        '64:ff9b:1::1',
        '2002:7f00:1::1',
        '2002:808:808::1',
        '2001:0:4136:e378:8000:63bf:3fff:fdd2',
        '::8.8.8.8',
      ],
    ],
    ['text that is not an address', ['', 'localhost', '127.1', '0x7f000001', '2130706433', '017700000001', '1.2.3', '1.2.3.4.5', '::g']],
  ])('%s', (_what, addresses) => {
    for (const address of addresses) expect(isForbidden(address, []), address).toBe(true);
  });

  it('a private or special address in any notation', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(
        fc.constantFrom('10', '127', '0', '169.254', '192.168', '172.20', '100.100', '224', '250'),
        octet,
        octet,
        octet,
        (head, a, b, c) => {
          const address = [...head.split('.'), a, b, c].slice(0, 4).join('.');
          const [first, second, third, fourth] = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
          for (const spelt of [
            address,
            `::ffff:${address}`,
            `::ffff:${first}${second}:${third}${fourth}`,
            `64:ff9b::${address}`,
            `2002:${first}${second}:${third}${fourth}::1`,
          ])
            expect(isForbidden(spelt, []), spelt).toBe(true);
        },
      ),
    );
  });
});

describe('deliveries may be sent to', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '93.184.216.34',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '192.167.1.1',
    '198.17.0.1',
    '198.20.0.1',
    '223.255.255.255',
    '2606:4700::6810:84e5',
    '2a00:1450:4001:81b::200e',
    '2001:4860:4860::8888',
    '[2606:4700::1]',
  ])('%s', (address) => {
    expect(isForbidden(address, [])).toBe(false);
  });

  it('networks that are allowed, and no other private ones', () => {
    const allowed = ['127.0.0.0/8', '10.1.0.0/16', 'fd00::/8'];
    for (const address of ['127.0.0.1', '10.1.2.3', 'fd00::1', '::ffff:127.0.0.1'])
      expect(isForbidden(address, allowed), address).toBe(false);
    for (const address of ['10.2.0.1', '169.254.169.254', 'fc00::1', '::1']) expect(isForbidden(address, allowed), address).toBe(true);
  });
});
