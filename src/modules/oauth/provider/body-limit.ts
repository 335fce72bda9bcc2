import type { KoaContextWithOIDC } from 'oidc-provider';
import { PUSHED_REQUEST_MAX_BYTES, ROUTES } from '../routes.js';

type Ctx = Pick<KoaContextWithOIDC, 'path' | 'method' | 'status' | 'body'> & { readonly request: { readonly length?: number } };

const STORED: readonly string[] = [ROUTES.pushed_authorization_request, ROUTES.device_authorization];

/** Koa middleware: what is stored for a caller who may be anybody is small. */
export async function boundBody(ctx: Ctx, next: () => Promise<void>): Promise<void> {
  const { length } = ctx.request;
  if (ctx.method !== 'POST' || !STORED.includes(ctx.path)) return next();
  if (length !== undefined && length <= PUSHED_REQUEST_MAX_BYTES) return next();
  ctx.status = length === undefined ? 411 : 413;
  ctx.body = {
    error: 'invalid_request',
    error_description: `the body must have a Content-Length of at most ${PUSHED_REQUEST_MAX_BYTES} bytes`,
  };
}
