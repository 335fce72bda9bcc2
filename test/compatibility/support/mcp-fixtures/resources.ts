import { ProtocolError, ProtocolErrorCode, type Resource, type Server } from '@modelcontextprotocol/server';
import { PNG } from './content.js';

const RESOURCES: readonly Resource[] = [
  { uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain', description: 'A static text' },
  { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png', description: 'A static image' },
  { uri: 'test://watched-resource', name: 'watched-resource', mimeType: 'text/plain', description: 'A text that clients can subscribe to' },
];

function contentOf(uri: string) {
  if (uri === 'test://static-text') return { uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' };
  if (uri === 'test://static-binary') return { uri, mimeType: 'image/png', blob: PNG };
  if (uri === 'test://watched-resource') return { uri, mimeType: 'text/plain', text: 'Watched resource content' };
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  if (id === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no resource ${uri}.`, { uri });
  return { uri, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) };
}

/** Resources that the conformance suite needs. */
export function addResources(server: Server): void {
  server.registerCapabilities({ resources: { subscribe: true } });
  server.setRequestHandler('resources/list', () => ({ resources: [...RESOURCES] }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      { uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json', description: 'A text for each id' },
    ],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => ({ contents: [contentOf(uri)] }));
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
}
