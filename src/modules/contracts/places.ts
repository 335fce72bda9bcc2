import { ProtectedResource } from '../../api/access/ports.js';
import { API_PATH } from '../../kernel/product.js';
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
