import { Injectable } from '@nestjs/common';
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { isObject, parsedJson } from '../../../../kernel/json.js';
import { jwkOf, type PublicKeys } from '../../applications/public-keys.js';
import { HOUR, MINUTE, refuse, RememberedDocuments } from './remembered-documents.js';

/** Of one set: it may have keys for others, too. */
const KEYS_MAX = 20;

/** Key sets at `jwks_uri`. A key that its application no longer publishes is no longer taken, so they are not kept for long. */
@Injectable()
export class KeyDocuments extends RememberedDocuments<PublicKeys> {
  protected readonly what = 'key set';
  protected readonly kept = { usual: 5 * MINUTE, most: 15 * MINUTE, whileAway: HOUR };

  /** Keys that are not for signatures, or for none that we verify, are left out. */
  protected read(_url: string, text: string): PublicKeys {
    const document = parsedJson(text, () => refuse('it is not JSON'));
    const list = isObject(document) ? document.keys : undefined;
    if (!Array.isArray(list) || list.length > KEYS_MAX) return refuse(`it is not a set of at most ${KEYS_MAX} JWKs`);
    const jwks = list.filter(isObject);
    if (jwks.some((jwk) => 'd' in jwk || 'k' in jwk)) refuse('it has a key that must be secret, and that everybody knows now');
    return { keys: jwks.filter(({ use = 'sig' }) => use === 'sig').flatMap(verifyingKey) };
  }
}

function verifyingKey(jwk: JsonWebKey): PublicKeys['keys'] {
  try {
    return [jwkOf(createPublicKey({ key: jwk, format: 'jwk' }), jwk.kid)];
  } catch {
    return [];
  }
}
