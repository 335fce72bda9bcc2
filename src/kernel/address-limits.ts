import { mergeLimits } from './merge-limits.js';
import { isTier, type Tier } from './plans.js';

/** Limits on what one caller without a credential may do, by address. An IPv6 caller is a network of /64. */
export const DEFAULT_ADDRESS_LIMITS = {
  /** `GET /oauth/authorize`, which stores a row for half an hour. One caller alone never reaches the cap on open requests. */
  authorize: { perMinute: 30, burst: 60 },
  /** `POST /oauth/par`, which stores a row for a minute. Servers push the requests of all their users. */
  pushed: { perMinute: 300, burst: 300 },
  /** Pages for people: sign-in, consent, invitations. */
  pages: { perMinute: 60, burst: 60 },
  /** Pages of the console. A person clicks through them, and a page may ask for news of a run. */
  console: { perMinute: 600, burst: 300 },
  /** Applications that register themselves. Each stores a row for a day. */
  registrations: { perMinute: 2, burst: 20 },
  /** Metadata documents that we fetch for callers. Those that are remembered do not count. */
  clientDocuments: { perMinute: 10, burst: 20 },
  /** Codes of devices that people enter, so that nobody can guess them. */
  userCodes: { perMinute: 10, burst: 20 },
  /** Documents that are the same for everyone. */
  documents: { perMinute: 600, burst: 300 },
  /** CORS preflights. Browsers send one for each kind of call. */
  preflights: { perMinute: 3000, burst: 1000 },
  /** Calls that were refused because of their credential. */
  failures: { perMinute: 60, burst: 60 },
} as const satisfies Record<string, Tier>;

export type AddressLimit = keyof typeof DEFAULT_ADDRESS_LIMITS;
export type AddressLimits = Readonly<Record<AddressLimit, Tier>>;

export const mergeAddressLimits = (value: unknown): AddressLimits =>
  mergeLimits<AddressLimits>(DEFAULT_ADDRESS_LIMITS, value, 'limits', (name, tier) =>
    isTier(tier) ? undefined : `holds a bad limit "${name}": {"perMinute": 1 or more, "burst": 1 or more} is expected`,
  );
