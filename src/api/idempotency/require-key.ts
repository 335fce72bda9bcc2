import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../../kernel/problems.js';

const FIELD = { location: 'header', field: 'Idempotency-Key' } as const;

export function requireIdempotencyKey(headers: IncomingHttpHeaders): string {
  const key = headers['idempotency-key'];
  if (key === undefined || key === '') {
    throw new Problem('idempotency_key_missing', { errors: [{ ...FIELD, code: 'required', message: 'is required' }] });
  }
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw new Problem('idempotency_key_invalid', {
      errors: [{ ...FIELD, code: 'not_allowed', message: 'must be 1 to 255 printable ASCII characters' }],
    });
  }
  return key;
}
