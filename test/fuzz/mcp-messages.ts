import fc from 'fast-check';
import { newId } from '../../src/kernel/ids.js';
import { bodiesFrom } from './bodies.js';
import type { Headers } from './headers.js';
import type { World } from './world.js';

export const MCP_HEADERS: Headers = [
  ['Content-Type', 'application/json'],
  ['Accept', 'application/json, text/event-stream'],
];

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'A client', version: '1.0.0' },
};
const CLIENT = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'A client', version: '1.0.0' } };

const inSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Messages for the tool server: every tool with valid inputs, every other method, batches, and all of them changed. */
export function mcpBodies({ operations, tools, ids }: World): fc.Arbitrary<string> {
  const everyId = [...ids.values()].flat();
  const calls = operations.flatMap(({ operation, body, parameters }) => {
    const name = tools.get(operation.id);
    if (name === undefined) return [];
    const inputs = Object.entries(body ?? {}).map(([field, value]) => [inSnakeCase(field), value]);
    const args = {
      ...Object.fromEntries(inputs),
      ...Object.fromEntries(operation.pathIds.map((parameter) => [parameter, everyId[0]])),
      ...Object.fromEntries(parameters.filter((parameter) => parameter.name === 'page').map((parameter) => [parameter.name, 1])),
      ...(operation.needsKey && { confirm: true, idempotency_key: newId() }),
      ...(operation.method === 'DELETE' && { confirm_delete: true }),
    };
    return [{ method: 'tools/call', params: { name, arguments: args } }];
  });
  const others = ['tools/list', 'initialize', 'ping', 'server/discover', 'notifications/initialized', 'notifications/cancelled']
    .concat('resources/list', 'prompts/get', 'completion/complete', 'logging/setLevel', 'subscriptions/listen', 'sampling/createMessage')
    .map((method) => ({ method, params: method === 'initialize' ? CLIENT : {} }));
  const messages = [...calls, ...others].flatMap(({ method, params }) => [
    { jsonrpc: '2.0', id: 1, method, params },
    { jsonrpc: '2.0', id: 'a', method, params: { ...params, _meta: META } },
  ]);
  const single = fc
    .constantFrom(...messages)
    .chain((message) => bodiesFrom(message, ['jsonrpc', 'id', 'method', 'params', '_meta', 'result', 'error']));
  const batch = fc.array(single, { maxLength: 4 }).map((texts) => `[${texts.join(',')}]`);
  return fc.oneof({ weight: 9, arbitrary: single }, { weight: 1, arbitrary: batch });
}
