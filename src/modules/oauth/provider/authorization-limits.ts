import { Injectable } from '@nestjs/common';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { pageHeaders } from '../../../api/http/pages/page.js';
import { wordingFor } from '../../../api/wording/page-wording.js';
import type { Wording } from '../../../api/wording/wording.js';
import { RateLimiter } from '../../../api/limits/rate-limiter.js';
import { digestOf } from '../../../kernel/text.js';
import { isClientId } from '../applications/client-secret.js';
import { isDocumentUrl } from '../shared/documents/client-documents.js';
import { isRegisteredId } from '../shared/registrations/registrations.service.js';
import { AUTHORIZATION_QUERY_MAX_BYTES, ROUTES } from '../routes.js';
import { errorText } from './error.page.js';

/** For all callers of one application together. The limit by address is in kernel/address-limits.ts. */
const PER_APPLICATION = { perMinute: 300, burst: 300 };
/** An application that serves every organization has more users. */
const PER_SHARED_APPLICATION = { perMinute: 3000, burst: 3000 };

type Ctx = Pick<KoaContextWithOIDC, 'path' | 'query' | 'querystring' | 'status' | 'body' | 'set' | 'headers'>;

/** Anyone can send authorization requests, and each one stores a row: so they are small and not too many. */
@Injectable()
export class AuthorizationLimits {
  constructor(private readonly limiter: RateLimiter) {}

  async around(ctx: Ctx, next: () => Promise<void>): Promise<void> {
    if (ctx.path !== ROUTES.authorization) return next();
    if (ctx.querystring.length > AUTHORIZATION_QUERY_MAX_BYTES)
      return refuse(ctx, 400, ({ say }) => say('consent.tooLong', { bytes: AUTHORIZATION_QUERY_MAX_BYTES }));
    const { client_id: clientId } = ctx.query;
    const tier = typeof clientId === 'string' ? tierOf(clientId) : undefined;
    if (tier) {
      const { allowed, retryAfterSeconds } = await this.limiter.take(`authorize:${digestOf(clientId as string)}`, tier);
      if (!allowed) {
        ctx.set('Retry-After', String(retryAfterSeconds));
        return refuse(ctx, 429, ({ say }) => say('consent.tooMany'));
      }
    }
    await next();
  }
}

/** undefined: no application has such a client id. */
function tierOf(clientId: string) {
  if (isClientId(clientId)) return PER_APPLICATION;
  return isRegisteredId(clientId) || isDocumentUrl(clientId) ? PER_SHARED_APPLICATION : undefined;
}

function refuse(ctx: Ctx, status: number, reason: (wording: Wording) => string): void {
  const wording = wordingFor(ctx);
  ctx.status = status;
  ctx.set(pageHeaders());
  ctx.body = errorText(reason(wording), wording);
}
