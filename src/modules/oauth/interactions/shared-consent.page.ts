import { html, type Html } from '../../../api/http/pages/html.js';
import { page } from '../../../api/http/pages/page.js';
import type { ConnectionRefusal } from '../shared/connections/connections.service.js';
import type { SharedClient } from '../shared/shared-client.js';

/** What users can rely on: a host belongs to somebody, a name can be claimed by anyone. */
export const identityOf = ({ host, name }: SharedClient): string => host ?? name;

/** Who asks, and how far that is proven. */
export function whoAsks({ host, name, isListed }: SharedClient, deciding: { readonly organizationName: string } | undefined): Html {
  const verified = html`<p>The operator of this service has listed <strong>${name}</strong>.</p>`;
  const byHost = html`<p>This application is published by <strong>${host ?? ''}</strong> and calls itself “${name}”.</p>
${NOT_VERIFIED}`;
  const byName = html`<p>This application calls itself “${name}”. Anyone can use any name.</p>
${NOT_VERIFIED}`;
  const forAll = html`<p>With your consent all members of <strong>${deciding?.organizationName ?? ''}</strong> can connect it.</p>`;
  return html`${isListed ? verified : host === null ? byName : byHost}
${deciding ? forAll : html``}`;
}

const NOT_VERIFIED = html`<p class="error">It is not verified by us. Continue only if you have just started this yourself, in an application
that you trust.</p>`;

const REASONS: Record<ConnectionRefusal, string> = {
  none_allowed: 'does not allow applications like this one.',
  denied: 'has blocked this application.',
  suspended: 'has suspended this application.',
  ask_an_owner: 'has not allowed this application yet. Ask an owner or admin to connect it first.',
};

export interface RefusedConnection {
  readonly action: string;
  readonly csrf: string;
  readonly applicationName: string;
  readonly organizationName: string;
  readonly reason: ConnectionRefusal;
}

/** The organization does not allow the application. The button returns to it with an error. */
export function refusedConnectionPage({ action, csrf, applicationName, organizationName, reason }: RefusedConnection): string {
  const body = html`<p class="error" role="alert"><strong>${organizationName}</strong> ${REASONS[reason]}</p>
<form method="post" action="${action}">
<input type="hidden" name="csrf" value="${csrf}">
<button name="do" value="refuse">Go back to the application</button>
</form>`;
  return page({ title: `${applicationName} cannot be connected`, body });
}
