import { createHmac, generateKeyPairSync } from 'node:crypto';
import type { JWK, Provider } from 'oidc-provider';
import type { Secrets } from '../../../store/secrets/secrets.js';
import { applicationOf } from '../applications/client-metadata.js';
import { isSecretOf, validSecretHashes } from '../applications/client-secret.js';
import { errorPage } from './error.page.js';
import { type Borrowed, makeBorrowingProvider } from './borrowed.js';
import { providerConfiguration, type ProviderDependencies } from './provider-configuration.js';

/** Makes the authorization server: oidc-provider, configured for this service. */
export function makeProvider({
  secrets,
  isFirstUse,
  ...dependencies
}: Pick<ProviderDependencies, 'issuer' | 'resources' | 'adapter' | 'isUserOf' | 'devices'> & {
  readonly secrets: Secrets;
  readonly isFirstUse: Borrowed['isFirstUse'];
}): Provider {
  const cookieKeys = secrets.keysFor('oauth cookies').map((key) => key.toString('base64url'));
  const successorKey = secrets.keysFor('oauth successors')[0]!;
  const configuration = providerConfiguration({ ...dependencies, cookieKeys, signingKey: unusedKey(), renderError: errorPage });
  return makeBorrowingProvider(dependencies.issuer, configuration, {
    compareClientSecret: (client, secret) => isSecretOf(secret, validSecretHashes(applicationOf(client), new Date())),
    // Derived from the token that is replaced: a client that lost the answer of a refresh gets the same token again.
    successorId: (rotatedId) => createHmac('sha256', successorKey).update(rotatedId).digest('base64url'),
    isFirstUse,
  });
}

/** oidc-provider requires a signing key. Nothing is ever signed, so each process can have its own. */
function unusedKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...(privateKey.export({ format: 'jwk' }) as JWK), use: 'sig', alg: 'ES256' as const };
}
