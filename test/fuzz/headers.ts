import fc from 'fast-check';
import { newId } from '../../src/kernel/ids.js';
import { anyBytes, asBytes, oddText } from './odd-values.js';

/** Names and values, with one character for each byte. */
export type Headers = readonly (readonly [name: string, value: string])[];

const ODD: Readonly<Record<string, readonly string[]>> = {
  'Idempotency-Key': ['', ' ', 'a b', 'ä', 'x'.repeat(255), 'x'.repeat(256), '"quoted"', 'a,b', 'a\tb', 'same'],
  'If-Match': ['*', '""', '"a"', 'W/"a"', '"a", "b"', 'a', '"', '"a', ', ,', '*, "a"', '"\xff"', `"${'x'.repeat(5000)}"`],
  'If-None-Match': ['*', '""', '"a"', 'W/"a"', '"a", "b"', 'a', '"', ',', '"\xff"', `"${'x'.repeat(5000)}"`],
  Accept: [
    '*/*',
    'text/html',
    'application/json;q=0',
    'application/*',
    'application/json;q=x',
    ';;;',
    '',
    'text/event-stream',
    '*',
    'a/b/c',
  ],
  'Accept-Encoding': ['gzip', 'br', 'deflate', 'identity;q=0', '*;q=0', 'zstd', 'gzip;q=2', '', ',,,'],
  'Accept-Language': ['de', '*', 'x'.repeat(1000), ';q='],
  'Content-Type': [
    'application/json',
    'application/json; charset=utf-8',
    'application/json; charset=UTF-16',
    'application/json; charset=',
    'application/json;;',
    'APPLICATION/JSON',
    'application/x-www-form-urlencoded',
    'application/x-www-form-urlencoded; charset=latin1',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'text/plain',
    'application/problem+json',
    'application/merge-patch+json',
    '*/*',
    'json',
    '/',
    '',
    'application/json, text/plain',
    '\xff',
  ],
  'Content-Encoding': ['gzip', 'br', 'deflate', 'identity', 'zstd', 'gzip, gzip', '', 'x'],
  'X-Request-Id': ['', 'mine', 'a b', 'x'.repeat(128), 'x'.repeat(129), '../..', '\xff', '{"a":1}'],
  'X-Forwarded-For': [
    '',
    '203.0.113.7',
    '203.0.113.7, 198.51.100.1',
    '::1',
    '::ffff:203.0.113.7',
    '2001:db8::1%eth0',
    '1.2.3.4:80',
    '[2001:db8::1]:80',
    '999.1.1.1',
    'unknown',
    '127.0.0.1, 127.0.0.1',
    ',,,',
    '0x7f.1',
    '\xff',
    'a'.repeat(3000),
    Array(300).fill('127.0.0.1').join(', '),
  ],
  'X-Forwarded-Proto': ['https', 'javascript', '', 'https, http', '\xff'],
  'X-Forwarded-Host': ['evil.example', '', 'a b', 'evil.example, other.example', '[::1', '\xff'],
  Forwarded: ['for=203.0.113.7;host=evil.example', 'for="[::1]"', ';;'],
  Host: ['', 'evil.example', 'localhost:0', 'localhost:99999', '[::1', 'a b', 'user@host', '\xff', 'x'.repeat(300), 'localhost/path?a#b'],
  Origin: ['null', 'https://partner.example', '', 'https://a, https://b', 'javascript:alert(1)', '\xff'],
  'Access-Control-Request-Method': ['POST', 'DELETE', 'FOO', '', '\xff'],
  'Access-Control-Request-Headers': ['x-api-key', '*', '', 'a,,b', '\xff', 'x'.repeat(2000)],
  Cookie: [
    '',
    'a=b',
    '_session=x',
    '_interaction=x; _interaction.sig=y',
    '=;=;',
    '__proto__=1',
    'a="b',
    '%=%',
    '\xff=\xff',
    'x'.repeat(4000),
  ],
  Authorization: [
    '',
    'Bearer',
    'Bearer ',
    'Bearer a b',
    'bearer x',
    'Basic',
    'Basic Og==',
    'Basic !!!',
    'Basic JTpi',
    'Basic YTolZmY=',
    'Basic YTpiOmM=',
    'Digest x',
    'Negotiate',
    '\xff',
    `Bearer ${'x'.repeat(5000)}`,
    'DPoP x',
  ],
  'X-API-Key': ['', 'x', 'pk_test_', `pk_test_${'a'.repeat(38)}`, 'pk_live_\xff', 'a, b', 'x'.repeat(5000)],
  'MCP-Protocol-Version': ['2026-07-28', '2025-06-18', '2025-03-26', '1999-01-01', '', 'x', '\xff'],
  'Mcp-Session-Id': ['x', '', '\xff'],
  'Mcp-Method': ['tools/call', 'tools/list', '', 'x', '\xff'],
  'Mcp-Name': ['list_claim_projects', '', 'x', '=?base64?!?=', '=?base64?/w==?=', '\xff'],
  'Last-Event-ID': ['1', '', '\xff'],
  Range: ['bytes=0-1', 'bytes=-1', 'bytes=5-1', 'x', 'bytes=0-1,5-9'],
  'If-Range': ['"a"', 'x'],
  'If-Modified-Since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'x', ''],
  Expect: ['100-continue', 'x', ''],
  Connection: ['close', 'keep-alive', 'upgrade', 'x-api-key', 'close, keep-alive', ''],
  Upgrade: ['websocket', 'h2c', ''],
  'HTTP2-Settings': ['AAMAAABkAARAAAAAAAIAAAAA'],
  TE: ['trailers', 'x'],
  Trailer: ['X-API-Key', ''],
  'X-HTTP-Method-Override': ['DELETE', 'x'],
  traceparent: ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', '00-0-0-0', 'x', '\xff'],
  Prefer: ['return=minimal', 'respond-async'],
  'Accept-Version': ['1.x', '99.0.0', 'x'],
  ['__proto__']: ['x'],
  constructor: ['x'],
};

const isBreak = /[\r\n]/g;
const odd: fc.Arbitrary<readonly [string, string]> = fc
  .constantFrom(...Object.keys(ODD))
  .chain((name) =>
    fc
      .oneof(
        { weight: 5, arbitrary: fc.constantFrom(...ODD[name]!) },
        { weight: 1, arbitrary: anyBytes },
        { weight: 1, arbitrary: oddText.map(asBytes) },
      )
      .map((value) => [name, value.replace(isBreak, '')] as const),
  );

const many = fc.constantFrom<Headers>(
  Array.from({ length: 150 }, (_, index) => [`X-${index}`, 'x'] as const),
  Array.from({ length: 2500 }, (_, index) => [`X-${index}`, ''] as const),
  [['X-Large', 'x'.repeat(9000)]],
  [['X-Large', 'x'.repeat(20_000)]],
  [['x'.repeat(3000), 'x']],
  [['X-Bytes', '\x01\x02']],
  [['Bad Name', 'x']],
  [['', 'x']],
);

/** Headers that come on top of valid ones: they replace those, or repeat them. */
export const oddHeaders: fc.Arbitrary<{ headers: Headers; repeats: boolean }> = fc.record({
  headers: fc.oneof(
    { weight: 20, arbitrary: fc.constant<Headers>([]) },
    { weight: 18, arbitrary: fc.array(odd, { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: many },
  ),
  repeats: fc.boolean(),
});

/** The valid headers with the odd ones. */
export function joinHeaders(valid: Headers, { headers, repeats }: { headers: Headers; repeats: boolean }): Headers {
  const replaced = new Set(repeats ? [] : headers.map(([name]) => name.toLowerCase()));
  return [...valid.filter(([name]) => !replaced.has(name.toLowerCase())), ...headers];
}

/** Usually a new key, sometimes one that other requests have, too. */
export const idempotencyKey: fc.Arbitrary<() => string> = fc.oneof(
  { weight: 9, arbitrary: fc.constant(newId) },
  { weight: 1, arbitrary: fc.nat({ max: 50 }).map((number) => () => `used-${number}`) },
);
