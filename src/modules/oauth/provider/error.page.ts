import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { html } from '../../../api/http/pages/html.js';
import { page, pageHeaders } from '../../../api/http/pages/page.js';

/** What somebody sees in a browser when a request cannot be sent back to the application it came from. */
export function errorPage(ctx: KoaContextWithOIDC, { error, error_description: description }: ErrorOut): void {
  ctx.set(pageHeaders());
  ctx.body = notPossible(description ?? error);
}

export function notPossible(reason: string): string {
  const body = html`<p class="error" role="alert">${reason}</p>
<p>Go back to the application that sent you here and try again. If it happens again, tell those who make the application.</p>`;
  return page({ title: 'This request cannot be answered', body });
}
