// An application with client credentials, and its call for a token.

/** An application of the organization that owns the projects, so that token and API key read the same one. */
export async function anApplication({ app }, organizationId) {
  const { ApplicationsService } = await import('../../dist/src/modules/oauth/index.js');
  const wanted = {
    organizationId,
    environment: 'test',
    name: 'Bench',
    grants: ['client_credentials'],
    redirectUris: [],
    scopes: 'all',
    isPublic: false,
    isPending: false,
  };
  const { row, clientSecret } = await app.get(ApplicationsService).create({ type: 'system', id: null, name: 'bench' }, wanted);
  return { clientId: row.clientId, clientSecret };
}

export function askingForToken({ clientId, clientSecret }) {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    scope: 'claim_projects:read',
  }).toString();
  return { path: '/oauth/token', method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body };
}
