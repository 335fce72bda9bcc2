import { MemoryTokenStore, OAuthApplication, type TokenStore } from '../../client/src/oauth.js';
import type { Fetch } from '../../client/src/options.js';
import type { TestApp } from './app.js';
import { aPartner, Browser, CALLBACK, decide } from './oauth.js';

/** A `fetch` that remembers what was sent, and what each request was for. */
export function watchedFetch(send: Fetch = fetch) {
  const sent: Array<{ path: string; token: string | null; fields: URLSearchParams }> = [];
  const watched: Fetch = (url, init) => {
    const token = (init.headers as Headers).get('authorization')?.replace('Bearer ', '') ?? null;
    sent.push({ path: new URL(url).pathname, token, fields: new URLSearchParams(init.body as string | undefined) });
    return send(url, init);
  };
  return { fetch: watched, sent, of: (path: string) => sent.filter((request) => request.path === path) };
}

export interface ProgramOptions {
  isPublic?: boolean;
  send?: Fetch;
  store?: TokenStore;
}

/** The program of a partner, which uses the client library. */
export async function aPartnerProgram(app: TestApp, { isPublic = false, send, store = new MemoryTokenStore() }: ProgramOptions = {}) {
  const partner = await aPartner(app, { isPublic });
  const network = watchedFetch(send);
  const { clientId, clientSecret } = partner.application;
  /** The program in a process of its own. */
  const make = (network: Fetch) =>
    new OAuthApplication({
      clientId,
      clientSecret: clientSecret || undefined,
      redirectUri: CALLBACK,
      store,
      baseUrl: app.url,
      fetch: network,
    });
  const application = make(network.fetch);
  /** From the first click to the stored tokens. */
  const connect = async (connection: string) => {
    const { url, pending } = await application.begin({ scope: 'claim_projects:read claim_projects:write' });
    const { url: callback } = await decide(new Browser(app.url), url, partner);
    return application.finish(connection, callback, pending);
  };
  return { partner, application, store, network, connect, make };
}
