import type { RegisteredOperation } from '../../src/api/operation/operation.js';

class Body {}

/** An operation as the registry holds it, without a controller; a test says what it is about. */
export function anOperation(wanted: Partial<RegisteredOperation> = {}): RegisteredOperation {
  const method = wanted.method ?? 'GET';
  const needsKey = method === 'POST' || method === 'PATCH';
  return {
    id: 'things.list',
    route: `${method} /`,
    summary: 'List things',
    method,
    path: '/v1/things',
    pathParams: [],
    body: needsKey ? Body : undefined,
    capability: 'things',
    status: 200,
    isWrite: method !== 'GET',
    needsKey,
    emits: [],
    problems: [],
    ...wanted,
  };
}
