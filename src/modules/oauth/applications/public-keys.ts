import { createHash, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { Problem } from '../../../kernel/problems.js';

/** As many as a rotation needs, and some more. */
const KEYS_MAX = 5;
const KID_MAX_LENGTH = 200;
const RSA_BITS = { min: 2048, max: 4096 };

/** A JSON Web Key Set (RFC 7517): the public keys with which the assertions of an application are verified. */
export interface PublicKeys {
  readonly keys: readonly (JsonWebKey & { readonly kid: string })[];
}

export function readPublicKeys(text: string): PublicKeys {
  const keys = text.trimStart().startsWith('{') ? keysOfJson(text) : [keyOfPem(text)];
  if (keys.length === 0 || keys.length > KEYS_MAX) throw invalid(`must have 1 to ${KEYS_MAX} keys`);
  if (new Set(keys.map(({ kid }) => kid)).size < keys.length) throw invalid('has two keys with the same kid');
  return { keys };
}

function keyOfPem(text: string) {
  // Node would make the public key of it.
  if (text.includes('PRIVATE KEY')) throw privateKey();
  return jwkOf(readKey(() => createPublicKey(text)));
}

function keysOfJson(text: string) {
  const document = readKey(() => JSON.parse(text) as JsonWebKey & { keys?: unknown });
  const list = 'keys' in document ? document.keys : [document];
  if (!Array.isArray(list)) throw invalid('must be a set of JWKs: {"keys": […]}');
  return list.map((jwk: JsonWebKey) => {
    if (typeof jwk !== 'object' || jwk === null) throw invalid('must be a set of JWKs: {"keys": […]}');
    if ('d' in jwk || 'k' in jwk) throw privateKey();
    const key = readKey(() => createPublicKey({ key: jwk, format: 'jwk' }));
    return jwkOf(key, jwk.kid);
  });
}

/** Without a `kid` of its own, a key has its thumbprint (RFC 7638). Throws for a key that no assertion is verified with. */
export function jwkOf(key: KeyObject, kid?: unknown) {
  requireKnownAlgorithm(key);
  const members = key.export({ format: 'jwk' });
  const canonical = JSON.stringify(Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1))));
  const own = typeof kid === 'string' && kid !== '' && kid.length <= KID_MAX_LENGTH ? kid : undefined;
  return { ...members, kid: own ?? createHash('sha256').update(canonical).digest('base64url') };
}

function requireKnownAlgorithm({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): void {
  const bits = details?.modulusLength ?? 0;
  const isKnown =
    type === 'ed25519' ||
    (type === 'ec' && details?.namedCurve === 'prime256v1') ||
    (type === 'rsa' && bits >= RSA_BITS.min && bits <= RSA_BITS.max);
  if (!isKnown) throw invalid(`must be for ES256 (P-256), Ed25519, or RSA with ${RSA_BITS.min} to ${RSA_BITS.max} bits`);
}

function readKey<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw invalid('must be a public key in PEM, a JWK, or a set of JWKs');
  }
}

const privateKey = (): Problem => invalid('is a private key. Keep it secret, and give its public key');
const invalid = (message: string): Problem => Problem.invalidField('publicKeys', 'not_allowed', message);
