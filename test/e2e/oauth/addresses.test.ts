import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { aPartner, authorizeUrl } from '../../support/oauth.js';

/** The endpoints below /oauth, with the methods that they have. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  '/oauth/authorize': ['GET', 'HEAD'],
  '/oauth/token': ['POST'],
  '/oauth/revoke': ['POST'],
  '/oauth/introspect': ['POST'],
  '/oauth/register': ['POST'],
  '/oauth/par': ['POST'],
  '/oauth/device_authorization': ['POST'],
  '/oauth/connections': ['GET', 'POST', 'HEAD'],
};
/** Every route that oidc-provider may have by its defaults. None of them must be reachable, at the root or below /oauth. */
const OF_THE_LIBRARY = [
  '/auth /backchannel /challenge /credential /device /device/auth /interaction /jwks /me /reg /request /session/end',
  '/session/end/confirm /session/end/success /token /token/introspection /token/revocation',
  '/.well-known/openid-configuration /.well-known/openid-credential-issuer',
]
  .join(' ')
  .split(' ');
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];

/** What may follow a path without becoming a query. */
const SUFFIXES = ['/', '/a', '/a/b', '//', '/.', '/..', '/%2e%2e', '/%2F', '/a%2Fb', '/%00', '/a%20b', '/%C3%BC', '/%', '/%ff', '/%zz']
  .concat([';a=b', '%20', '%3Fclient_id=x', '.json', '*', '/:uid', '/*', '/__proto__', '/constructor', `/${'x'.repeat(5000)}`])
  .concat([`/${'a'.repeat(42)}`, `/${'a'.repeat(44)}`, `/${'a'.repeat(42)}.`, `/${'a'.repeat(43)}/`]);

let app: TestApp;
let clientId: string;
let authorizeQuery: string;
const agent = new Agent({ keepAlive: true, maxSockets: 20 });
beforeAll(async () => {
  app = await startApp({ TRUSTED_PROXIES: '127.0.0.1' });
  const partner = await aPartner(app);
  ({ clientId } = partner.application);
  authorizeQuery = new URL(authorizeUrl(app.url, partner)).search;
});
afterAll(async () => {
  agent.destroy();
  await app.close();
});

interface Answered {
  readonly sent: string;
  readonly status: number;
  readonly type: string | undefined;
  readonly allow: string | undefined;
}

let callers = 0;

/** Sends a path as it is; `fetch` would tidy it up. Each call comes from another address, because failures are limited by address. */
function send(method: string, path: string): Promise<Answered> {
  const { hostname, port } = new URL(app.url);
  callers += 1;
  const headers = { 'x-forwarded-for': `2001:db8:1::${callers.toString(16)}` };
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, method, path, headers }, (answer) => {
      const { statusCode, headers: got } = answer;
      answer
        .resume()
        .on('end', () =>
          resolve({ sent: `${method} ${path.slice(0, 80)}`, status: statusCode!, type: got['content-type'], allow: got.allow }),
        );
    });
    sent.on('error', reject).end();
  });
}

const sendAll = (paths: readonly string[], methods = METHODS): Promise<Answered[]> =>
  Promise.all(paths.flatMap((path) => methods.map((method) => send(method, path))));

const isProblem = ({ type = '' }: Answered): boolean => type.startsWith('application/problem+json');
/** 400: the address is not valid HTTP, such as one with `%zz`. */
const isNotThere = (answer: Answered): boolean => isProblem(answer) && [400, 404].includes(answer.status);
const isOtherMethod = (answer: Answered): boolean =>
  isProblem(answer) && (answer.status === 404 || (answer.status === 405 && !!answer.allow));

/** Parameters with which an authorization request gets furthest, and none. */
const queries = (): string[] => [
  '',
  `?client_id=${clientId}`,
  authorizeQuery,
  '?client_id=x&client_id=y',
  '?%',
  '?a[b]=c',
  '?client_id=%00',
];

describe('GET /oauth/authorize/a?client_id=…', () => {
  it('is an unknown path, and no error of the server', async () => {
    const [answer] = await sendAll([`/oauth/authorize/a?client_id=${clientId}`], ['GET']);
    expect(answer).toMatchObject({ status: 404, type: expect.stringContaining('application/problem+json') });
  });

  it('with an id that could be one, but is none, says that the request cannot be completed', async () => {
    for (const query of queries()) {
      const [answer] = await sendAll([`/oauth/authorize/${'a'.repeat(43)}${query}`], ['GET']);
      expect(answer).toMatchObject({ status: 400, type: expect.stringContaining('text/html') });
    }
  });
});

describe.each(Object.entries(OWN))('below %s', (path, methods) => {
  it('every unknown path is a 404, with any method and any parameters', async () => {
    for (const query of queries()) {
      const answers = await sendAll(
        SUFFIXES.map((suffix) => `${path}${suffix}${query}`),
        query === '' ? METHODS : ['GET', 'POST'],
      );
      expect(answers.filter((answer) => !isNotThere(answer) && !isOtherMethod(answer))).toEqual([]);
    }
  });

  it('no method leads to an error of the server; one that it lacks is a 405 that names the others', async () => {
    for (const query of queries()) {
      const answers = await sendAll([`${path}${query}`]);
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
      const lacking = answers.filter(({ sent }) => !methods.includes(sent.split(' ')[0]!));
      expect(lacking).toHaveLength(METHODS.length - methods.length);
      expect(lacking.filter((answer) => !isProblem(answer) || answer.status !== 405 || answer.allow !== methods.join(', '))).toEqual([]);
    }
  });

  it('another spelling of the same path is the same endpoint', async () => {
    const encoded = path.replace('/oauth/', '/oauth/%').replace(/%(.)/, (_all, letter: string) => `%${letter.charCodeAt(0).toString(16)}`);
    const plain = await sendAll([`${path}?client_id=x`], [methods[0]!]);
    const again = await sendAll([`${encoded}?client_id=x`], [methods[0]!]);
    const { status, type } = plain[0]!;
    expect(again[0]).toMatchObject({ status, type });
  });

  it('paths in another case or with more slashes are unknown', async () => {
    const answers = await sendAll([path.toUpperCase(), `/${path}`, path.replace('/oauth/', '/oauth//'), `/v1${path}`, `/mcp${path}`]);
    expect(answers.filter((answer) => !isNotThere(answer) && !isOtherMethod(answer))).toEqual([]);
  });
});

it('no other route of oidc-provider can be reached, at the root or below /oauth', async () => {
  const answers = await sendAll(
    // /oauth/token and /oauth/device are ours, and so are the pages below /oauth/interaction: the next test.
    OF_THE_LIBRARY.flatMap((path) =>
      ['/oauth/token', '/oauth/device', '/oauth/interaction'].includes(`/oauth${path}`) ? [path] : [path, `/oauth${path}`],
    ).flatMap((path) => [path, `${path}/a`, `${path}?client_id=${clientId}`]),
  );
  expect(answers.filter((answer) => !isProblem(answer) || ![404, 405].includes(answer.status))).toEqual([]);
});

it('the pages of an interaction answer any id without an error of the server', async () => {
  const paths = ['', ...SUFFIXES].flatMap((suffix) => [
    `/oauth/interaction${suffix}`,
    `/oauth/interaction/a${suffix}?client_id=${clientId}`,
  ]);
  const answers = await sendAll(paths);
  expect(answers.filter(({ status }) => status < 400 || status >= 500)).toEqual([]);
});
