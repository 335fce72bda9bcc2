import { expect, it } from 'vitest';
import { anOperation } from '../../../test/support/operations.js';
import { methodsAt } from './methods-at.js';

const operations = [
  anOperation({ method: 'GET', path: '/v1/things' }),
  anOperation({ method: 'POST', path: '/v1/things' }),
  anOperation({ method: 'PATCH', path: '/v1/things/{thing_id}' }),
  anOperation({ method: 'DELETE', path: '/v1/things/{thing_id}/parts/{part_id}' }),
  anOperation({ method: 'GET', path: '/v1/things.json' }),
];

it.each([
  ['/v1/things', ['GET', 'POST', 'HEAD']],
  ['/v1/things?page=1&x=/v1/things/1', ['GET', 'POST', 'HEAD']],
  ['/v1/things/1', ['PATCH']],
  ['/v1/things/a%2Fb', ['PATCH']],
  ['/v1/things/1/parts/2', ['DELETE']],
  ['/v1/things/', []],
  ['/v1/things/1/', []],
  ['/v1/things/1/parts', []],
  ['/v1', []],
  ['/v1/things-and-more', []],
  ['/x/v1/things', []],
  ['', []],
])('%s has %s', (url, methods) => {
  expect(methodsAt(url, operations)).toEqual(methods);
});

it('takes a path for what it says, not for a pattern', () => {
  expect(methodsAt('/v1/thingsXjson', operations)).toEqual([]);
});
