import type { KoaContextWithOIDC } from 'oidc-provider';
import { GRANT_NAMES } from '../applications/application.entity.js';
import { CALLED_BY_APPLICATIONS, ROUTES } from '../routes.js';

type Ctx = Pick<KoaContextWithOIDC, 'path' | 'method' | 'status' | 'body' | 'get'> & Partial<Pick<KoaContextWithOIDC, 'oidc'>>;

/** Koa middleware: the errors that the RFCs have, where the library answers `invalid_request`. */
export async function refineErrors(ctx: Ctx, next: () => Promise<void>): Promise<void> {
  await next();
  if (ctx.method !== 'POST' || !CALLED_BY_APPLICATIONS.includes(ctx.path) || ctx.status >= 500) return;
  if (isUnauthenticated(ctx)) {
    ctx.status = 401;
    ctx.body = { error: 'invalid_client', error_description: 'client authentication is required' };
  } else if (isGrantNotAllowed(ctx)) {
    ctx.body = { error: 'unauthorized_client', error_description: 'the application may not use this grant type' };
  }
}

/** RFC 6749, 5.2: no client authentication included. For introspection the id of a public application is none (RFC 7662, 2.1). */
function isUnauthenticated(ctx: Ctx): boolean {
  const { path, status, oidc } = ctx;
  if (!oidc) return false;
  if (path === ROUTES.introspection && oidc.client?.clientAuthMethod === 'none') return true;
  const { client_id: id, client_secret: secret, client_assertion: assertion } = oidc.params ?? {};
  const isNone = [id, secret, assertion].every((sent) => sent === undefined) && ctx.get('authorization') === '';
  return status === 400 && !oidc.client && isNone;
}

/** RFC 6749, 5.2. A grant type that does not exist is another error. */
function isGrantNotAllowed({ path, body, oidc }: Ctx): boolean {
  const grantType = path === ROUTES.device_authorization ? GRANT_NAMES.device_code : oidc?.params?.grant_type;
  const isForGrant = path === ROUTES.token || path === ROUTES.device_authorization;
  const isInvalidRequest = (body as { error?: unknown } | undefined)?.error === 'invalid_request';
  return isForGrant && isInvalidRequest && typeof grantType === 'string' && oidc!.client?.grantTypeAllowed(grantType) === false;
}
