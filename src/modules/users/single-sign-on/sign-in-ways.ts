import { Injectable } from '@nestjs/common';
import { Ports } from '../../../store/discovery/ports.js';
import { OpenIdSignIn } from './open-id-sign-in.js';
import { ProviderUnusable, ProviderRequests } from './provider-client.js';
import { SignInProvider } from './sign-in-provider.js';
import type { ComingBack, Departure, SignInOrganization, SignInWay, Vouched, SignOnRefusal } from './sign-in-provider.js';

const KEPT_MAX = 1000;
/** For each step. A provider of OpenID Connect is asked three times at most, five seconds each. */
const WITHIN_MS = 20_000;

export interface NamedWay extends SignInWay {
  readonly provider: string;
}

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
    const { url, kept } = await inTime(way.begin(returnTo));
    const isHere = URL.canParse(url) && new URL(url).origin === new URL(returnTo).origin;
    if (!URL.canParse(url) || !/^https?:/.test(url) || !(isHere || this.requests.isAllowed(url)))
      throw new ProviderUnusable('its address does not begin with https://');
    if (kept.length > KEPT_MAX) throw new ProviderUnusable(`it keeps more than ${KEPT_MAX} characters`);
    return { url, kept };
  }

  finish(way: SignInWay, back: ComingBack): Promise<Vouched | SignOnRefusal> {
    return inTime(way.finish(back));
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
    const way = await inTime(provider.wayOf(organization));
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

async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ProviderUnusable('it takes too long')), WITHIN_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
