import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { page, pageHeaders } from '../../../api/http/pages/page.js';

/** The page for errors that cannot be sent back to the application. */
export function errorPage(ctx: KoaContextWithOIDC, { error, error_description: description }: ErrorOut): void {
  ctx.set(pageHeaders());
  ctx.body = errorText(description ?? error);
}

export function errorText(reason: string): string {
  const body = (
    <>
      <p class="error" role="alert">
        {reason}
      </p>
      <p>Go back to the application that sent you here and try again. If that does not help, contact the provider of the application.</p>
    </>
  );
  return page({ title: 'This request cannot be completed', body });
}
