import { successStatus, type RegisteredOperation } from '../../src/api/operation/operation.js';

class Body {}

/** A registered operation without a controller. A test gives only the members that matter to it. */
export function anOperation(wanted: Partial<RegisteredOperation> = {}): RegisteredOperation {
  const method = wanted.method ?? 'GET';
  const needsKey = method === 'POST' || method === 'PATCH';
  const declared = { id: 'things.list', route: `${method} /`, summary: 'List things', description: 'Newest first.' } as const;
  return {
    ...declared,
    handle: () => Promise.resolve(undefined),
    lookAhead: undefined,
    method,
    path: '/v1/things',
    pathIds: [],
    fileParam: undefined,
    mediaTypes: ['application/json'],
    body: needsKey ? Body : undefined,
    capability: 'things',
    status: successStatus({ ...declared, ...wanted }),
    isWrite: method !== 'GET',
    takesMerge: false,
    needsKey,
    isTagged: false,
    takesIfMatch: false,
    emits: [],
    problems: [],
    checkPolicies: undefined,
    writePolicies: undefined,
    hiddenFrom: undefined,
    hooks: undefined,
    ...wanted,
  };
}
