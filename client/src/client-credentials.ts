import type { AccessTokenFunction } from './options.js';
import { isUsable, requestTokens, type AccessToken, type OAuthClient } from './token-requests.js';

/** Tokens that an application gets on its own behalf. Each is used until shortly before it expires. */
export function clientCredentialsToken(client: OAuthClient, scope: string | undefined): AccessTokenFunction {
  let current: AccessToken | undefined;
  let request: Promise<AccessToken> | undefined;
  const renew = async (): Promise<AccessToken> => {
    try {
      return (current = await requestTokens(client, { grant_type: 'client_credentials', ...(scope && { scope }) }));
    } finally {
      request = undefined;
    }
  };
  return async (refused) => {
    if (current && isUsable(current, refused)) return current.accessToken;
    // However many calls need a new one, it is requested once.
    return (await (request ??= renew())).accessToken;
  };
}
