import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AdapterPayload, Client } from 'oidc-provider';
import { CLAIM_PROJECTS } from '../provider/asked-projects.js';
import { type Application, GRANT_NAMES, isBoundBy, SECURITY_RULES } from './application.entity.js';
import type { PublicKeys } from './public-keys.js';
import { isReverseDomain } from '../../../kernel/settings/client-settings.js';
import { codePoints, isStorableText } from '../../../kernel/text.js';

const CLIENT_ID_BYTES = 15;
const SECRET_BYTES = 32;

/** A client id is public. */
export const makeClientId = (): string => `app_${randomBytes(CLIENT_ID_BYTES).toString('base64url')}`;
export const isClientId = (text: string): boolean => /^app_[\w-]{20}$/.test(text);
export const makeClientSecret = (): string => `cs_${randomBytes(SECRET_BYTES).toString('base64url')}`;

/** A fast hash is enough, because secrets are random and not chosen by people. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Whether the secret has one of these hashes. Takes equally long for each of them. */
export function isSecretOf(secret: string, hashes: readonly Buffer[]): boolean {
  const given = hashSecret(secret);
  return hashes.reduce((found, hash) => timingSafeEqual(given, hash) || found, false);
}

type StoredSecrets = Pick<Application, 'secretHash' | 'previousSecretHash' | 'previousSecretExpiresAt'>;

export function validSecretHashes({ secretHash, previousSecretHash, previousSecretExpiresAt }: StoredSecrets, now: Date): Buffer[] {
  const isOverlap = previousSecretExpiresAt !== null && now < new Date(previousSecretExpiresAt);
  return [secretHash, isOverlap ? previousSecretHash : null].filter((hash) => hash !== null);
}

/** oidc-provider requires a value for confidential clients. It is not used: secrets are compared by their hashes. */
const SECRET_IS_HASHED = 'stored as a hash';

/** `keys`: those it registered or publishes, if it has any. */
export function clientMetadata(application: Application, keys: PublicKeys | null): AdapterPayload {
  const { grants } = application;
  const isByBrowser = grants.includes('authorization_code');
  const isByUsers = isByBrowser || grants.includes('device_code');
  return {
    ...describedMetadata(application),
    ...authenticationOf(application, keys),
    grant_types: [...grants.map((grant) => GRANT_NAMES[grant]), ...(isByUsers ? ['refresh_token'] : [])],
    response_types: isByBrowser ? ['code'] : [],
    application,
  };
}

/** What is said alike of those of one organization and of those that serve all. */
const describedMetadata = ({ clientId, name, redirectUris, ...bound }: SharedClient | Application): AdapterPayload => ({
  client_id: clientId,
  client_name: name,
  ...ruleMetadata(bound),
  response_modes: ['query'],
  authorization_details_types: [CLAIM_PROJECTS],
  redirect_uris: [...redirectUris],
  application_type: redirectUris.some(isAppScheme) ? 'native' : 'web',
});

function authenticationOf({ isPublic }: Application, keys: PublicKeys | null): Partial<AdapterPayload> {
  if (isPublic) return { token_endpoint_auth_method: 'none' };
  if (keys) return { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [...keys.keys] } };
  return { token_endpoint_auth_method: 'client_secret_basic', client_secret: SECRET_IS_HASHED };
}

/** The rules that the library obeys, and that applications name in their metadata. */
const METADATA_RULES = SECURITY_RULES.filter((rule) => rule !== 'fapi2');
const ruleMetadata = (bound: Pick<Application, 'securityRules'>): Partial<AdapterPayload> =>
  Object.fromEntries(METADATA_RULES.map((rule) => [rule, isBoundBy(bound, rule)]));

/** Whether a client is bound to the FAPI 2.0 Security Profile. No client: a request that names none. */
export const isFapi2 = (client: Client | undefined): boolean =>
  (client?.application as Application | undefined)?.securityRules.includes('fapi2') ?? false;

/** The application of one organization behind an oidc-provider client. It is not there for one that every organization can connect. */
export const applicationOf = (client: Client): Application => client.application as Application;

const MAX_LENGTH = 2048;
export const REDIRECTS_MAX = 20;
/** Hosts of the user's own machine. RFC 8252 prefers the addresses to `localhost`, but most clients use `localhost`. */
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];
/** A loopback address in two parts: before and after the port. */
const LOOPBACK_ADDRESS = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?((?:[/?].*)?)$/;

type RedirectRules = Readonly<Pick<Application, 'isPublic' | 'environment'>> & { readonly schemes: readonly string[] };

/** What is wrong with a redirect address, to follow its name in a sentence; undefined if nothing is. */
export function redirectProblem(address: string, { isPublic, environment, schemes }: RedirectRules): string | undefined {
  // The URL parser would ignore white space.
  if (address.length > MAX_LENGTH || !/^[\x21-\x7e]+$/.test(address) || !URL.canParse(address))
    return `is not a valid URL of at most ${MAX_LENGTH} characters`;
  const { protocol, hostname, username, password } = new URL(address);
  // Also an empty fragment, which the URL parser does not show.
  if (address.includes('#') || username !== '' || password !== '') return 'must not have a fragment or credentials';
  if (protocol === 'https:') return undefined;
  if (protocol === 'http:')
    return LOOPBACK.includes(hostname) || environment === 'test'
      ? undefined
      : 'must be https. http is allowed for localhost and for test applications';
  const scheme = protocol.slice(0, -1);
  if (!isReverseDomain(scheme) && !schemes.includes(scheme))
    return 'must be https, or have a scheme that is a domain in reverse (com.example.app) or one that this service lists';
  return isPublic ? undefined : 'has a scheme of an app on a device, which only public applications can have';
}

/** Whether an answer may be sent to this address. Apps on a machine listen on whatever port is free (RFC 8252), all else must be equal. */
export function isRegisteredRedirect(address: string, registered: readonly string[]): boolean {
  if (registered.includes(address)) return true;
  const wanted = withoutPort(address);
  return wanted !== undefined && URL.canParse(address) && registered.some((other) => withoutPort(other) === wanted);
}

/** Whether only an app on the user's device can receive an answer there. */
export const isAppScheme = (address: string): boolean => !/^https?:/.test(address);

function withoutPort(address: string): string | undefined {
  const [, host, rest] = LOOPBACK_ADDRESS.exec(address) ?? [];
  return host === undefined ? undefined : host + rest!;
}

export function destinationOf(address: string): string {
  const { origin, protocol, host } = new URL(address);
  if (isAppScheme(address)) return `an app on this device (${protocol}//${host})`;
  return LOOPBACK_ADDRESS.test(address) ? `an app on this computer (${origin})` : origin;
}

const NAME_MAX = 200;

/** A public application that every organization can connect. Nobody has verified its name unless the operator has listed it. */
export interface SharedClient extends Pick<Application, 'securityRules'> {
  readonly clientId: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** The host that publishes its metadata document: the one thing about it that nobody else can claim. */
  readonly host: string | null;
  readonly isListed: boolean;
}

/** What an application says about itself, in the names of RFC 7591. */
type ClientMetadata = Pick<SharedClient, 'redirectUris' | 'securityRules'> & { readonly name: string | undefined };

/** Why what an application says about itself cannot be accepted. `code` is one of RFC 7591. */
export class ClientMetadataRefused extends Error {
  constructor(
    readonly code: 'invalid_redirect_uri' | 'invalid_client_metadata',
    message: string,
  ) {
    super(message);
  }
}

/** Reads what we need of an application's metadata. All else is ignored, as the RFC wants it. */
export function readClientMetadata(document: Readonly<Record<string, unknown>>, schemes: readonly string[]): ClientMetadata {
  const { client_name: name, redirect_uris: uris, grant_types: grants, response_types: responses } = document;
  if (name !== undefined && !isName(name))
    throw new ClientMetadataRefused('invalid_client_metadata', `client_name must be a text of 1 to ${NAME_MAX} visible characters`);
  requireIncluded('grant_types', grants, 'authorization_code');
  requireIncluded('response_types', responses, 'code');
  if (!isTextList(uris) || uris.length === 0 || uris.length > REDIRECTS_MAX)
    throw new ClientMetadataRefused('invalid_redirect_uri', `redirect_uris must be a list of 1 to ${REDIRECTS_MAX} addresses`);
  for (const uri of uris) {
    const problem = redirectProblem(uri, { isPublic: true, environment: 'live', schemes });
    if (problem !== undefined) throw new ClientMetadataRefused('invalid_redirect_uri', `redirect_uris holds ${uri}, which ${problem}`);
  }
  return { name: name?.trim(), redirectUris: [...new Set(uris)], securityRules: METADATA_RULES.filter((rule) => flagIn(document, rule)) };
}

function flagIn(document: Readonly<Record<string, unknown>>, field: string): boolean {
  const { [field]: value = false } = document;
  if (typeof value !== 'boolean') throw new ClientMetadataRefused('invalid_client_metadata', `${field} must be true or false`);
  return value;
}

function requireIncluded(field: string, list: unknown, needed: string): void {
  if (list !== undefined && !(isTextList(list) && list.includes(needed)))
    throw new ClientMetadataRefused('invalid_client_metadata', `${field} must include ${needed}`);
}

/** Users see the name. With control characters, such as those that turn the direction of text, it could look like another one. */
function isName(value: unknown): value is string {
  if (typeof value !== 'string' || !isStorableText(value) || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value)) return false;
  return value.trim() !== '' && codePoints(value) <= NAME_MAX;
}

const isTextList = (value: unknown): value is string[] => Array.isArray(value) && value.every((item) => typeof item === 'string');

/** The application as an oidc-provider client. It never has a secret, so it cannot use client credentials. */
export function sharedClientMetadata(shared: SharedClient): AdapterPayload {
  return {
    ...describedMetadata(shared),
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    shared,
  };
}

/** The shared application behind an oidc-provider client; undefined for an application of one organization. */
export const sharedClientOf = (client: Client): SharedClient | undefined => client.shared as SharedClient | undefined;
