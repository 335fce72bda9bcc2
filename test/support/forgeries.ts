import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { createHmac } from 'node:crypto';
import { newId } from '../../src/kernel/ids.js';
import type { TestApp } from './app.js';
import { anAssertion } from './assertions.js';
import { aKey, aProof, type Key } from './dpop.js';
import type { FapiPartner } from './fapi.js';

export type Target = 'token' | 'par' | 'api';

/** A right request, as the parts from which a wrong one is made. */
export interface Parts {
  readonly target: Target;
  readonly body: Record<string, string>;
  assertion: { claims: Record<string, unknown>; header: Record<string, unknown>; signer?: Key['privateKey'] };
  /** null: none. */
  proof: {
    claims: Record<string, unknown>;
    header: Record<string, unknown>;
    key: Key;
    method?: string;
    url?: string;
    token?: string;
  } | null;
  /** What is done to the texts before they are sent. */
  readonly after: { assertion: (jwt: string) => string; proof: (jwt: string) => string };
}

/** What a forger can know: public keys, another client and its key, and nonces of another service and of an hour ago. */
export interface Known {
  readonly app: TestApp;
  readonly owner: FapiPartner;
  readonly stranger: FapiPartner;
  readonly otherNonce: string;
  readonly oldNonce: string;
}

interface Forgery {
  readonly name: string;
  readonly of: readonly Target[];
  readonly make: (parts: Parts, known: Known) => void | Promise<void>;
}

const soon = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;
const text = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const payloadOf = (jwt: string): Record<string, unknown> => JSON.parse(Buffer.from(jwt.split('.')[1]!, 'base64url').toString()) as never;
const headerOf = (jwt: string): Record<string, unknown> => JSON.parse(Buffer.from(jwt.split('.')[0]!, 'base64url').toString()) as never;

/** Ways to spoil any JWT. */
const SPOILED: Readonly<Record<string, (jwt: string) => string>> = {
  'another signature': (jwt) =>
    jwt.replace(/\.(.{20})(.)([^.]+)$/, (_all, start: string, one: string, rest: string) => `.${start}${one === 'A' ? 'B' : 'A'}${rest}`),
  'no signature': (jwt) => jwt.replace(/[^.]+$/, ''),
  'the algorithm none': (jwt) => `${text({ ...headerOf(jwt), alg: 'none' })}.${jwt.split('.')[1]!}.`,
  'another payload': (jwt) => jwt.replace(/\.[^.]+\./, `.${text({ ...payloadOf(jwt), jti: newId() })}.`),
  'two of three parts': (jwt) => jwt.split('.').slice(0, 2).join('.'),
  'no JWT': () => 'eyJ',
  'a NUL and odd letters': (jwt) => `${jwt}\u00ff`,
};
const spoilt = (which: 'assertion' | 'proof', of: readonly Target[]): Forgery[] =>
  Object.entries(SPOILED).map(([name, spoil]) => ({ name: `${which}: ${name}`, of, make: (parts) => void (parts.after[which] = spoil) }));

const BY_APPLICATION = ['token', 'par'] as const;
const PROVED = ['token', 'api'] as const;
const EVERYWHERE = ['token', 'par', 'api'] as const;
const claim = (which: 'assertion' | 'proof', of: readonly Target[], name: string, valueOf: (known: Known) => unknown): Forgery => ({
  name: `${which}: ${name}`,
  of,
  make: (parts, known) => void (parts[which]!.claims = { ...parts[which]!.claims, [name.split(' ')[0]!]: valueOf(known) }),
});

const ASSERTIONS: readonly Forgery[] = [
  ...spoilt('assertion', BY_APPLICATION),
  claim('assertion', BY_APPLICATION, 'aud of the token endpoint', ({ app }) => `${app.url}/oauth/token`),
  claim('assertion', BY_APPLICATION, 'aud of the pushed requests', ({ app }) => `${app.url}/oauth/par`),
  claim('assertion', BY_APPLICATION, 'aud with another server', ({ app }) => [app.url, 'https://elsewhere.example']),
  claim('assertion', BY_APPLICATION, 'aud as a list', ({ app }) => [app.url]),
  claim('assertion', BY_APPLICATION, 'aud with a slash', ({ app }) => `${app.url}/`),
  claim('assertion', BY_APPLICATION, 'aud missing', () => undefined),
  claim('assertion', BY_APPLICATION, 'iss of another', ({ stranger }) => stranger.application.clientId),
  claim('assertion', BY_APPLICATION, 'sub of another', ({ stranger }) => stranger.application.clientId),
  claim('assertion', BY_APPLICATION, 'exp in the past', () => soon(-60)),
  claim('assertion', BY_APPLICATION, 'exp far away', () => soon(86_400)),
  claim('assertion', BY_APPLICATION, 'exp missing', () => undefined),
  claim('assertion', BY_APPLICATION, 'jti missing', () => undefined),
  claim('assertion', BY_APPLICATION, 'jti as a list', () => [newId()]),
  claim('assertion', BY_APPLICATION, 'nbf ahead', () => soon(90)),
  claim('assertion', BY_APPLICATION, 'iat ahead', () => soon(90)),
  {
    name: 'assertion: key of another',
    of: BY_APPLICATION,
    make: (parts, { stranger }) => void (parts.assertion.signer = stranger.key.privateKey),
  },
  { name: 'assertion: a new key', of: BY_APPLICATION, make: async (parts) => void (parts.assertion.signer = (await aKey()).privateKey) },
  { name: 'assertion: an unknown kid', of: BY_APPLICATION, make: (parts) => void (parts.assertion.header = { kid: newId() }) },
  {
    name: 'assertion: the public key as a shared secret',
    of: BY_APPLICATION,
    make: async (parts, { owner }) => {
      const secret = await exportSPKI(owner.key.publicKey);
      parts.after.assertion = (jwt) => {
        const signed = `${text({ alg: 'HS256' })}.${jwt.split('.')[1]!}`;
        return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
      };
    },
  },
];

const PROOFS: readonly Forgery[] = [
  ...spoilt('proof', EVERYWHERE),
  { name: 'proof: none', of: PROVED, make: (parts) => void (parts.proof = null) },
  claim('proof', EVERYWHERE, 'nonce missing', () => undefined),
  claim('proof', EVERYWHERE, 'nonce of another service', ({ otherNonce }) => otherNonce),
  claim('proof', EVERYWHERE, 'nonce of an hour ago', ({ oldNonce }) => oldNonce),
  claim('proof', EVERYWHERE, 'nonce made up', () => newId()),
  claim('proof', EVERYWHERE, 'nonce as a number', () => 7),
  claim('proof', EVERYWHERE, 'htm of another method', () => 'PUT'),
  claim('proof', EVERYWHERE, 'htm missing', () => undefined),
  claim('proof', EVERYWHERE, 'htu of another server', () => 'https://elsewhere.example/oauth/token'),
  claim('proof', EVERYWHERE, 'htu of another endpoint', ({ app }) => `${app.url}/oauth/revoke`),
  claim('proof', EVERYWHERE, 'htu missing', () => undefined),
  claim('proof', EVERYWHERE, 'jti missing', () => undefined),
  claim('proof', EVERYWHERE, 'iat missing', () => undefined),
  claim('proof', ['api'], 'iat in the past', () => soon(-90)),
  claim('proof', ['api'], 'iat ahead', () => soon(90)),
  claim('proof', ['api'], 'ath of another token', () => 'x'.repeat(43)),
  claim('proof', ['api'], 'ath missing', () => undefined),
  {
    name: 'proof: key of another',
    of: ['api'],
    make: (parts, { stranger }) => void (parts.proof = { ...parts.proof!, key: stranger.proofKey }),
  },
  { name: 'proof: another type', of: EVERYWHERE, make: (parts) => void (parts.proof!.header = { typ: 'jwt' }) },
  { name: 'proof: no key', of: EVERYWHERE, make: (parts) => void (parts.proof!.header = { jwk: undefined }) },
  {
    name: 'proof: another key in the header',
    of: EVERYWHERE,
    make: async (parts, { stranger }) => void (parts.proof!.header = { jwk: await exportJWK(stranger.proofKey.publicKey) }),
  },
  {
    name: 'proof: a private key in the header',
    of: EVERYWHERE,
    make: async (parts) => void (parts.proof!.header = { jwk: await exportJWK(parts.proof!.key.privateKey) }),
  },
  {
    name: 'proof: RS256',
    of: EVERYWHERE,
    make: async (parts) => {
      const { privateKey, publicKey } = await (rsa ??= generateKeyPair('RS256', { extractable: true }));
      const header = { alg: 'RS256', typ: 'dpop+jwt', jwk: await exportJWK(publicKey) };
      const signed = await new SignJWT(parts.proof!.claims).setProtectedHeader(header).sign(privateKey);
      parts.after.proof = () => signed;
    },
  },
];
let rsa: ReturnType<typeof generateKeyPair> | undefined;

export const FORGERIES: readonly Forgery[] = [...ASSERTIONS, ...PROOFS];

/** The request of these parts, as it is sent. A spoilt header that HTTP does not carry is sent without its odd letters. */
export async function requestOf({ app, owner }: Known, parts: Parts): Promise<Parameters<typeof fetch>> {
  const { target, proof, after } = parts;
  const path = { token: '/oauth/token', par: '/oauth/par', api: '/v1/claim-projects' }[target];
  const headers: Record<string, string> = {};
  if (proof)
    headers.DPoP = after.proof(await aProof(proof.key, { url: app.url + path, method: target === 'api' ? 'GET' : 'POST', ...proof }));
  if (target === 'api') return [app.url + path, { headers: { ...headers, authorization: `DPoP ${parts.body.token!}` } }];
  const sent = await anAssertion(app, owner, parts.assertion);
  const body = { client_id: owner.application.clientId, ...parts.body, ...sent, client_assertion: after.assertion(sent.client_assertion!) };
  return [app.url + path, { method: 'POST', headers, body: new URLSearchParams(body) }];
}
