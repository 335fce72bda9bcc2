// The reference for the benchmark: the same authorization server with its defaults, one client, and tokens in memory.
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const { PORT, CLIENT_ID, CLIENT_SECRET } = process.env;
const issuer = `http://127.0.0.1:${PORT}`;

const provider = new Provider(issuer, {
  clients: [
    { client_id: CLIENT_ID, client_secret: CLIENT_SECRET, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] },
  ],
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => issuer,
      getResourceServerInfo: () => ({ scope: 'claim_projects:read', audience: issuer, accessTokenFormat: 'opaque', accessTokenTTL: 3600 }),
    },
  },
  routes: { token: '/oauth/token' },
  ttl: { ClientCredentials: 3600 },
  scopes: ['claim_projects:read'],
});

createServer(provider.callback()).listen(Number(PORT), '127.0.0.1');
