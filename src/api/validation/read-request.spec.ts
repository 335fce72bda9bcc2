import { expect, it } from 'vitest';
import { accepts, idempotencyKeyOf } from './read-request.js';

it.each([
  undefined,
  '',
  '*/*',
  'application/json',
  'application/*',
  'text/html, */*;q=0.1',
  'application/json; charset=utf-8',
  ' Application/JSON ',
  'text/html,application/json;q=0.001',
  'text/html;q=0, */*',
])('Accept: %s allows an answer in JSON', (accept) => {
  expect(accepts(accept)).toBe(true);
});

it.each([
  'text/html',
  'application/xml, text/*',
  'application/json;q=0',
  'application/json; q=0.000',
  '*/*;q=0',
  'application/json;q=0, */*',
  'application/*;q=0, */*',
  'application/jsonp',
  'json',
  ',',
  ';',
  'application/json/x',
])('Accept: %s does not allow an answer in JSON', (accept) => {
  expect(accepts(accept)).toBe(false);
});

it.each(['a', '0', ' ~', '5e0c2a51-1f7e-4f0f-9a53-2f2d9a6a8b10', 'x'.repeat(255), '__proto__', '"quoted"; \\'])(
  'the Idempotency-Key %s is accepted',
  (key) => {
    expect(idempotencyKeyOf({ 'idempotency-key': key })).toBe(key);
  },
);

it.each(['x'.repeat(256), 'é', 'a\tb', 'a\u0000', '\u007f', 'a\n', '👩'])(
  'the Idempotency-Key %j is refused, and the error names the header',
  (key) => {
    expect(() => idempotencyKeyOf({ 'idempotency-key': key })).toThrow(
      expect.objectContaining({
        code: 'idempotency_key_invalid',
        errors: [expect.objectContaining({ location: 'header', field: 'Idempotency-Key' })],
      }) as Error,
    );
  },
);

it('a missing or empty Idempotency-Key is refused', () => {
  for (const headers of [{}, { 'idempotency-key': '' }])
    expect(() => idempotencyKeyOf(headers)).toThrow(expect.objectContaining({ code: 'idempotency_key_missing', status: 400 }) as Error);
});
