import { isEmail } from '../../../kernel/codes.js';
import { codePoints, isStorableText } from '../../../kernel/text.js';
import { GIVEN_ROLES } from './identity-provider.entity.js';
import type { Person } from './person.js';
import type { SignInWay, Vouched } from './sign-in-provider.js';
import type { SignOnRefusal } from './sign-on-refusals.js';

export type { Person };

const TEXT_MAX = 255;
const NAME_MAX = 200;

/** What holds for everybody, whatever vouches for them. Extensions are programs, too, so nothing is taken for granted. */
export function personOf({ issuer, subject, email, name, role }: Vouched, way: SignInWay): Person | SignOnRefusal {
  if (![issuer, subject].every(isShortText)) return 'provider_refused';
  if (role !== undefined && !GIVEN_ROLES.includes(role)) return 'provider_refused';
  if (typeof email !== 'string' || !isEmail(email) || !isStorableText(email)) return 'email_missing';
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (!way.emailDomains.includes(domain)) return 'domain_not_allowed';
  return { issuer, subject, email, name: isName(name) ? name : undefined, role };
}

const isShortText = (text: unknown): boolean => typeof text === 'string' && text !== '' && text.length <= TEXT_MAX && isStorableText(text);

const isName = (name: unknown): boolean =>
  typeof name === 'string' && name.trim() !== '' && codePoints(name) <= NAME_MAX && isStorableText(name);
