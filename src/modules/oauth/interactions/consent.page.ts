import { html, type Html } from '../../../api/http/pages/html.js';
import { page } from '../../../api/http/pages/page.js';
import type { ScopeText } from './scope-texts.js';

export interface Consent {
  readonly action: string;
  readonly csrf: string;
  readonly applicationName: string;
  readonly organizationName: string;
  readonly environment: 'test' | 'live';
  readonly userName: string;
  /** The origin that the browser is sent to with the answer; undefined for a device. */
  readonly destination: string | undefined;
  /** The scopes that the user has not allowed yet. */
  readonly allowed: readonly ScopeText[];
}

export function consentPage({
  action,
  csrf,
  applicationName,
  organizationName,
  environment,
  userName,
  destination,
  allowed,
}: Consent): string {
  const again = html`<p><strong>${applicationName}</strong> asks you to confirm what you allowed before.</p>`;
  const first = html`<p><strong>${applicationName}</strong> asks for permission to do this on your behalf:</p>`;
  const body = html`${allowed.length === 0 ? again : first}
${listOf(
  'View data',
  allowed.filter(({ isWrite }) => !isWrite),
)}${listOf(
    'Change data',
    allowed.filter(({ isWrite }) => isWrite),
  )}<dl>
<div><dt>Organization</dt><dd>${organizationName}</dd></div>
<div><dt>Environment</dt><dd>${environment === 'live' ? 'Live: real data' : 'Test: no real data'}</dd></div>
<div><dt>Signed in as</dt><dd>${userName}</dd></div>
<div><dt>You will be sent to</dt><dd>${destination ?? 'This page. The device that shows the code gets the access'}</dd></div>
</dl>
<form method="post" action="${action}">
<input type="hidden" name="csrf" value="${csrf}">
<button name="do" value="allow">Allow</button>
<button class="plain" name="do" value="refuse">Refuse</button>
</form>`;
  return page({ title: `Allow ${applicationName}?`, body });
}

function listOf(heading: string, texts: readonly ScopeText[]): Html {
  if (texts.length === 0) return html``;
  return html`<h2>${heading}</h2>
<ul>${texts.map(({ sentence, scope }) => html`<li>${sentence} <span class="hint">(${scope})</span></li>`)}</ul>
`;
}
