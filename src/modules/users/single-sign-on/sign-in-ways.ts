import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import type refusals from '../../../../codes/sign-on-refusals.json';
import { isEmail } from '../../../kernel/codes.js';
import { inTime } from '../../../kernel/in-time.js';
import { packageJson } from '../../../kernel/package-folder.js';
import { codePoints, isStorableText } from '../../../kernel/text.js';
import type { Unit } from '../../../store/database/unit-of-work.js';
import { Implements, Ports } from '../../../store/discovery/ports.js';
import { type GivenRole, type IdentityProvider, GIVEN_ROLES } from '../user.entity.js';
import { IdentityProvidersService } from './identity-providers.service.js';
import { causesOf, ProviderUnusable, ProviderSilent, ProviderClient, type Question, ProviderRequests } from './provider-client.js';
import { SingleSignOnRepository } from './single-sign-on.repository.js';

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
export const SIGN_ON_REFUSALS = packageJson<typeof refusals>('codes/sign-on-refusals.json');

export type SignOnRefusal = keyof typeof refusals;

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

@Implements(SignInProvider)
export class OpenIdSignIn implements SignInProvider {
  readonly name = 'openid';

  constructor(
    private readonly providers: IdentityProvidersService,
    private readonly client: ProviderClient,
    private readonly signOns: SingleSignOnRepository,
  ) {}

  async wayOf({ id }: SignInOrganization): Promise<SignInWay | undefined> {
    const provider = await this.providers.find(id);
    return provider && this.wayBy(provider);
  }

  private wayBy(provider: IdentityProvider): SignInWay {
    return {
      key: provider.id,
      emailDomains: provider.emailDomains,
      defaultRole: provider.defaultRole,
      begin: async () => {
        const { url, ...question } = await this.client.addressFor(provider);
        return { url, kept: JSON.stringify(question) };
      },
      finish: async ({ query, kept }) => {
        const claims = await this.client.claimsFor(provider, JSON.parse(kept) as Question, query.size === 0 ? '' : `?${query}`);
        return personIn(claims, provider);
      },
      stillHolds: (unit) => this.isStill(provider, unit),
    };
  }

  /** Locked: changes of the provider wait. */
  private async isStill({ id, organizationId, issuer, clientId }: IdentityProvider, unit: Unit): Promise<boolean> {
    const now = await this.signOns.lock(organizationId, unit);
    return now?.id === id && now.issuer === issuer && now.clientId === clientId;
  }
}

/** An e-mail address in its normal form. In full-width letters, for example, it would only look like somebody's. */
const isAddress = (email: string): boolean => isEmail(email) && isStorableText(email) && email === email.normalize('NFKC');

/** In lower case, as owners list domains. The Kelvin sign is no k. */
const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

const NAME_MAX = 200;
const TEXT_MAX = 255;
/** It serves the whole world: `hd` says whose account it is. Anybody may have one with an address of a company. */
const GOOGLE = 'https://accounts.google.com';

/** Somebody vouched for, after all that is checked of them. */
export type Person = Vouched;

type Rules = Pick<IdentityProvider, 'emailDomains' | 'defaultRole' | 'roleClaim' | 'adminValues' | 'memberValues'>;
type Claims = Readonly<Record<string, unknown>>;

export function personIn(claims: Claims, rules: Rules): Person | SignOnRefusal {
  const { iss, sub, hd, email_verified: isVerified } = claims;
  const email = typeof claims.email === 'string' ? claims.email.trim() : '';
  if (typeof iss !== 'string' || typeof sub !== 'string' || sub.length > TEXT_MAX || !isStorableText(sub)) return 'provider_refused';
  if (!isAddress(email)) return 'email_missing';
  // Some providers send it as text. What a provider does not say, it does not vouch for.
  if (isVerified !== true && isVerified !== 'true') return 'email_unverified';
  const domain = domainOf(email);
  const domains = iss === GOOGLE ? [domain, hd] : [domain];
  if (!domains.every((one) => rules.emailDomains.some((allowed) => allowed === one))) return 'domain_not_allowed';
  return { issuer: iss, subject: sub, email, name: nameIn(claims), role: roleIn(claims, rules) };
}

/** A claim without a value that is listed gives the default: a person who has left the admins there is none here. */
function roleIn(claims: Claims, { roleClaim, adminValues, memberValues, defaultRole }: Rules): GivenRole | undefined {
  if (roleClaim === null) return undefined;
  const values = [Object.hasOwn(claims, roleClaim) ? claims[roleClaim] : []].flat();
  if (values.some((value) => adminValues.includes(value as string))) return 'admin';
  return values.some((value) => memberValues.includes(value as string)) ? 'member' : defaultRole;
}

function nameIn({ name }: Claims): string | undefined {
  const trimmed = typeof name === 'string' ? name.trim() : '';
  return isName(trimmed) ? trimmed : undefined;
}

/** What holds for everybody, whatever vouches for them. Extensions are programs, too, so nothing is taken for granted. */
export function personOf({ issuer, subject, email, name, role }: Vouched, way: SignInWay): Person | SignOnRefusal {
  if (![issuer, subject].every(isShortText)) return 'provider_refused';
  if (role !== undefined && !GIVEN_ROLES.includes(role)) return 'provider_refused';
  if (typeof email !== 'string' || !isAddress(email)) return 'email_missing';
  if (!way.emailDomains.includes(domainOf(email))) return 'domain_not_allowed';
  return { issuer, subject, email, name: isName(name) ? name : undefined, role };
}

const isShortText = (text: unknown): boolean => typeof text === 'string' && text !== '' && text.length <= TEXT_MAX && isStorableText(text);

const isName = (name: unknown): boolean =>
  typeof name === 'string' && name.trim() !== '' && codePoints(name) <= NAME_MAX && isStorableText(name);

const KEPT_MAX = 1000;
/** For each step. A provider of OpenID Connect is asked three times at most, five seconds each. */
const WITHIN_MS = 20_000;

export type NamedWay = SignInWay & { readonly provider: string };

@Injectable()
export class SignInWays {
  constructor(
    private readonly ports: Ports,
    private readonly requests: ProviderRequests,
  ) {}

  /** What an extension has for the organization comes before what its owners have set up. */
  async find(organization: SignInOrganization): Promise<SignInWay | undefined> {
    return (await this.ofExtensions(organization)) ?? (await findFirst(this.own, organization));
  }

  ofExtensions(organization: SignInOrganization): Promise<NamedWay | undefined> {
    return findFirst(this.extensions, organization);
  }

  get hasExtensions(): boolean {
    return this.extensions.length > 0;
  }

  async begin(way: SignInWay, returnTo: string): Promise<Departure> {
    const { url, kept } = await soon(way.begin(returnTo));
    const isHere = URL.canParse(url) && new URL(url).origin === new URL(returnTo).origin;
    if (!URL.canParse(url) || !/^https?:/.test(url) || !(isHere || this.requests.isAllowed(url)))
      throw new ProviderUnusable('its address does not begin with https://');
    if (kept.length > KEPT_MAX) throw new ProviderUnusable(`it keeps more than ${KEPT_MAX} characters`);
    return { url, kept };
  }

  finish(way: SignInWay, back: ComingBack): Promise<Vouched | SignOnRefusal> {
    return soon(way.finish(back));
  }

  private get extensions(): SignInProvider[] {
    return this.ports.all(SignInProvider).filter((provider) => !(provider instanceof OpenIdSignIn));
  }

  private get own(): SignInProvider[] {
    return this.ports.all(SignInProvider).filter((provider) => provider instanceof OpenIdSignIn);
  }
}

async function findFirst(providers: readonly SignInProvider[], organization: SignInOrganization): Promise<NamedWay | undefined> {
  for (const provider of providers) {
    const way = await soon(provider.wayOf(organization));
    if (way) return named(way, provider.name);
  }
  return undefined;
}

/** The same way under a key that begins with the name of its provider. */
const named = (way: SignInWay, provider: string): NamedWay => ({
  provider,
  key: `${provider} ${way.key}`,
  emailDomains: way.emailDomains,
  defaultRole: way.defaultRole,
  allowsPasswords: way.allowsPasswords,
  begin: (returnTo) => way.begin(returnTo),
  finish: (back) => way.finish(back),
  ...(way.stillHolds && { stillHolds: (unit) => way.stillHolds!(unit) }),
});

const soon = <T>(answer: Promise<T>): Promise<T> => inTime(answer, WITHIN_MS, () => new ProviderUnusable('it takes too long'));
