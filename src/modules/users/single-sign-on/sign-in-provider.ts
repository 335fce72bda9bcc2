import type { IncomingHttpHeaders } from 'node:http';
import type { Unit } from '../../../store/database/unit-of-work.js';
import type { GivenRole } from './identity-provider.entity.js';
import type { SignOnRefusal } from './sign-on-refusals.js';

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
