import { isEmail } from '../../../kernel/codes.js';
import { codePoints, isStorableText } from '../../../kernel/text.js';
import type { GivenRole, IdentityProvider } from './identity-provider.entity.js';
import type { SignOnRefusal } from './sign-on-refusals.js';

const NAME_MAX = 200;
const SUBJECT_MAX = 255;
/** It serves the whole world: `hd` says whose account it is. Anybody may have one with an address of a company. */
const GOOGLE = 'https://accounts.google.com';

/** Somebody whom an identity provider has vouched for. */
export interface Person {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  readonly name: string | undefined;
  /** undefined: the organization gives roles in the console. */
  readonly role: GivenRole | undefined;
}

type Rules = Pick<IdentityProvider, 'emailDomains' | 'defaultRole' | 'roleClaim' | 'adminValues' | 'memberValues'>;
type Claims = Readonly<Record<string, unknown>>;

/** Reads verified claims by the rules of the organization. */
export function personIn(claims: Claims, rules: Rules): Person | SignOnRefusal {
  const { iss, sub, hd, email_verified: isVerified } = claims;
  const email = typeof claims.email === 'string' ? claims.email.trim() : '';
  if (typeof iss !== 'string' || typeof sub !== 'string' || sub.length > SUBJECT_MAX || !isStorableText(sub)) return 'provider_refused';
  if (!isEmail(email) || !isStorableText(email)) return 'email_missing';
  // Some providers send it as text.
  if (isVerified === false || isVerified === 'false') return 'email_unverified';
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  const domains = iss === GOOGLE ? [domain, hd] : [domain];
  if (!domains.every((one) => rules.emailDomains.some((allowed) => allowed === one))) return 'domain_not_allowed';
  return { issuer: iss, subject: sub, email, name: nameIn(claims), role: roleIn(claims, rules) };
}

/** A claim without a value that is listed gives the default: whoever has left the admins there is none here. */
function roleIn(claims: Claims, { roleClaim, adminValues, memberValues, defaultRole }: Rules): GivenRole | undefined {
  if (roleClaim === null) return undefined;
  const values = [Object.hasOwn(claims, roleClaim) ? claims[roleClaim] : []].flat();
  if (values.some((value) => adminValues.includes(value as string))) return 'admin';
  return values.some((value) => memberValues.includes(value as string)) ? 'member' : defaultRole;
}

function nameIn({ name }: Claims): string | undefined {
  const trimmed = typeof name === 'string' ? name.trim() : '';
  return trimmed !== '' && codePoints(trimmed) <= NAME_MAX && isStorableText(trimmed) ? trimmed : undefined;
}
