import { fastify } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { RouteTable } from './route-table.js';

const server = fastify();
const table = RouteTable.read(server);
beforeAll(async () => {
  const handler = () => 'ok';
  server.get('/v1/things', { config: { anyOrigin: true } }, handler);
  server.post('/v1/things', { config: { anyOrigin: true } }, handler);
  server.patch('/v1/things/:thing_id', handler);
  server.delete('/v1/things/:thing_id/parts/:part_id', handler);
  server.get('/v1/things.json', handler);
  server.get('/docs/*', handler);
  await server.ready();
});

describe('the methods of a path', () => {
  it.each([
    ['/v1/things', ['GET', 'POST', 'HEAD']],
    ['/v1/things?page=1&x=/v1/things/1', ['GET', 'POST', 'HEAD']],
    ['/v1/things/1', ['PATCH']],
    ['/v1/things/a%2Fb', ['PATCH']],
    ['/v1/things/1/parts/2', ['DELETE']],
    ['/docs/', ['GET', 'HEAD']],
    ['/docs/a/b.js', ['GET', 'HEAD']],
    ['/docs', []],
    ['/v1/things/', []],
    ['/v1/things/1/', []],
    ['/v1/things/1/parts', []],
    ['/v1/thingsXjson', []],
    ['/v1', []],
    ['/v1/things-and-more', []],
    ['/x/v1/things', []],
    ['', []],
  ])('%s has %s', (url, methods) => {
    expect(table.methodsAt(url)).toEqual(methods);
  });
});

it('tells which paths pages of any origin may call', () => {
  expect(['/v1/things', '/v1/things?x', '/v1/things/1', '/docs/a', '/nowhere'].map((url) => table.isOpenAt(url))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
