import { createHash } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { newId } from '../../src/kernel/ids.js';
import { anAddress } from './addresses.js';

export interface Key {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

export const aKey = (algorithm = 'ES256'): Promise<Key> => generateKeyPair(algorithm, { extractable: true });

interface WantedProof {
  token?: string;
  method?: string;
  url: string;
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
}

/** A proof of possession (RFC 9449), as a client writes it. */
export async function aProof(key: Key, { token, method = 'GET', url, claims, header }: WantedProof): Promise<string> {
  const ath = token && createHash('sha256').update(token).digest('base64url');
  const payload = { htm: method, htu: url, iat: Math.floor(Date.now() / 1000), jti: newId(), ...(ath && { ath }), ...claims };
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(key.publicKey), ...header })
    .sign(key.privateKey);
}

/** A call with a token and a proof; without a proof, none is sent. Failures are counted by address, so each comes from another one. */
export function prove(url: string, token: string, proof?: string, scheme = 'DPoP'): Promise<Response> {
  const headers = { 'x-forwarded-for': anAddress(), authorization: `${scheme} ${token}`, ...(proof !== undefined && { DPoP: proof }) };
  return fetch(url, { headers });
}
