import { createHmac, generateKeyPairSync } from 'node:crypto';
import { decodeProtectedHeader } from 'jose';
import { errors, Provider, type Adapter, type JWK, type Client, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import type { Secrets } from '../../../store/secrets/secrets.js';
import { applicationOf, isSecretOf, validSecretHashes, isRegisteredRedirect } from '../applications/client-metadata.js';
import type { Caller } from '../shared/connections/connections.service.js';
import { ClientDocumentRefused } from '../shared/documents/remembered-documents.js';
import type { OAuthStorage } from '../storage/oauth-storage.js';
import { nonceSecrets } from '../proofs/proof-nonces.js';
import { errorPage } from './error.page.js';
import { renameParameters } from './fresh-sign-in.js';
import { providerConfiguration, type ProviderDependencies } from './provider-configuration.js';

export function makeProvider({
  secrets,
  storage,
  ...dependencies
}: Pick<ProviderDependencies, 'issuer' | 'resources' | 'accounts' | 'devices' | 'takesOldAudiences'> & {
  readonly secrets: Secrets;
  readonly storage: OAuthStorage;
}): Provider {
  const cookieKeys = secrets.keysFor('oauth cookies').map((key) => key.toString('base64url'));
  const successorKey = secrets.keysFor('oauth successors')[0]!;
  const adapter = (kind: string): Adapter => explained(storage.adapterFor(kind, () => callerOf(Provider.ctx)));
  const configuration = providerConfiguration({
    ...dependencies,
    ...{ adapter, cookieKeys, nonceSecret: nonceSecrets(secrets)[0]!, signingKey: unusedKey(), renderError: errorPage },
  });
  return makeBorrowingProvider(dependencies.issuer, configuration, {
    compareClientSecret: (client, secret) => isSecretOf(secret, validSecretHashes(applicationOf(client), new Date())),
    isRedirectAllowed: (client, address) => isRegisteredRedirect(address, client.redirectUris ?? []),
    // Derived from the token that is replaced: a client that lost the answer of a refresh gets the same token again.
    successorId: (rotatedId) => createHmac('sha256', successorKey).update(rotatedId).digest('base64url'),
    isFirstUse: (...use) => storage.isFirstUse(...use),
  });
}

/** `kid` is in no place of the library's: nothing of an assertion is known to be true before it finds the application. */
function callerOf(ctx: KoaContextWithOIDC | undefined): Caller {
  const sent = ctx?.oidc.params?.client_assertion;
  return { address: ctx?.ip ?? '', assertion: typeof sent === 'string' ? { kid: kidOf(sent) } : undefined };
}

function kidOf(assertion: string): unknown {
  try {
    return decodeProtectedHeader(assertion).kid;
  } catch {
    return undefined;
  }
}

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

/** What oidc-provider does not promise. If an upgrade takes it away, no provider is made, and borrowed.spec.ts says what is missing. */
export interface Borrowed {
  /** Compares a client's secret, in place of the comparison with a stored plain text. */
  readonly compareClientSecret: (client: Client, secret: string) => boolean;
  /** Whether an answer may be sent to this address, in place of the comparison with the registered addresses. */
  readonly isRedirectAllowed: (client: Client, address: string) => boolean;
  /** The id of the refresh token that replaces another one, in place of a random id. */
  readonly successorId: (rotatedId: string) => string;
  /** Whether an application uses a `jti` for the first time, in place of a look-up and a write that two requests could do at once. */
  readonly isFirstUse: (clientId: string, jti: string, expiresInSeconds: number) => Promise<boolean>;
}

export function makeBorrowingProvider(issuer: string, configuration: Configuration, borrowed: Borrowed): Provider {
  const provider = new QueryOnlyProvider(issuer, configuration);
  // Properties of Koa. `proxy` trusts the X-Forwarded headers, which our controller sets; `silent` leaves errors to our own log.
  Object.assign(provider, { proxy: true, silent: true });
  replaceComparison(provider, 'compareClientSecret', borrowed.compareClientSecret);
  // The library ignores the ports of loopback addresses for native applications only.
  replaceComparison(provider, 'redirectUriAllowed', borrowed.isRedirectAllowed);
  replaceSuccessorIds(provider, borrowed.successorId);
  replaceReplayCheck(provider, borrowed.isFirstUse);
  renameParameters(provider);
  return provider;
}

/**
 * `registerResponseMode` is called by the constructor for each response mode of the library. Codes and errors go back in the
 * query only: fragments stay in browser histories, and `form_post` needs a script. A request for a token would get its error
 * in the fragment; it gets it in the query, too.
 */
class QueryOnlyProvider extends Provider {
  override registerResponseMode(...[name, handler]: Parameters<Provider['registerResponseMode']>): void {
    if (name !== 'query') return;
    for (const mode of ['query', 'fragment']) super.registerResponseMode(mode, handler);
  }
}

function replaceComparison({ Client }: Provider, name: string, compare: (client: Client, text: string) => boolean): void {
  methodOf(Client.prototype, `Client.prototype.${name}`);
  const compared = function (this: Client, text: string): boolean {
    return compare(this, text);
  };
  Object.assign(Client.prototype, { [name]: compared });
}

/** `RefreshToken.prototype.generateTokenId`, `Provider.ctx` and its entity `RotatedRefreshToken`. */
function replaceSuccessorIds({ RefreshToken }: Provider, successorId: Borrowed['successorId']): void {
  const original = methodOf(RefreshToken.prototype, 'RefreshToken.prototype.generateTokenId');
  if (!('ctx' in Provider)) throw missing('Provider.ctx');
  const generateTokenId = function (this: object): string {
    const rotated = Provider.ctx?.oidc.entities.RotatedRefreshToken;
    return rotated ? successorId(rotated.jti) : (original.call(this) as string);
  };
  Object.assign(RefreshToken.prototype, { generateTokenId });
}

/** `ReplayDetection.unique`. */
function replaceReplayCheck({ ReplayDetection }: Provider, isFirstUse: Borrowed['isFirstUse']): void {
  methodOf(ReplayDetection, 'ReplayDetection.unique');
  const unique = (clientId: string, jti: string, expiresAt: number): Promise<boolean> =>
    isFirstUse(clientId, jti, Math.ceil(expiresAt - Date.now() / 1000));
  Object.assign(ReplayDetection, { unique });
}

function methodOf(prototype: object, name: string): (this: object) => unknown {
  const method = (prototype as Record<string, unknown>)[name.split('.').at(-1)!];
  if (typeof method !== 'function') throw missing(name);
  return method as (this: object) => unknown;
}

const missing = (name: string): Error => new Error(`oidc-provider no longer has ${name}, which provider/borrowed.ts replaces.`);
