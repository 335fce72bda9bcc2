import { html, type Html } from '../../../api/http/pages/html.js';
import { page } from '../../../api/http/pages/page.js';
import { destinationOf } from '../applications/redirect-addresses.js';
import { CONSENT_DAYS } from '../lifetimes.js';
import { CONNECTIONS_PATH } from '../routes.js';
import type { ScopeGroup } from '../../../api/access/scope-groups.js';

export interface Consent {
  readonly action: string;
  readonly csrf: string;
  readonly applicationName: string;
  readonly organizationName: string;
  /** null: the user chooses it with the button. */
  readonly environment: 'test' | 'live' | null;
  readonly userName: string;
  /** The address that the browser is sent to with the answer; undefined for a device. */
  readonly redirectUri: string | undefined;
  /** The scopes that the user decides about. */
  readonly asked: readonly ScopeGroup[];
  /** Those of them that are not chosen yet. */
  readonly leftOut: readonly string[];
  /** The user has decided about all of them before. */
  readonly isRepeated: boolean;
  /** What was wrong with the last answer. */
  readonly problem: string | undefined;
  /** What else the user should know before they decide. */
  readonly warning?: Html;
}

/** The button says what it allows, so nobody chooses real data by mistake. */
const CHOICE = html`<button name="do" value="allow:test">Allow for test data</button>
<button name="do" value="allow:live">Allow for live data</button>`;
const ALLOW = html`<button name="do" value="allow">Allow</button>`;

export function consentPage(consent: Consent): string {
  const { action, csrf, applicationName, environment, asked, leftOut, isRepeated, problem, warning = html`` } = consent;
  const again = html`<p><strong>${applicationName}</strong> asks you to confirm what you allowed before.</p>`;
  const first = html`<p><strong>${applicationName}</strong> asks for permission to do this for you. You can leave out what you do not
want to allow.</p>`;
  const said = problem === undefined ? html`` : html`<p class="error" role="alert">${problem}</p>\n`;
  const body = html`${warning}${modeOf(consent)}${isRepeated ? again : first}
${said}<form method="post" action="${action}">
<input type="hidden" name="csrf" value="${csrf}">
${asked.map((group) => choicesOf(group, leftOut))}${factsOf(consent)}${environment === null ? CHOICE : ALLOW}
<button class="plain" name="do" value="refuse">Refuse</button>
<button class="plain" name="do" value="other-account">Use another account</button>
</form>`;
  return page({ title: `Allow ${applicationName}?`, body });
}

/** Said in words and by a frame, since colours alone are not seen by everybody. */
function modeOf({ environment, organizationName }: Consent): Html {
  if (environment === null) return html``;
  if (environment === 'test') return html`<p class="mode"><strong>Test data.</strong> Real data is not touched.</p>\n`;
  return html`<p class="mode live"><strong>Live: real data.</strong> This is about the real data
of ${organizationName}.</p>\n`;
}

function choicesOf({ title, scopes }: ScopeGroup, leftOut: readonly string[]): Html {
  const choices = scopes.map(({ scope, sentence, isWrite }) => {
    const checked = leftOut.includes(scope) ? html`` : html` checked`;
    return html`<label class="choice"><input type="checkbox" name="scope" value="${scope}"${checked}>
<span><strong>${isWrite ? 'Change:' : 'View:'}</strong> ${sentence} <span class="hint">(${scope})</span></span></label>
`;
  });
  return html`<fieldset><legend>${title}</legend>
${choices}</fieldset>
`;
}

function factsOf({ organizationName, environment, userName, redirectUri, applicationName }: Consent): Html {
  const place = redirectUri === undefined ? 'This page. The device that shows the code gets the access' : destinationOf(redirectUri);
  return html`<dl>
<div><dt>Organization</dt><dd>${organizationName}</dd></div>
${environment === null ? html`` : environmentRow(environment)}<div><dt>Signed in as</dt><dd>${userName}</dd></div>
<div><dt>You will be sent to</dt><dd>${place}</dd></div>
<div><dt>For how long</dt><dd>Until you end it, at most ${String(CONSENT_DAYS)} days. Then you are asked again.</dd></div>
<div><dt>How to end it</dt><dd>Remove ${applicationName} from <a href="${CONNECTIONS_PATH}">your connected applications</a>. It takes effect
at once.</dd></div>
</dl>
`;
}

const environmentRow = (environment: 'test' | 'live'): Html =>
  html`<div><dt>Environment</dt><dd>${environment === 'live' ? 'Live: real data' : 'Test: no real data'}</dd></div>
`;
