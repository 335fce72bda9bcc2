import { exportSPKI } from 'jose';
import { newId } from '../../src/kernel/ids.js';
import type { TestApp } from './app.js';
import { anAssertion, askWith } from './assertions.js';
import { aKey, aProof, type Key } from './dpop.js';
import { aPartner, authorizeUrl, aVerifier, Browser, CALLBACK, challengeOf, decide } from './oauth.js';

type WantedPartner = NonNullable<Parameters<typeof aPartner>[1]>;

/** An organization with a user and an application of the FAPI 2.0 profile, its key for assertions, and another one for proofs. */
export async function aFapiPartner(app: TestApp, { algorithm = 'ES256', ...wanted }: WantedPartner & { algorithm?: string } = {}) {
  const key = await aKey(algorithm);
  const partner = await aPartner(app, {
    plan: 'enterprise',
    securityRules: ['fapi2'],
    publicKeys: await exportSPKI(key.publicKey),
    ...wanted,
  });
  return { ...partner, key, algorithm, proofKey: await aKey() };
}

export type FapiPartner = Awaited<ReturnType<typeof aFapiPartner>>;
type WantedAssertion = Parameters<typeof anAssertion>[2];
interface Wanted {
  readonly assertion?: WantedAssertion;
  /** Of the proof. null: none. Left out: one with a nonce of ours. */
  readonly proof?: Record<string, unknown> | null;
  readonly proofKey?: Key;
}

/** A nonce, as a client gets it: by a proof that has none. */
export async function aNonce(app: TestApp, partner: FapiPartner): Promise<string> {
  const { headers } = await send(app, partner, { grant_type: 'client_credentials' }, { proof: {} });
  return headers.get('dpop-nonce')!;
}

/** A request of the application, by its assertion and with a proof. */
export async function send(app: TestApp, partner: FapiPartner, body: Record<string, string>, wanted: Wanted = {}, path = '/oauth/token') {
  const { assertion, proofKey = partner.proofKey } = wanted;
  const claims = wanted.proof === undefined ? { nonce: await aNonce(app, partner) } : wanted.proof;
  const proof = claims && (await aProof(proofKey, { method: 'POST', url: app.url + path, claims }));
  return askWith(
    app,
    partner.application,
    { ...body, ...(await anAssertion(app, partner, assertion)) },
    path,
    proof ? { DPoP: proof } : {},
  );
}

export const parametersOf = (app: TestApp, partner: FapiPartner, wanted: Record<string, string | undefined> = {}) =>
  Object.fromEntries(new URL(authorizeUrl(app.url, partner, wanted)).searchParams);

export const push = (app: TestApp, partner: FapiPartner, wanted: Record<string, string | undefined> = {}, sent: Wanted = { proof: null }) =>
  send(app, partner, parametersOf(app, partner, wanted), sent, '/oauth/par');

/** From the pushed request to a code, and what it is exchanged with. */
export async function aCode(app: TestApp, partner: FapiPartner, wanted: Record<string, string> = {}) {
  const verifier = aVerifier();
  const { body, text } = await push(app, partner, { code_challenge: challengeOf(verifier), ...wanted });
  if (body.request_uri === undefined) throw new Error(text);
  const address = new URL('/oauth/authorize', app.url);
  address.search = new URLSearchParams({ client_id: partner.application.clientId, request_uri: body.request_uri }).toString();
  const { url } = await decide(new Browser(app.url), address.href, partner);
  return {
    answer: url.searchParams,
    exchange: { grant_type: 'authorization_code', code: url.searchParams.get('code')!, redirect_uri: CALLBACK, code_verifier: verifier },
  };
}

/** A call of the API with a bound token, from the address of its own. */
export async function callWith(
  app: TestApp,
  token: string,
  key: Key,
  { claims, path = '/v1/claim-projects' }: { claims?: Record<string, unknown>; path?: string } = {},
): Promise<Response> {
  const proof = await aProof(key, { token, url: app.url + path, claims: { jti: newId(), ...claims } });
  return fetch(app.url + path, { headers: { authorization: `DPoP ${token}`, DPoP: proof } });
}
