import { Injectable } from '@nestjs/common';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { createHash } from 'node:crypto';
import { pageHeaders } from '../../../api/http/pages/page.js';
import { RateLimiter } from '../../../api/limits/rate-limiter.js';
import { wordingFor } from '../../../api/wording/page-wording.js';
import type { Wording } from '../../../api/wording/wording.js';
import { digestOf } from '../../../kernel/text.js';
import { isClientId } from '../applications/client-metadata.js';
import { AUTHORIZATION_QUERY_MAX_BYTES, ROUTES } from '../resources.js';
import { isDocumentUrl } from '../shared/documents/client-documents.js';
import { isRegisteredId } from '../shared/registrations/registrations.service.js';
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

/** A device asks every five seconds, as RFC 8628 has it without an `interval`. */
const PER_DEVICE = { perMinute: 12, burst: 2 };

type DeviceCtx = Pick<KoaContextWithOIDC, 'body'> & Partial<Pick<KoaContextWithOIDC, 'oidc'>>;

const errorOf = (body: unknown): unknown => (body as { error?: unknown } | undefined)?.error;

export const isWaiting = (body: unknown): boolean => ['authorization_pending', 'slow_down'].includes(errorOf(body) as string);

/** Tells devices that ask too often to slow down (RFC 8628, 3.5). */
@Injectable()
export class DevicePolling {
  constructor(private readonly limiter: RateLimiter) {}

  async around(ctx: DeviceCtx, next: () => Promise<void>): Promise<void> {
    await next();
    const code = ctx.oidc?.params?.device_code;
    if (errorOf(ctx.body) !== 'authorization_pending' || typeof code !== 'string') return;
    const key = createHash('sha256').update(code).digest('base64url');
    const { allowed } = await this.limiter.take(`device:${key}`, PER_DEVICE);
    if (!allowed) ctx.body = { error: 'slow_down', error_description: 'ask every 5 seconds, and 5 seconds less often after this answer' };
  }
}
