import fc from 'fast-check';
import { CALLBACK, challengeOf } from '../support/oauth.js';
import type { Headers } from './headers.js';
import type { Perishables, World } from './world.js';

type Fields = Readonly<Record<string, readonly string[]>>;

interface Form {
  /** The valid values of each field. Of several forms, each request has one. */
  readonly fields: readonly Fields[];
  readonly headers?: fc.Arbitrary<Headers>;
}

/** What the paths without a credential take in their query or body, by path. */
export function formsOf(world: World, perishables: Perishables): Readonly<Record<string, Form>> {
  const { user, application } = perishables.partner;
  const { clientId, clientSecret } = application;
  const { publicClientId, verifier, code, accessToken, refreshToken, pages } = perishables;
  const client = { client_id: [clientId], client_secret: [clientSecret] };
  const clients: Fields[] = [client, { client_id: [publicClientId] }, {}];
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const headers = fc.constantFrom<Headers>([], [], [], [['Authorization', `Basic ${basic}`]]);
  const resource = [`${world.url}/mcp`, world.url];
  const cookies = fc.constantFrom<Headers>([], ...pages.map((open): Headers => [['Cookie', open.cookies]]));
  const page: Form = {
    fields: pages.flatMap(({ csrf }): Fields[] => [
      { csrf: [csrf], do: ['sign-in'], email: [user.email], password: ['wrong', user.password] },
      { csrf: [csrf], do: ['allow', 'refuse', 'sign-in'], code: ['123456'] },
    ]),
    headers: cookies,
  };
  return {
    '/oauth/authorize': { fields: authorizations(world, perishables), headers: cookies },
    '/oauth/authorize/:uid': page,
    '/oauth/interaction/:uid': page,
    '/oauth/token': {
      fields: [
        { ...client, grant_type: ['client_credentials'], scope: ['claim_projects:read'], resource },
        { ...client, grant_type: ['client_credentials'] },
        { ...client, grant_type: ['authorization_code'], code: [code], code_verifier: [verifier], redirect_uri: [CALLBACK] },
        { ...client, grant_type: ['refresh_token'], refresh_token: [refreshToken, 'x'], scope: ['claim_projects:read'] },
        { client_id: [publicClientId], grant_type: ['authorization_code', 'refresh_token'], code: ['x'], code_verifier: [verifier] },
      ],
      headers,
    },
    '/oauth/revoke': {
      fields: clients.map((given): Fields => ({
        ...given,
        token: [accessToken, refreshToken, 'x'],
        token_type_hint: ['access_token', 'x'],
      })),
      headers,
    },
    '/oauth/introspect': {
      fields: clients.map((given): Fields => ({
        ...given,
        token: [world.accessToken, accessToken, 'x'],
        token_type_hint: ['refresh_token'],
      })),
      headers,
    },
    '/invitations/:token': { fields: [{ password: ['short', user.password], repeated: ['short', user.password] }] },
    '/docs': { fields: [{ a: ['b'] }] },
    '/problems/:code': { fields: [{ a: ['b'] }] },
  };
}

/** The query of an authorization request: as it should be, and with everything that a client may add. */
function authorizations({ url }: World, { partner: { application }, publicClientId, verifier }: Perishables): Form['fields'] {
  const needed = {
    client_id: [application.clientId],
    response_type: ['code'],
    redirect_uri: [CALLBACK],
    scope: ['claim_projects:read', 'audit:read webhooks:delete'],
    code_challenge_method: ['S256'],
    code_challenge: [challengeOf(verifier)],
  };
  const more = {
    client_id: [publicClientId],
    state: ['a state'],
    prompt: ['consent', 'login', 'none'],
    resource: [`${url}/mcp`, url],
    max_age: ['1'],
    login_hint: ['jane@example.com'],
    response_mode: ['query', 'fragment', 'form_post'],
  };
  return [
    needed,
    { ...needed, ...more },
    { ...needed, claims: ['{}'], request: ['x'], request_uri: ['https://a.example/'], id_token_hint: ['x'] },
  ];
}
