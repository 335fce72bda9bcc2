import { createHmac, generateKeyPairSync } from 'node:crypto';
import { errors, Provider, type Adapter, type JWK } from 'oidc-provider';
import type { Secrets } from '../../../store/secrets/secrets.js';
import { applicationOf } from '../applications/client-metadata.js';
import { isSecretOf, validSecretHashes } from '../applications/client-secret.js';
import { isRegisteredRedirect } from '../applications/redirect-addresses.js';
import { ClientDocumentRefused } from '../shared/documents/client-documents.js';
import type { OAuthStorage } from '../storage/oauth-storage.js';
import { errorPage } from './error.page.js';
import { makeBorrowingProvider } from './borrowed.js';
import { providerConfiguration, type ProviderDependencies } from './provider-configuration.js';

/** Makes the authorization server: oidc-provider, configured for this service. */
export function makeProvider({
  secrets,
  storage,
  ...dependencies
}: Pick<ProviderDependencies, 'issuer' | 'resources' | 'accounts' | 'devices'> & {
  readonly secrets: Secrets;
  readonly storage: OAuthStorage;
}): Provider {
  const cookieKeys = secrets.keysFor('oauth cookies').map((key) => key.toString('base64url'));
  const successorKey = secrets.keysFor('oauth successors')[0]!;
  const adapter = (kind: string): Adapter => explained(storage.adapterFor(kind, () => Provider.ctx?.ip ?? ''));
  const configuration = providerConfiguration({ ...dependencies, adapter, cookieKeys, signingKey: unusedKey(), renderError: errorPage });
  return makeBorrowingProvider(dependencies.issuer, configuration, {
    compareClientSecret: (client, secret) => isSecretOf(secret, validSecretHashes(applicationOf(client), new Date())),
    isRedirectAllowed: (client, address) => isRegisteredRedirect(address, client.redirectUris ?? []),
    // Derived from the token that is replaced: a client that lost the answer of a refresh gets the same token again.
    successorId: (rotatedId) => createHmac('sha256', successorKey).update(rotatedId).digest('base64url'),
    isFirstUse: (...use) => storage.isFirstUse(...use),
  });
}

/** Tells callers why the metadata document of their application was refused. */
function explained(adapter: Adapter): Adapter {
  const find = adapter.find.bind(adapter);
  adapter.find = async (id) => {
    try {
      return await find(id);
    } catch (error) {
      if (!(error instanceof ClientDocumentRefused)) throw error;
      throw error.isTemporary ? new errors.TemporarilyUnavailable(error.message) : new errors.InvalidClient(error.message);
    }
  };
  return adapter;
}

/** oidc-provider requires a signing key. Nothing is ever signed, so each process can have its own. */
function unusedKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...(privateKey.export({ format: 'jwk' }) as JWK), use: 'sig', alg: 'ES256' as const };
}
