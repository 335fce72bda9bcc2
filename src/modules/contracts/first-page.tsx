import type { OpenAPIObject } from '@nestjs/swagger';
import { ProtectedResource } from '../../api/access/ports.js';
import type { Assets } from '../../api/console/assets.js';
import { LinkButton } from '../../api/console/parts/facts.js';
import type { RegisteredOperation } from '../../api/operation/operation.js';
import type { Registry } from '../../api/operation/registry.js';
import { API_NAME, API_VERSION, API_PATH } from '../../kernel/product.js';
import type { Ports } from '../../store/discovery/ports.js';
import type { Guide } from './guides.js';
import { GroupedGuides } from './site/site.js';

interface FirstPageProps {
  readonly places: readonly Place[];
  readonly guides: readonly Guide[];
  readonly document: OpenAPIObject;
  readonly baseUrl: string;
  readonly assets: Assets;
}

export const FIRST_TITLE = 'Turn bank statements into claims you can defend';

const PROMISES = [
  ['/guides/idempotency', 'Repeat any call', 'One key per request: a call that was sent twice is done once.'],
  ['/problems', 'Errors that help', 'RFC 9457 problems, each with its cause and what to do.'],
  ['/guides/webhooks', 'Signed webhooks', 'Standard Webhooks: signed, retried, logged, replayed.'],
  ['/guides/audit-log', 'Proof of every change', 'Each entry of the audit log has the hash of the one before.'],
] as const;

const PICTURES = [
  ['report.webp', 'A report: what can be claimed first, each figure with its lines.'],
  ['statement.webp', 'A statement: personal data is masked before anything else happens.'],
  ['endpoint.webp', 'An endpoint: what was delivered, what came back, and a test.'],
] as const;

export function FirstPage({ places, guides, document, baseUrl, assets }: FirstPageProps) {
  return (
    <>
      <section class="hero">
        <div>
          <h1>{FIRST_TITLE}.</h1>
          <p class="lead">
            Statements of any bank go in, a claim report comes out: masked, categorized by your rules, and each figure leads back to its
            line.
          </p>
          <p class="buttons">
            <LinkButton to="/console">Open console</LinkButton>
            <LinkButton plain to="/guides/quickstart">
              Quickstart
            </LinkButton>
          </p>
        </div>
        <Call document={document} baseUrl={baseUrl} />
      </section>
      <ul class="cards">
        {PROMISES.map(([path, title, about]) => (
          <li>
            <a href={path}>{title}</a>
            <p class="hint">{about}</p>
          </li>
        ))}
      </ul>
      <ul class="cards pictures">
        {PICTURES.map(([name, about]) => (
          <li>
            <img src={assets.pathOf(name)} alt="" width="800" height="500" loading="lazy" />
            <p class="hint">{about}</p>
          </li>
        ))}
      </ul>
      <h2>Guides</h2>
      <div class="columns">
        <GroupedGuides all={guides} Heading="h3" />
      </div>
      <ForPrograms places={places} />
    </>
  );
}

const ForPrograms = ({ places }: Pick<FirstPageProps, 'places'>) => (
  <footer>
    <h2>For programs</h2>
    <p>
      A fresh install prints a test key and a live key when it starts. Otherwise they are created in the console, or with{' '}
      <code>claims key create</code>. Send one as <code>X-API-Key</code>.
    </p>
    <dl>
      {places.map(({ path, title, about, isOpen }) => (
        <div>
          <dt>{isOpen ? <a href={path}>{title}</a> : title}</dt>
          <dd>
            {about} <code>{path}</code>
          </dd>
        </div>
      ))}
    </dl>
    <p class="hint">
      {API_NAME} {API_VERSION}
    </p>
  </footer>
);

const SHOWN_CALL = '/v1/claim-projects';

const exampleOf = (part: unknown): object =>
  Object.values((part as { content?: Record<string, { example?: object }> }).content ?? {})[0]?.example ?? {};

function Call({ document, baseUrl }: Pick<FirstPageProps, 'document' | 'baseUrl'>) {
  const { requestBody, responses } = document.paths[SHOWN_CALL]!.post!;
  const call =
    `curl ${baseUrl}${SHOWN_CALL} \\\n  -H "X-API-Key: $KEY" \\\n  -H "Idempotency-Key: leipzig-2026" \\\n` +
    `  -H "Content-Type: application/json" \\\n  -d '${JSON.stringify(exampleOf(requestBody), null, 2)}'`;
  return (
    <div class="call">
      <h2>Create a claim project</h2>
      <pre tabIndex={0} role="group" aria-label="A call">
        {call}
      </pre>
      <h2>201 Created</h2>
      <pre tabIndex={0} role="group" aria-label="Its answer">
        {JSON.stringify(exampleOf(responses['201']), null, 2)}
      </pre>
    </div>
  );
}

export function firstIndex(places: readonly Place[], baseUrl: string): string {
  const links = Object.fromEntries(places.map(({ name, path }) => [name, baseUrl + path]));
  return JSON.stringify({ name: API_NAME, version: API_VERSION, links }, null, 2);
}

interface Place extends Pick<Guide, 'name' | 'path' | 'title' | 'about'> {
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
  { name: 'api', path: API_PATH, title: 'API', about: 'With a credential: the catalog of all operations and events.', isOpen: false },
];

export function placesOf(ports: Ports): Place[] {
  const servers = ports.all(ProtectedResource).map(({ path }) => ({
    name: path.slice(1),
    path,
    title: 'Tool server (MCP)',
    about: 'The same operations as tools for language models.',
    isOpen: false,
  }));
  return [...DOCUMENTS, ...servers];
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
