import { ProtectedResource } from '../../api/access/ports.js';
import type { RegisteredOperation } from '../../api/operation/operation.js';
import type { Registry } from '../../api/operation/registry.js';
import { API_NAME, API_PATH, API_VERSION } from '../../kernel/product.js';
import type { Ports } from '../../store/discovery/ports.js';

/** A place of the service that a newcomer should know. */
export interface Place {
  readonly name: string;
  readonly path: string;
  readonly title: string;
  readonly about: string;
  /** Whether a browser can open it without a credential. */
  readonly isOpen: boolean;
}

const DOCUMENTS: readonly Place[] = [
  { name: 'console', path: '/console', title: 'Console', about: 'Keys, webhooks, reports and members, for people.', isOpen: true },
  { name: 'swagger', path: '/docs', title: 'Try the API', about: 'Swagger UI: every operation, with examples.', isOpen: true },
  { name: 'openapi', path: '/openapi.json', title: 'OpenAPI document', about: 'Every operation, for programs.', isOpen: true },
  { name: 'asyncapi', path: '/asyncapi.json', title: 'AsyncAPI document', about: 'Every event that webhooks receive.', isOpen: true },
  { name: 'collection', path: '/collection.json', title: 'Collection', about: 'Every operation, for Postman and Bruno.', isOpen: true },
  { name: 'problems', path: '/problems', title: 'Problems', about: 'Every error code, and what to do.', isOpen: true },
  { name: 'guides', path: '/guides', title: 'Guides', about: 'How to use the API, with search; a list for programs.', isOpen: true },
  { name: 'llms', path: '/llms.txt', title: 'llms.txt', about: 'This service in one text, for language models.', isOpen: true },
];
const API: Place = {
  name: 'api',
  path: API_PATH,
  title: 'API',
  about: 'With a credential: the catalog of all operations and events.',
  isOpen: false,
};

/** The places of the service, for the first page, its JSON form and llms.txt. */
export function placesOf(ports: Ports): Place[] {
  const servers = ports.all(ProtectedResource).map(({ path }) => ({
    name: path.slice(1),
    path,
    title: 'Tool server (MCP)',
    about: 'The same operations as tools for language models.',
    isOpen: false,
  }));
  return [...DOCUMENTS, API, ...servers];
}

/** The service in one text for language models, in the form that llmstxt.org proposes. */
export function llmsText(places: readonly Pick<Place, 'path' | 'title' | 'about'>[], registry: Registry, baseUrl: string): string {
  const capabilities = registry.descriptions.map(([capability, { about }]) => {
    const operations = registry.operations.filter((operation) => operation.capability === capability).map(lineOf);
    return [`## ${capability}`, '', about, '', ...operations, ''].join('\n');
  });
  return [
    `# ${API_NAME} ${API_VERSION}`,
    '',
    "> Claim preparation for accountants' software: claim projects, bank statements, and the reports made from them.",
    '',
    'Send an API key as `X-API-Key`, or an OAuth access token as `Authorization: Bearer`. Keys that begin with `pk_test_` access',
    'test data only. An operator creates keys; there is no way to get one here.',
    'Every POST and PATCH needs an `Idempotency-Key`: new for each new request, and the same when a request is repeated.',
    'Every answer that is not 2xx is a problem document: `code` says what happened, `retry` whether to repeat the request.',
    '',
    '## Places',
    '',
    ...places.map(({ path, title, about }) => `- [${title}](${baseUrl}${path}): ${about}`),
    '',
    ...capabilities,
  ].join('\n');
}

function lineOf({ method, path, summary, scope, plan, tool }: RegisteredOperation): string {
  const needs = [scope && `scope \`${scope}\``, plan && `plan \`${plan}\``, tool && `tool \`${tool.name}\``].filter(Boolean).join(', ');
  return `- \`${method} ${path}\`: ${summary}${needs && ` (${needs})`}`;
}
