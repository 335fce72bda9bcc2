import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

/** Loaded with the first passkey: most processes never need it. */
const loadLibrary = () => import('@simplewebauthn/server');

/** EdDSA, ES256 and RS256: what devices have. */
const ALGORITHMS = [-8, -7, -257];

/** Where people sign in. */
export interface Site {
  readonly name: string;
  readonly origin: string;
}

/** A public key as it is kept, in base64url. */
export interface Key {
  readonly id: string;
  readonly publicKey: string;
  /** How often it was used, if the device counts. */
  readonly counter: number;
  /** How browsers reach it. */
  readonly transports: readonly string[];
}

interface NewPasskey {
  readonly site: Site;
  readonly challenge: string;
  /** What answers will name. */
  readonly account: string;
  readonly email: string;
  readonly name: string;
  readonly known: readonly Key[];
  readonly timeoutMs: number;
}

interface Asked {
  readonly site: Site;
  readonly challenge: string;
}

/** Whatever a browser has sent. */
export interface Answer {
  readonly id?: unknown;
  readonly response?: unknown;
}

/** What devices know a site by. */
export const siteId = ({ origin }: Pick<Site, 'origin'>): string => new URL(origin).hostname;

/** The options for `navigator.credentials.create`. */
export async function describeNew({ site, challenge, account, email, name, known, timeoutMs }: NewPasskey): Promise<object> {
  const { generateRegistrationOptions } = await loadLibrary();
  return generateRegistrationOptions({
    rpName: site.name,
    rpID: siteId(site),
    userID: Buffer.from(account),
    userName: email,
    userDisplayName: name,
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: timeoutMs,
    attestationType: 'none',
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports: [...transports] })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** The new key; undefined if the answer is not one to this challenge, for this site, by somebody who unlocked the device. */
export async function verifyNew(answer: Answer, { site, challenge }: Asked): Promise<Key | undefined> {
  const { verifyRegistrationResponse } = await loadLibrary();
  const verified = await orUndefined(() =>
    verifyRegistrationResponse({
      response: answer as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: siteId(site),
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (!verified?.registrationInfo) return undefined;
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports };
}

/** The counter of the key afterwards; undefined if the answer is not one of this key, as above, or its counter has gone back. */
export async function verifyAnswer(answer: Answer, { site, challenge, key }: Asked & { readonly key: Key }): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await loadLibrary();
  const { id, publicKey, counter } = key;
  const verified = await orUndefined(() =>
    verifyAuthenticationResponse({
      response: answer as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: siteId(site),
      requireUserVerification: true,
      credential: { id, publicKey: Buffer.from(publicKey, 'base64url'), counter },
    }),
  );
  return verified?.verified ? verified.authenticationInfo.newCounter : undefined;
}

/** By an error the library says what is wrong with an answer. */
async function orUndefined<Result>(verify: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}

/** The account that an answer names, before anything is proven; empty if it names none. */
export function accountIn({ response }: Answer): string {
  const { userHandle } = (response ?? {}) as { readonly userHandle?: unknown };
  return typeof userHandle === 'string' ? Buffer.from(userHandle, 'base64url').toString() : '';
}

export function answerIn(text: string): Answer {
  try {
    const sent = JSON.parse(text) as unknown;
    return typeof sent === 'object' && sent !== null ? sent : {};
  } catch {
    return {};
  }
}
