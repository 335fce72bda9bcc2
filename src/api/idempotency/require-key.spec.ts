import { expect, it } from 'vitest';
import { requireIdempotencyKey } from './require-key.js';

it.each(['a', '0', ' ~', '5e0c2a51-1f7e-4f0f-9a53-2f2d9a6a8b10', 'x'.repeat(255), '__proto__', '"quoted"; \\'])('takes %s', (key) => {
  expect(requireIdempotencyKey({ 'idempotency-key': key })).toBe(key);
});

it.each(['x'.repeat(256), 'é', 'a\tb', 'a\u0000', '\u007f', 'a\n', '👩'])('refuses %j, and names the header', (key) => {
  expect(() => requireIdempotencyKey({ 'idempotency-key': key })).toThrow(
    expect.objectContaining({
      code: 'idempotency_key_invalid',
      errors: [expect.objectContaining({ location: 'header', field: 'Idempotency-Key' })],
    }) as Error,
  );
});

it('requires one', () => {
  for (const headers of [{}, { 'idempotency-key': '' }])
    expect(() => requireIdempotencyKey(headers)).toThrow(
      expect.objectContaining({ code: 'idempotency_key_missing', status: 400 }) as Error,
    );
});
