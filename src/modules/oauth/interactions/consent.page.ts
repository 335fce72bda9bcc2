import { html, type Html } from '../../../api/http/pages/html.js';
import { page } from '../../../api/http/pages/page.js';
import { destinationOf } from '../applications/redirect-addresses.js';
import type { ScopeText } from './scope-texts.js';

export interface Consent {
  readonly action: string;
  readonly csrf: string;
  readonly applicationName: string;
  readonly organizationName: string;
  /** null: the user chooses it with the button. */
  readonly environment: 'test' | 'live' | null;
  readonly userName: string;
  /** The address that the browser is sent to with the answer. */
  readonly redirectUri: string;
  /** The scopes that the user has not allowed yet. */
  readonly allowed: readonly ScopeText[];
  /** What else the user should know before they decide. */
  readonly warning?: Html;
}

const environmentRow = (environment: 'test' | 'live'): Html =>
  html`<div><dt>Environment</dt><dd>${environment === 'live' ? 'Live: real data' : 'Test: no real data'}</dd></div>`;
/** The button says what it allows, so nobody chooses real data by mistake. */
const CHOICE = html`<button name="do" value="allow:test">Allow for test data</button>
<button name="do" value="allow:live">Allow for live data</button>`;

export function consentPage({
  action,
  csrf,
  applicationName,
  organizationName,
  environment,
  userName,
  redirectUri,
  allowed,
  warning = html``,
}: Consent): string {
  const again = html`<p><strong>${applicationName}</strong> asks you to confirm what you allowed before.</p>`;
  const first = html`<p><strong>${applicationName}</strong> asks for permission to do this on your behalf:</p>`;
  const body = html`${warning}${allowed.length === 0 ? again : first}
${listOf(
  'View data',
  allowed.filter(({ isWrite }) => !isWrite),
)}${listOf(
    'Change data',
    allowed.filter(({ isWrite }) => isWrite),
  )}<dl>
<div><dt>Organization</dt><dd>${organizationName}</dd></div>
${environment === null ? html`` : environmentRow(environment)}
<div><dt>Signed in as</dt><dd>${userName}</dd></div>
<div><dt>You will be sent to</dt><dd>${destinationOf(redirectUri)}</dd></div>
</dl>
<form method="post" action="${action}">
<input type="hidden" name="csrf" value="${csrf}">
${environment === null ? CHOICE : html`<button name="do" value="allow">Allow</button>`}
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
