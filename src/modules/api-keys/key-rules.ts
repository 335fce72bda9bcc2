import { isCidrOrAddress } from '../../kernel/addresses.js';
import { Problem } from '../../kernel/problems.js';
import { codePoints } from '../../kernel/text.js';
import type { ApiKey } from './api-key.entity.js';

export function invalid(field: string, code: string, message: string): Problem {
  return Problem.validation([{ location: 'body', field, code, message }]);
}

/** What a key may be called, may do, and may be used from. */
export function requireValidKey(
  { name, scopes, ipAllowlist }: Pick<ApiKey, 'name' | 'scopes' | 'ipAllowlist'>,
  known: readonly string[],
): void {
  const length = codePoints(name);
  if (length < 1 || length > 200) throw invalid('name', 'too_long', 'must have 1 to 200 characters');
  const unknown = scopes.find((scope) => !known.includes(scope));
  if (unknown !== undefined) throw invalid('scopes', 'not_allowed', `holds ${unknown}, which is none of ${known.join(', ')}`);
  const bad = ipAllowlist.find((entry) => !isCidrOrAddress(entry));
  if (bad !== undefined) throw invalid('ipAllowlist', 'invalid_address', `holds ${bad}, which is no IPv4 or IPv6 address or CIDR`);
}

export function missing(id: string): never {
  throw new Problem('not_found', { detail: `There is no API key ${id}.` });
}

export function nothingToRotate(id: string): Problem {
  return new Problem('not_found', { detail: `The key ${id} is revoked or expired, so there is nothing to rotate.` });
}
