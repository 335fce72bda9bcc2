import { PageRefusal } from '../../../api/console/page.js';
import type { FieldCode } from '../../../kernel/field-codes.js';
import { Problem, type FieldError } from '../../../kernel/problems.js';
import { isStorableText } from '../../../kernel/text.js';
import { GIVEN_ROLES, type GivenRole, type IdentityProvider } from './identity-provider.entity.js';

export const ISSUER_MAX = 1000;
export const CLIENT_ID_MAX = 500;
export const CLIENT_SECRET_MAX = 1000;
export const CLAIM_MAX = 200;
const LIST_MAX = 50;
const VALUE_MAX = 300;
const DOMAIN = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/;

export interface WantedProvider {
  readonly issuer: string;
  readonly clientId: string;
  /** undefined: the one that is stored. */
  readonly clientSecret: string | undefined;
  readonly emailDomains: readonly string[];
  readonly defaultRole: string;
  readonly roleClaim: string | null;
  readonly adminValues: readonly string[];
  readonly memberValues: readonly string[];
}

export type CheckedProvider = Pick<
  IdentityProvider,
  'issuer' | 'clientId' | 'emailDomains' | 'defaultRole' | 'roleClaim' | 'adminValues' | 'memberValues'
>;

/** `isAllowed`: whether requests may go to a URL of this scheme and host. Throws a problem that names every wrong field. */
export function checked(
  wanted: WantedProvider,
  before: IdentityProvider | undefined,
  isAllowed: (url: string) => boolean,
): CheckedProvider {
  const { clientId, clientSecret, adminValues, memberValues } = wanted;
  const [issuer, roleClaim] = [wanted.issuer.trim(), wanted.roleClaim?.trim() || null];
  const emailDomains = [...new Set(wanted.emailDomains.map((domain) => domain.toLowerCase()))];
  const defaultRole = GIVEN_ROLES.find((role) => role === wanted.defaultRole);
  const errors = [
    issuerError(issuer, isAllowed),
    textError('clientId', clientId, CLIENT_ID_MAX),
    secretError(clientSecret, before, issuer),
    domainsError(emailDomains),
    defaultRole ? undefined : error('defaultRole', 'not_allowed', `must be one of ${GIVEN_ROLES.join(', ')}`),
    roleClaim === null ? undefined : textError('roleClaim', roleClaim, CLAIM_MAX),
    valuesError('adminValues', adminValues),
    valuesError('memberValues', memberValues),
    roleClaim === null && adminValues.length + memberValues.length > 0
      ? error('roleClaim', 'required', 'is needed for the values below')
      : undefined,
  ].filter((found) => found !== undefined);
  if (errors.length > 0) throw Problem.validation(errors);
  const values = { adminValues: [...new Set(adminValues)], memberValues: [...new Set(memberValues)] };
  return { issuer, clientId, emailDomains, defaultRole: defaultRole as GivenRole, roleClaim, ...values };
}

const error = (field: string, code: FieldCode, message: string): FieldError => ({ location: 'body', field, code, message });

function issuerError(issuer: string, isAllowed: (url: string) => boolean): FieldError | undefined {
  if (issuer.length > ISSUER_MAX) return error('issuer', 'too_long', `must have at most ${ISSUER_MAX} characters`);
  if (!/^https?:/i.test(issuer) || !URL.canParse(issuer)) return error('issuer', 'not_allowed', 'must be a URL that begins with https://');
  const { username, password, search, hash, pathname } = new URL(issuer);
  if (!isAllowed(issuer)) return error('issuer', 'not_allowed', 'must begin with https://');
  if (username !== '' || password !== '' || search !== '' || hash !== '' || /[?#]/.test(issuer))
    return error('issuer', 'not_allowed', 'must have no credentials, query or fragment');
  return pathname.includes('/.well-known/')
    ? error('issuer', 'not_allowed', 'must be the issuer alone, without /.well-known/openid-configuration')
    : undefined;
}

/** The stored secret is not sent to another issuer than the one that it is for. */
function secretError(secret: string | undefined, before: IdentityProvider | undefined, issuer: string): FieldError | undefined {
  if (secret !== undefined) return textError('clientSecret', secret, CLIENT_SECRET_MAX);
  if (!before) return error('clientSecret', 'required', 'is missing');
  return before.issuer === issuer ? undefined : error('clientSecret', 'required', 'is needed again for another issuer');
}

function textError(field: string, text: string, max: number): FieldError | undefined {
  if (text.trim() === '') return error(field, 'required', 'is missing');
  if (text.length > max) return error(field, 'too_long', `must have at most ${max} characters`);
  return isStorableText(text) ? undefined : error(field, 'invalid_text', 'must not contain NUL characters or lone surrogates');
}

function domainsError(domains: readonly string[]): FieldError | undefined {
  if (domains.length === 0) return error('emailDomains', 'required', 'needs at least one domain');
  if (domains.length > LIST_MAX) return error('emailDomains', 'too_many', `must have at most ${LIST_MAX} domains`);
  const wrong = domains.find((domain) => !DOMAIN.test(domain));
  return wrong === undefined
    ? undefined
    : error('emailDomains', 'not_allowed', `must be domains such as example.com, not ${wrong.slice(0, 100)}`);
}

function valuesError(field: string, values: readonly string[]): FieldError | undefined {
  if (values.length > LIST_MAX) return error(field, 'too_many', `must have at most ${LIST_MAX} values`);
  return values.map((value) => textError(field, value, VALUE_MAX)).find((found) => found !== undefined);
}

export const signInFirst = (): PageRefusal =>
  new PageRefusal('You may not do this', 'Sign in with your company’s account first: this shows that it works.');
