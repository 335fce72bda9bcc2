import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base32, totpCode, totpStep, totpUri } from './one-time-codes.js';

/** From RFC 6238, appendix B (SHA-1). Its codes have eight digits; ours are the last six. */
const SECRET = Buffer.from('12345678901234567890');
const VECTORS: [seconds: number, code: string][] = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
];

const stepAt = (seconds: number): number => Math.floor(seconds / 30);

describe('a one-time code', () => {
  it.each(VECTORS)('matches RFC 6238 at %i seconds', (seconds, code) => {
    expect(totpCode(SECRET, stepAt(seconds))).toBe(code.slice(2));
  });

  it('is valid in its own half minute, the one before and the one after', () => {
    const step = 50_000_000;
    const code = totpCode(SECRET, step);
    const found = [-2, -1, 0, 1, 2].map((later) => totpStep(SECRET, code, new Date((step + later) * 30_000 + 29_999)));
    expect(found).toEqual([undefined, step, step, step, undefined]);
  });

  it('can be typed with spaces, as apps show it', () => {
    expect(totpStep(SECRET, ' 287 082 ', new Date(59_000))).toBe(1);
  });

  it('must have six ASCII digits', () => {
    for (const code of ['', '287', '94287082', '287082x', '２８７０８２', 'undefined'])
      expect(totpStep(SECRET, code, new Date(59_000)), code).toBeUndefined();
  });
});

describe('base32', () => {
  it('matches RFC 4648', () => {
    expect(base32(Buffer.from('fooba'))).toBe('MZXW6YTB');
    expect(base32(SECRET)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  });

  it('is different for different secrets, with unambiguous letters', () => {
    const secret = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(secret, secret, (one, other) => {
        expect(base32(one)).toMatch(/^[A-Z2-7]{32}$/);
        expect(base32(one) === base32(other)).toBe(one.equals(other));
      }),
    );
  });
});

it('the URI for an app escapes issuer and account', () => {
  const uri = new URL(totpUri('Claims API', 'jane+a:b@example.com', SECRET));
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual(['otpauth:', 'totp', '/Claims API:jane+a:b@example.com']);
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret: base32(SECRET),
    issuer: 'Claims API',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
