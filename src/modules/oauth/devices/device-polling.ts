import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { RateLimiter } from '../../../api/limits/rate-limiter.js';

/** A device asks every five seconds, as RFC 8628 has it without an `interval`. */
const PER_DEVICE = { perMinute: 12, burst: 2 };

type Ctx = Pick<KoaContextWithOIDC, 'body'> & Partial<Pick<KoaContextWithOIDC, 'oidc'>>;

const errorOf = (body: unknown): unknown => (body as { error?: unknown } | undefined)?.error;

export const isWaiting = (body: unknown): boolean => ['authorization_pending', 'slow_down'].includes(errorOf(body) as string);

/** Tells devices that ask too often to slow down (RFC 8628, 3.5). */
@Injectable()
export class DevicePolling {
  constructor(private readonly limiter: RateLimiter) {}

  async around(ctx: Ctx, next: () => Promise<void>): Promise<void> {
    await next();
    const code = ctx.oidc?.params?.device_code;
    if (errorOf(ctx.body) !== 'authorization_pending' || typeof code !== 'string') return;
    const key = createHash('sha256').update(code).digest('base64url');
    const { allowed } = await this.limiter.take(`device:${key}`, PER_DEVICE);
    if (!allowed) ctx.body = { error: 'slow_down', error_description: 'ask every 5 seconds, and 5 seconds less often after this answer' };
  }
}
