import { createHmac, generateKeyPairSync } from 'node:crypto';
import { Provider, type Client, type JWK } from 'oidc-provider';
import type { Secrets } from '../../../store/secrets/secrets.js';
import { applicationOf } from '../applications/client-metadata.js';
import { isSecretOf, secretsInForce } from '../applications/client-secret.js';
import { errorPage } from '../interactions/error.page.js';
import { providerConfiguration, type Surroundings } from './provider-configuration.js';

/** The certified authorization server, as this service needs it. */
export function makeProvider({
  secrets,
  ...around
}: Pick<Surroundings, 'settings' | 'adapter' | 'isUserOf'> & { readonly secrets: Secrets }): Provider {
  const cookieKeys = secrets.keysFor('oauth cookies').map((key) => key.toString('base64url'));
  const provider = new QueryOnlyProvider(
    around.settings.publicUrl,
    providerConfiguration({ ...around, cookieKeys, signingKey: unusedKey(), renderError: errorPage }),
  );
  // Behind proxies, too, it is reached at the address that the settings name, which `takeOver` has written into the request.
  Object.assign(provider, { proxy: true, silent: true });
  Object.assign(provider.Client.prototype, { compareClientSecret: compareSecret });
  keepSuccessors(provider, secrets.keysFor('oauth successors')[0]!);
  return provider;
}

/**
 * Codes and errors go back in the query: a fragment stays in histories, and a page that posts them needs a script. An error
 * of a request for a token would go back in a fragment; it does not, either.
 */
class QueryOnlyProvider extends Provider {
  override registerResponseMode(...[name, handler]: Parameters<Provider['registerResponseMode']>): void {
    if (name !== 'query') return;
    for (const mode of ['query', 'fragment']) super.registerResponseMode(mode, handler);
  }
}

/** Secrets are kept as hashes. */
function compareSecret(this: Client, secret: string): boolean {
  return isSecretOf(secret, secretsInForce(applicationOf(this), new Date()));
}

/** The successor of a refresh token follows from it, so that a rotation whose answer was lost gives the same once more. */
function keepSuccessors(provider: Provider, key: Buffer): void {
  const { RefreshToken } = provider;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with its object below
  const { generateTokenId } = RefreshToken.prototype as unknown as { generateTokenId(): string };
  const successorOrNew = function (this: object): string {
    const rotated = Provider.ctx?.oidc.entities.RotatedRefreshToken;
    return rotated ? createHmac('sha256', key).update(rotated.jti).digest('base64url') : generateTokenId.call(this);
  };
  Object.assign(RefreshToken.prototype, { generateTokenId: successorOrNew });
}

/** The server wants a key to sign with. Nothing is ever signed, so it need be nobody's but this process's. */
function unusedKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...(privateKey.export({ format: 'jwk' }) as JWK), use: 'sig', alg: 'ES256' as const };
}
