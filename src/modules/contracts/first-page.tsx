import { page } from '../../api/http/pages/page.js';
import { API_NAME, API_VERSION } from '../../kernel/product.js';
import type { Guide } from './guides.js';
import type { Place } from './places.js';

/** What a person sees who opens the address of the service. */
export function firstPage(places: readonly Place[], guides: readonly Guide[]): string {
  const body = (
    <>
      <p>Claim preparation for accountants' software: claim projects, bank statements, and the reports made from them.</p>
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
      <h2>Where the key comes from</h2>
      <p>
        A fresh install prints a test key and a live key when it starts. Otherwise the operator creates one with{' '}
        <code>claims key create</code>. Send it as <code>X-API-Key</code>.
      </p>
      <h2>Guides</h2>
      <dl>
        {guides.map(({ page: address, title, about }) => (
          <div>
            <dt>
              <a href={address}>{title}</a>
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
    </>
  );
  return page({ title: `${API_NAME} ${API_VERSION}`, body });
}

/** The same for programs. */
export function firstIndex(places: readonly Place[], baseUrl: string): string {
  const links = Object.fromEntries(places.map(({ name, path }) => [name, baseUrl + path]));
  return JSON.stringify({ name: API_NAME, version: API_VERSION, links }, null, 2);
}
