import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRedisUrl, shownNodes } from './redis-url.js';

describe('REDIS_URL', () => {
  it.each([
    ['redis://redis', { kind: 'server', nodes: [{ host: 'redis', port: 6379 }], db: 0, isEncrypted: false }],
    ['redis://127.0.0.1:6380/9', { kind: 'server', nodes: [{ host: '127.0.0.1', port: 6380 }], db: 9, isEncrypted: false }],
    [
      'rediss://me:p%40ss:word@[::1]:6380',
      { kind: 'server', nodes: [{ host: '::1', port: 6380 }], db: 0, isEncrypted: true, username: 'me', password: 'p@ss:word' },
    ],
    [
      'redis+sentinel://:secret@a:1,b,c:3/main/2?sentinelPassword=other',
      {
        kind: 'sentinel',
        nodes: [
          { host: 'a', port: 1 },
          { host: 'b', port: 26379 },
          { host: 'c', port: 3 },
        ],
        group: 'main',
        db: 2,
        isEncrypted: false,
        password: 'secret',
        sentinelPassword: 'other',
      },
    ],
    [
      'rediss+cluster://a:7000,b:7001',
      {
        kind: 'cluster',
        nodes: [
          { host: 'a', port: 7000 },
          { host: 'b', port: 7001 },
        ],
        isEncrypted: true,
      },
    ],
  ])('%s is read', (text, address) => {
    expect(parseRedisUrl(text)).toEqual(address);
  });

  it.each([
    ['http://redis', 'must have one of the forms'],
    ['redis://', 'must have one of the forms'],
    ['redis://a:70000', 'must have one of the forms'],
    ['redis://a,b', 'names several servers'],
    ['redis://a/b', 'number of a database'],
    ['redis+sentinel://a:1', 'name that the Sentinels know'],
    ['redis+cluster://a:1/2', 'must not name a database'],
    ['redis://u:%zz@a', 'not percent-encoded'],
    ['redis+ring://a', 'must have one of the forms'],
    ['redis://a?ca=/nowhere/ca.pem', 'but no TLS'],
    ['rediss://a?ca=/nowhere/ca.pem', 'cannot be read (ENOENT)'],
  ])('%s is refused: it %s', (text, why) => {
    expect(() => parseRedisUrl(text)).toThrow(why);
  });

  it('never says its password, whatever is wrong with it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('redis', 'redis+sentinel', 'redis+cluster', 'http'),
        fc.constantFrom('a', 'a,b', 'a:99999', ''),
        (scheme, hosts) => {
          const said = (() => {
            try {
              return shownNodes(parseRedisUrl(`${scheme}://me:canary@${hosts}`));
            } catch (error) {
              return (error as Error).message;
            }
          })();
          expect(said).not.toContain('canary');
        },
      ),
    );
  });
});
