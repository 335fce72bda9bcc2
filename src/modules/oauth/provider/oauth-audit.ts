import { Injectable } from '@nestjs/common';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { type AuditAction, AuditRecorder } from '../../../store/audit/audit-recorder.js';
import type { Changes } from '../../../kernel/changes.js';
import type { Actor } from '../../../kernel/context.js';
import type { Application } from '../applications/application.entity.js';
import { OAuthTransactions } from '../storage/oauth-transactions.js';
import { Accounts } from './accounts.js';

export interface Decision {
  readonly application: Application;
  readonly user: { readonly id: string; readonly name: string };
  readonly scopes: readonly string[];
  /** The scopes that were asked for, and that the user left out. */
  readonly leftOut?: readonly string[];
  readonly requestId: string;
  readonly ipAddress: string;
}

/** Writes consents, refusals and revocations to the audit log of the organization, in the transaction of the request. */
@Injectable()
export class OAuthAudit {
  constructor(
    private readonly audit: AuditRecorder,
    private readonly transactions: OAuthTransactions,
    private readonly accounts: Accounts,
  ) {}

  /** By the application itself, or because a code or refresh token was used twice. */
  async revoked(ctx: KoaContextWithOIDC): Promise<void> {
    const { client, route, entities } = ctx.oidc;
    const application = client && (await this.accounts.actingAs(client));
    if (!application) return;
    const reason = route === 'revocation' ? 'revoked' : 'used_again';
    const userId = (entities.RefreshToken ?? entities.AccessToken ?? entities.AuthorizationCode)?.accountId ?? null;
    const actor = { type: 'api' as const, id: application.id, name: application.name };
    this.record(
      'application.access_revoked',
      application,
      actor,
      { reason: { from: null, to: reason }, user: { from: userId, to: null } },
      { requestId: String(ctx.res.getHeader('x-request-id')), ipAddress: ctx.ip },
    );
  }

  decided(
    action: 'application.access_given' | 'application.access_refused',
    { application, user, scopes, leftOut = [], ...call }: Decision,
  ): void {
    this.record(
      action,
      application,
      { type: 'user', ...user },
      {
        user: { from: null, to: user.id },
        scopes: { from: null, to: scopes },
        ...(leftOut.length > 0 && { leftOut: { from: null, to: leftOut } }),
      },
      call,
    );
  }

  private record(
    action: AuditAction,
    { id, organizationId, environment }: Application,
    actor: Actor,
    changes: Changes,
    call: { requestId: string; ipAddress: string },
  ): void {
    const unit = this.transactions.current;
    if (!unit) throw new Error(`${action} cannot be recorded outside a transaction.`);
    this.audit.record({ organizationId, environment, actor, emits: [], unit, ...call }, { action, resourceId: id, changes });
  }
}
