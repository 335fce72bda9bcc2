import { Injectable } from '@nestjs/common';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { FailedCredentials } from '../../../api/access/failed-credentials.js';
import { OAuthAudit } from './oauth-audit.js';
import { OAuthTransactions } from '../storage/oauth-transactions.js';

type Ctx = Pick<KoaContextWithOIDC, 'status' | 'body' | 'set' | 'ip'>;

/** What this service does around each request to the authorization server. */
@Injectable()
export class ProviderHooks {
  constructor(
    private readonly transactions: OAuthTransactions,
    private readonly failures: FailedCredentials,
    private readonly audit: OAuthAudit,
  ) {}

  attachTo(provider: Provider): void {
    provider.use((ctx, next) => this.limitFailures(ctx, next));
    provider.use((ctx, next) => this.transactions.around(ctx, next));
    provider.on('server_error', (ctx, error) => this.transactions.answer(ctx, error));
    provider.on('grant.revoked', (ctx) => this.audit.revoked(ctx));
  }

  /** Limits callers that guess client secrets, like callers that guess API keys. */
  private async limitFailures(ctx: Ctx, next: () => Promise<void>): Promise<void> {
    await next();
    const refusal = ctx.status === 401 ? await this.failures.refusalOf(ctx.ip) : undefined;
    if (!refusal) return;
    ctx.status = refusal.status;
    ctx.set({ ...refusal.headers });
    ctx.body = { error: 'temporarily_unavailable', error_description: 'too many calls with wrong credentials came from this address' };
  }
}
