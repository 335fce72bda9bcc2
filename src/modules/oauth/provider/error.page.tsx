import type { ComponentChildren } from 'preact';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { Note } from '../../../api/console/parts/facts.js';
import { page, pageHeaders } from '../../../api/http/pages/page.js';
import { wordingFor } from '../../../api/wording/page-wording.js';
import type { Wording } from '../../../api/wording/wording.js';

/** The page for errors that cannot be sent back to the application. */
export function errorPage(ctx: KoaContextWithOIDC, { error, error_description: description }: ErrorOut): void {
  ctx.set(pageHeaders());
  ctx.body = errorText(<span lang="en">{description ?? error}</span>, wordingFor(ctx));
}

/** `reason`: in the language of the page, or with its own. */
export function errorText(reason: ComponentChildren, { say, language }: Wording): string {
  const body = [<Note tone="error">{reason}</Note>, <p>{say('consent.failedAbout')}</p>];
  return page({ title: say('consent.failed'), language, body });
}
