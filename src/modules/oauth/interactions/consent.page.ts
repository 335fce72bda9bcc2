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
  /** Where the browser goes with the answer. */
  readonly destination: string;
  /** What it would be allowed that it is not yet. */
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
  const again = html`<p><strong>${applicationName}</strong> asks once more for what you have allowed it before.</p>`;
  const body = html`${allowed.length === 0 ? again : html`<p><strong>${applicationName}</strong> asks to do this in your name:</p>`}
${listOf(
  'Look at data',
  allowed.filter(({ isWrite }) => !isWrite),
)}${listOf(
    'Change data',
    allowed.filter(({ isWrite }) => isWrite),
  )}<dl>
<div><dt>Organization</dt><dd>${organizationName}</dd></div>
<div><dt>Environment</dt><dd>${environment === 'live' ? 'Live: real data' : 'Test: no real data'}</dd></div>
<div><dt>Signed in as</dt><dd>${userName}</dd></div>
<div><dt>You then go on to</dt><dd>${destination}</dd></div>
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
