import type { OpenAPIObject } from '@nestjs/swagger';
import type { Assets } from '../../api/console/assets.js';
import { LinkButton } from '../../api/console/parts/facts.js';
import { API_NAME, API_VERSION } from '../../kernel/product.js';
import { groupsOf, type Guide } from './guides.js';
import type { Place } from './places.js';

/** What a person sees who opens the address of the service. */
interface FirstPageProps {
  readonly places: readonly Place[];
  readonly guides: readonly Guide[];
  readonly document: OpenAPIObject;
  readonly baseUrl: string;
  readonly assets: Assets;
}

export const FIRST_TITLE = 'Turn bank statements into claims you can defend';

/** What developers look for first, with where it is said. */
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
      <AllGuides guides={guides} />
      <ForPrograms places={places} />
    </>
  );
}

const AllGuides = ({ guides }: Pick<FirstPageProps, 'guides'>) => (
  <>
    <h2>Guides</h2>
    <div class="columns">
      {groupsOf(guides).map(([group, members]) => (
        <section>
          <h3>{group}</h3>
          <ul>
            {members.map(({ page, title }) => (
              <li>
                <a href={page}>{title}</a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  </>
);

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

interface Media {
  readonly content?: Readonly<Record<string, { readonly example?: object }>>;
}
const exampleOf = (part: unknown): object => Object.values((part as Media).content ?? {})[0]?.example ?? {};

/** A call with its answer, as the document of the API has them. */
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

/** The same for programs. */
export function firstIndex(places: readonly Place[], baseUrl: string): string {
  const links = Object.fromEntries(places.map(({ name, path }) => [name, baseUrl + path]));
  return JSON.stringify({ name: API_NAME, version: API_VERSION, links }, null, 2);
}
