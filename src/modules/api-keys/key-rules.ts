import { isCidrOrAddress } from '../../kernel/addresses.js';
import { Problem } from '../../kernel/problems.js';
import { codePoints, INVALID_TEXT, isStorableText } from '../../kernel/text.js';
import type { ApiKey } from './api-key.entity.js';

/** How long a rotated key stays valid at most. */
export const MAX_OVERLAP_MS = 7 * 86_400_000;

/** Every request of a key is compared with each of them. */
const MAX_ADDRESSES = 200;

/** Throws if the name, a scope or an address is not allowed. */
export function requireValidKey(
  { name, scopes, ipAllowlist }: Pick<ApiKey, 'name' | 'scopes' | 'ipAllowlist'>,
  known: readonly string[],
): void {
  const length = codePoints(name);
  if (length < 1 || length > 200) throw Problem.invalidField('name', 'too_long', 'must have 1 to 200 characters');
  if (!isStorableText(name)) throw Problem.invalidField('name', INVALID_TEXT.code, INVALID_TEXT.message);
  const unknown = scopes.find((scope) => !known.includes(scope));
  if (unknown !== undefined)
    throw Problem.invalidField('scopes', 'not_allowed', `contains ${unknown}, which is not one of ${known.join(', ')}`);
  if (ipAllowlist.length > MAX_ADDRESSES)
    throw Problem.invalidField('ipAllowlist', 'too_many', `must have at most ${MAX_ADDRESSES} addresses`);
  const bad = ipAllowlist.find((entry) => !isCidrOrAddress(entry));
  if (bad !== undefined)
    throw Problem.invalidField('ipAllowlist', 'invalid_address', `contains ${bad}, which is not an IPv4 or IPv6 address or CIDR`);
}

export const keyNotFound = (id: string): Problem => Problem.notFound(`API key ${id}`);

export function nothingToRotate(id: string): Problem {
  return new Problem('not_found', { detail: `The key ${id} is revoked or expired, so it cannot be rotated.` });
}

export const overlapTooLong = (): Problem => Problem.invalidField('overlap', 'out_of_range', 'must be at most 7d');
