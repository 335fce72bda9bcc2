import fc from 'fast-check';
import { newId } from '../../src/kernel/ids.js';
import type { GeneratedRequest } from './connection.js';
import { bodiesFrom, parametersFrom } from './bodies.js';
import { idempotencyKey, joinHeaders, oddHeaders, type Headers } from './headers.js';
import { anyTarget, pathsFrom, queriesFrom } from './paths.js';
import { mcpBodies, MCP_HEADERS } from './mcp-messages.js';
import { formsOf } from './forms.js';
import { collectionOf, type Perishables, type TargetOperation, type World } from './world.js';

/** A request before its headers are odd and its bytes are put together. Texts have one character for each byte. */
interface Draft {
  readonly route: string;
  readonly method: string;
  readonly target: string;
  readonly headers: Headers;
  readonly body?: string;
}

const oddMethods = fc.constantFrom(
  ...'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT PROPFIND QUERY MKCOL LOCK SEARCH M-SEARCH get FOO'.split(' '),
  ...['', 'POST\tX', '\xff', 'X'.repeat(300)],
);
const methodsFrom = (method: string): fc.Arbitrary<string> =>
  fc.oneof({ weight: 15, arbitrary: fc.constant(method) }, { weight: 1, arbitrary: oddMethods });

function credentialsOf({ keys, accessToken }: World): fc.Arbitrary<Headers> {
  const keyed = (key: string): Headers => [['X-API-Key', key]];
  const bearer = (token: string): Headers => [['Authorization', `Bearer ${token}`]];
  return fc.oneof(
    { weight: 14, arbitrary: fc.constant(keyed(keys.key)) },
    { weight: 2, arbitrary: fc.constantFrom(keyed(keys.liveKey), bearer(accessToken)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Headers>(
        keyed(keys.narrowKey),
        keyed(keys.revokedKey),
        keyed(keys.starterKey),
        [],
        [...keyed(keys.key), ...bearer(accessToken)],
        bearer(keys.key),
      ),
    },
  );
}

const withQuery = (path: string, query: string): string => (query === '' ? path : `${path}?${query}`);

/** Requests for one operation of the API. */
function operationRequests(
  world: World,
  { webhookIds, deliveryIds, doomedIds, layoutIds }: Perishables,
  target: TargetOperation,
): fc.Arbitrary<Draft> {
  const { operation, parameters, body } = target;
  const names = [...new Set(world.operations.flatMap((other) => Object.keys(other.body ?? {})))];
  const everyId = [...world.ids.values()].flat();
  const idsOf = (parameter: string): readonly string[] => {
    // The runs of this world have one file.
    if (parameter === operation.fileParam) return [...Array<string>(10).fill('json'), ...Object.keys(operation.returnsFile!)];
    if (parameter === 'delivery_id') return deliveryIds;
    if (parameter === 'webhook_id') return operation.method === 'DELETE' ? doomedIds : webhookIds;
    if (parameter === 'layout_id') return layoutIds;
    return world.ids.get(collectionOf(operation)) ?? everyId;
  };
  const own = body && 'deliveryId' in body ? { ...body, deliveryId: deliveryIds[0] } : body;
  const bodies = own
    ? bodiesFrom(own, names)
    : fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: bodiesFrom({}, names) });
  return fc
    .record({
      method: methodsFrom(operation.method),
      path: pathsFrom(operation.path, idsOf),
      query: queriesFrom(parameters, everyId),
      credential: credentialsOf(world),
      idempotency: idempotencyKey,
      body: bodies,
    })
    .map(({ method, path, query, credential, idempotency, body: sent }) => ({
      route: `${operation.method} ${operation.path}`,
      method,
      target: withQuery(path, query),
      headers: [
        ...credential,
        ...(operation.needsKey ? [['Idempotency-Key', idempotency()] as const] : []),
        ...(sent === undefined ? [] : [['Content-Type', 'application/json'] as const]),
      ],
      body: sent,
    }));
}

/** Requests for a path that needs no credential, with the forms and messages that it takes. */
function openRequests(world: World, perishables: Perishables, { method, path }: World['openRoutes'][number]): fc.Arbitrary<Draft> {
  const forms = formsOf(world, perishables);
  const ids: Readonly<Record<string, readonly string[]>> = {
    token: [perishables.invitation],
    uid: perishables.pages.map(({ uid }) => uid),
    code: ['not_found', 'validation_failed'],
    '*': ['mcp'],
  };
  const idsOf = (parameter: string): readonly string[] => ids[parameter] ?? [newId()];
  const form = forms[path];
  const parameters = form ? fc.oneof(...form.fields.map(parametersFrom)) : fc.constant('');
  const isMcp = path === '/mcp';
  const body = isMcp ? mcpBodies(world) : method === 'POST' ? parameters : fc.constant(undefined);
  const type = isMcp ? MCP_HEADERS : [['Content-Type', 'application/x-www-form-urlencoded'] as const];
  return fc
    .record({
      method: methodsFrom(method),
      path: pathsFrom(path, idsOf),
      query: method === 'POST' ? fc.constant('') : parameters,
      headers: isMcp ? credentialsOf(world) : (form?.headers ?? fc.constant<Headers>([])),
      body,
    })
    .map(({ method: sent, path: given, query, headers, body: text }) => ({
      route: `${method} ${path}`,
      method: sent,
      target: withQuery(given, query),
      headers: [...headers, ...(text === undefined ? [] : type)],
      body: text,
    }));
}

/** Any request for anything. */
function strangeRequests(world: World): fc.Arbitrary<Draft> {
  return fc
    .record({ method: fc.oneof(fc.constant('GET'), oddMethods), target: anyTarget, headers: credentialsOf(world) })
    .map((draft) => ({ route: '(any path)', ...draft }));
}

/** What browsers ask before they send a request of a page of another origin. */
function preflights({ operations, openRoutes }: World): fc.Arbitrary<Draft> {
  const routes = [...operations.map(({ operation }) => operation), ...openRoutes];
  return fc.constantFrom(...routes).map(({ method, path }) => ({
    route: '(preflights)',
    method: 'OPTIONS',
    target: path.replace(/[{:]\w+\}?/g, newId),
    headers: [
      ['Origin', 'https://partner.example'],
      ['Access-Control-Request-Method', method],
      ['Access-Control-Request-Headers', 'x-api-key, content-type'],
    ],
  }));
}

type Framing = (draft: Draft) => { readonly lines: Headers; readonly body: string };

const stated: Framing = ({ body }) =>
  body === undefined ? { lines: [], body: '' } : { lines: [['Content-Length', String(body.length)]], body };
const chunked: Framing = ({ body = '' }) => ({
  lines: [['Transfer-Encoding', 'chunked']],
  body: `${body === '' ? '' : `${body.length.toString(16)};x=y\r\n${body}\r\n`}0\r\nX-Trailer: x\r\n\r\n`,
});
const wrong =
  (lines: Headers): Framing =>
  ({ body = '' }) => ({ lines, body });
const broken = fc.constantFrom<Framing>(
  wrong([['Content-Length', '5']]),
  wrong([['Content-Length', '100000']]),
  wrong([['Content-Length', '-1']]),
  wrong([['Content-Length', '1e3']]),
  wrong([['Content-Length', '']]),
  wrong([['Content-Length', '99999999999999999999']]),
  wrong([
    ['Content-Length', '2'],
    ['Content-Length', '3'],
  ]),
  wrong([['Transfer-Encoding', 'chunked']]),
  wrong([['Transfer-Encoding', 'gzip, chunked']]),
  wrong([['Transfer-Encoding', 'x']]),
  wrong([
    ['Transfer-Encoding', 'chunked'],
    ['Content-Length', '2'],
  ]),
  ({ body = '' }) => ({ lines: [['Transfer-Encoding', 'chunked']], body: `fffffff\r\n${body}` }),
  ({ body = '' }) => ({ lines: [['Transfer-Encoding', 'chunked']], body: `zz\r\n${body}\r\n0\r\n\r\n` }),
);
const oddVersions = fc.constantFrom('HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.2', 'HTTP/1.1 ', 'http/1.1', 'ICY/1.0', '');

/** Puts the bytes of a request together. */
function requestsFrom(drafts: fc.Arbitrary<Draft>): fc.Arbitrary<GeneratedRequest> {
  const framing = fc.oneof(
    { weight: 30, arbitrary: fc.constant({ frame: stated, isFramed: true, version: 'HTTP/1.1' }) },
    { weight: 2, arbitrary: fc.constant({ frame: chunked, isFramed: true, version: 'HTTP/1.1' }) },
    { weight: 1, arbitrary: broken.map((frame) => ({ frame, isFramed: false, version: 'HTTP/1.1' })) },
    { weight: 1, arbitrary: oddVersions.map((version) => ({ frame: stated, isFramed: false, version })) },
  );
  return fc.tuple(drafts, framing, oddHeaders).map(([draft, { frame, isFramed, version }, odd]) => {
    const { lines, body } = frame(draft);
    const headers = [...joinHeaders([['Host', 'localhost'], ...draft.headers], odd), ...lines];
    const head = `${draft.method} ${draft.target} ${version}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
    // No answer is due to a CONNECT, and whether a body follows the odd methods is for the server to say.
    const isCertain = isFramed && draft.method !== 'CONNECT';
    return { route: draft.route, method: draft.method, bytes: Buffer.from(head + body, 'latin1'), isFramed: isCertain };
  });
}

/** Requests for every operation, every path without a credential, and any other path. */
export function generatedRequests(world: World, perishables: Perishables): fc.Arbitrary<GeneratedRequest> {
  const operations = world.operations.map((target) => {
    const arbitrary = operationRequests(world, perishables, target);
    return { weight: target.body ? 6 : 3, arbitrary };
  });
  const open = world.openRoutes.map((route) => {
    // A password takes the server as long as a hundred other requests.
    const weight = route.path === '/mcp' && route.method === 'POST' ? 10 : /interaction|invitations/.test(route.path) ? 1 : 2;
    // The id, cookie and form of one page, since those of different pages do not fit.
    const { pages } = perishables;
    const fitting = route.path.includes(':uid') ? pages.map((page) => ({ ...perishables, pages: [page] })) : [perishables];
    return { weight, arbitrary: fc.oneof(...fitting.map((these) => openRequests(world, these, route))) };
  });
  const others = [
    { weight: 10, arbitrary: strangeRequests(world) },
    { weight: 2, arbitrary: preflights(world) },
  ];
  return requestsFrom(fc.oneof(...operations, ...open, ...others));
}
