import type { IncomingHttpHeaders } from 'node:http';
import type { Unit } from '../../../store/database/unit-of-work.js';
import type { GivenRole } from '../user.entity.js';
import { causesOf, ProviderUnusable, ProviderSilent } from './provider-client.js';

/** An organization whose people want to sign in. */
export interface SignInOrganization {
  readonly id: string;
  readonly slug: string;
}

/** Somebody whom a way of signing in vouches for, in the organization that the way is for. Who they are here is not its business. */
export interface Vouched {
  /** What vouches. A subject is the same person as long as the issuer is the same. */
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  readonly name?: string | undefined;
  /** undefined: the role is given in the console. Only people make owners. */
  readonly role?: GivenRole | undefined;
}

/** Where the browser goes. */
export interface Departure {
  readonly url: string;
  /** Comes back with the browser that has begun, which cannot read it: at most 1000 characters. */
  readonly kept: string;
}

/** The request of a browser that comes back. */
export interface ComingBack {
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly kept: string;
}

/** How the people of one organization sign in. */
export interface SignInWay {
  /** A sign-in that was begun while it was another one has expired. */
  readonly key: string;
  /** In lower case. People with other e-mail addresses are refused. */
  readonly emailDomains: readonly string[];
  /** What new users are if nothing says their role. */
  readonly defaultRole: GivenRole;
  /**
   * false: its people cannot sign in with a password, and those who have are signed out. A way is asked for this with each page that
   * they open, so let it answer from memory.
   */
  readonly allowsPasswords?: boolean;
  /** `returnTo` is the address that the browser comes back to, with any query. */
  begin(returnTo: string): Promise<Departure>;
  /** What it throws is shown and logged nowhere: the person reads that they were not confirmed. */
  finish(back: ComingBack): Promise<Vouched | SignOnRefusal>;
  /** Asked in the transaction that signs in, which it may make wait for changes. */
  stillHolds?(unit: Unit): Promise<boolean>;
}

/** A port: signs people in to the console otherwise than with a password. Those that owners set up themselves speak OpenID Connect. */
export abstract class SignInProvider {
  /** Begins the keys of its ways. */
  abstract readonly name: string;

  /** The way of an organization. undefined: its people do not sign in by this. Asked at both ends of a sign-in. */
  abstract wayOf(organization: SignInOrganization): Promise<SignInWay | undefined>;
}

/** Why a sign-in by an identity provider was refused: the reason in the audit log, and what the page says. */
export const SIGN_ON_REFUSALS = {
  expired: 'This sign-in has expired, or it was begun in another browser. Begin again.',
  provider_unreachable: 'The sign-in service of your company does not answer as it should. Try again in a few minutes, or tell an owner.',
  provider_refused: 'The sign-in service of your company did not confirm who you are. Try again, or tell an owner of your organization.',
  client_refused: 'The sign-in service of your company does not accept us: tell an owner that the client ID or its secret is wrong.',
  email_missing:
    'The sign-in service of your company did not say an e-mail address that can be used here. Tell an owner of your organization.',
  email_unverified:
    'The sign-in service of your company does not say that it has verified your e-mail address. Verify it there, or tell an owner: ' +
    'it has to send the claim email_verified.',
  domain_not_allowed: 'Your organization does not allow e-mail addresses of this domain. Use your company’s address, or tell an owner.',
  user_removed: 'Your access to this organization was removed. Ask an owner to invite you again.',
  other_subject:
    'Your e-mail address belongs to another account at the sign-in service of your company. Tell an owner of your organization.',
  too_many_members: 'Your organization has as many members as it can have. Tell an owner of your organization.',
} as const;

export type SignOnRefusal = keyof typeof SIGN_ON_REFUSALS;

/** Of a client id or secret that the provider does not accept. */
const CLIENT_REFUSED = ['invalid_client', 'unauthorized_client', 'OAUTH_WWW_AUTHENTICATE_CHALLENGE'];

/** Why a sign-in failed, without the words of the provider. */
export function reasonOf(error: unknown): SignOnRefusal {
  const causes = causesOf(error) as (Error & { readonly code?: string; readonly error?: string })[];
  if (causes.some((cause) => cause instanceof ProviderSilent || cause instanceof ProviderUnusable)) return 'provider_unreachable';
  return causes.some(({ code = '', error: said = '' }) => CLIENT_REFUSED.includes(said) || CLIENT_REFUSED.includes(code))
    ? 'client_refused'
    : 'provider_refused';
}
