import { Injectable } from '@nestjs/common';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { counter } from '../../../kernel/metrics.js';
import { FailedCredentials } from '../../../api/access/failed-credentials.js';
import { DevicePages } from '../devices/device-pages.js';
import { DevicePolling, isWaiting } from '../devices/device-polling.js';
import { OAuthAudit } from './oauth-audit.js';
import { AuthorizationLimits } from './authorization-limits.js';
import { GRANT_NAMES } from '../applications/application.entity.js';
import { boundBody } from './body-limit.js';
import { refineErrors } from './refined-errors.js';
import { CALLED_BY_APPLICATIONS, ROUTES } from '../routes.js';
import { OAuthTransactions } from '../storage/oauth-transactions.js';

const TOKENS = counter('oauth_token_requests_total', 'Requests to the token endpoint, by grant and outcome.', ['grant', 'outcome']);
const GRANTS: readonly unknown[] = [...Object.values(GRANT_NAMES), 'refresh_token'];

/** Callers may send anything. */
const grantOf = (params: KoaContextWithOIDC['oidc']['params']): string =>
  GRANTS.includes(params?.grant_type) ? (params!.grant_type as string) : 'other';

/** `oidc` is missing for a path that the authorization server does not have. */
type Ctx = Pick<KoaContextWithOIDC, 'path' | 'status' | 'body' | 'set' | 'ip' | 'state'> & Partial<Pick<KoaContextWithOIDC, 'oidc'>>;

/** What this service does around each request to the authorization server. */
@Injectable()
export class ProviderHooks {
  constructor(
    private readonly transactions: OAuthTransactions,
    private readonly failures: FailedCredentials,
    private readonly audit: OAuthAudit,
    private readonly authorizations: AuthorizationLimits,
    private readonly polling: DevicePolling,
    readonly devices: DevicePages,
  ) {}

  attachTo(provider: Provider): void {
    provider.use((ctx, next) => this.authorizations.around(ctx, next));
    provider.use((ctx, next) => this.limitFailures(ctx, next));
    provider.use(boundBody);
    provider.use(refineErrors);
    provider.use((ctx, next) => this.polling.around(ctx, next));
    provider.use((ctx, next) => this.transactions.around(ctx, next));
    provider.on('server_error', (ctx, error) => this.transactions.answer(ctx, error));
    // Listeners are not waited for, so the last of our own steps writes to the audit log.
    provider.use((ctx, next) => this.recordRevocation(ctx, next));
    provider.on('grant.success', ({ oidc }) => TOKENS.inc({ grant: grantOf(oidc.params), outcome: 'issued' }));
    provider.on('grant.error', ({ oidc }) => TOKENS.inc({ grant: grantOf(oidc.params), outcome: 'refused' }));
    provider.on('grant.revoked', (ctx) => (ctx.state.isGrantRevoked = true));
  }

  /** Within the transaction. */
  private async recordRevocation(ctx: Ctx, next: () => Promise<void>): Promise<void> {
    await next();
    if (ctx.state.isGrantRevoked && ctx.oidc) await this.audit.revoked(ctx as KoaContextWithOIDC);
  }

  /** Limits callers that guess client secrets, codes or tokens, like callers that guess API keys. */
  private async limitFailures(ctx: Ctx, next: () => Promise<void>): Promise<void> {
    await next();
    const refusal = isFailure(ctx) ? await this.failures.refusalOf(ctx.ip) : undefined;
    if (!refusal) return;
    ctx.status = refusal.status;
    ctx.set({ ...refusal.headers });
    ctx.body = { error: 'temporarily_unavailable', error_description: 'too many calls with wrong credentials came from this address' };
  }
}

/**
 * Whether a caller failed who has not proved to be an application. A public one cannot prove it, since anyone knows its id: it
 * proves something with a code or token only. Revoking succeeds whatever the token is (RFC 7009), so it always counts.
 */
function isFailure({ status, path, body, oidc }: Pick<Ctx, 'status' | 'path' | 'body' | 'oidc'>): boolean {
  if (!CALLED_BY_APPLICATIONS.includes(path) || status >= 500 || isWaiting(body)) return false;
  const isUnproved = !oidc?.client || oidc.client.clientAuthMethod === 'none';
  return status === 401 || (isUnproved && (status >= 400 || path === ROUTES.revocation));
}
