import { Injectable } from '@nestjs/common';
import { changeContext, type Actor, type ChangeContext } from '../../../../kernel/context.js';
import { Problem } from '../../../../kernel/problems.js';
import { Settings } from '../../../../kernel/settings/settings.js';
import { Clock } from '../../../../kernel/time.js';
import { type AuditAction, AuditRecorder } from '../../../../store/audit/audit-recorder.js';
import { type InTransaction, UnitOfWork } from '../../../../store/database/unit-of-work.js';
import { documentUrlProblem } from '../documents/client-documents.js';
import { isRegisteredId } from '../registrations/registrations.service.js';
import type { ClientDecision, ConnectionRule } from './connection-rule.entity.js';
import { ConnectionRulesRepository } from './connection-rules.repository.js';

/** Owners and admins decide for their organization; others ask them. */
export const DEFAULT_RULE: ConnectionRule = 'listed';

/** What an organization says to a shared application. `undecided`: nobody there has been asked yet. */
export type Verdict = 'allowed' | 'denied' | 'undecided' | 'none_allowed';

/** Which shared applications an organization allows. Whatever changes is in force everywhere within a second. */
@Injectable()
export class ConnectionRulesService {
  constructor(
    private readonly rules: ConnectionRulesRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  async verdict(organizationId: string, clientId: string): Promise<Verdict> {
    const { rule, isAllowed } = await this.rules.decided(organizationId, clientId);
    const inForce = rule ?? DEFAULT_RULE;
    if (inForce === 'none') return 'none_allowed';
    if (isAllowed !== null) return isAllowed ? 'allowed' : 'denied';
    return inForce === 'all' ? 'allowed' : 'undecided';
  }

  /** Whether tokens of its users work. */
  async allows(organizationId: string, clientId: string): Promise<boolean> {
    return (await this.verdict(organizationId, clientId)) === 'allowed';
  }

  async ofOrganization(organizationId: string): Promise<{ rule: ConnectionRule; decisions: ClientDecision[] }> {
    const { rule } = await this.rules.decided(organizationId, '');
    return { rule: rule ?? DEFAULT_RULE, decisions: await this.rules.ofOrganization(organizationId) };
  }

  setRule(actor: Actor, organizationId: string, rule: ConnectionRule): Promise<void> {
    return this.unitOfWork.run(changeContext(organizationId, actor), async (ctx) => {
      const from = (await this.rules.decided(organizationId, '', ctx.unit)).rule ?? DEFAULT_RULE;
      if (from === rule) return;
      await this.rules.setRule(organizationId, rule, this.clock.timestamp(), ctx.unit);
      this.record(ctx, 'organization.applications_changed', { applications: { from, to: rule } });
    });
  }

  async decide(actor: Actor, organizationId: string, clientId: string, isAllowed: boolean): Promise<void> {
    if (!isRegisteredId(clientId) && documentUrlProblem(clientId, this.settings.clientDocumentAllowedNetworks) !== undefined)
      throw Problem.invalidField('client', 'not_allowed', `must be the URL of a metadata document, or a client id that begins with reg_`);
    await this.unitOfWork.run(changeContext(organizationId, actor), (ctx) => this.decideIn(ctx, clientId, isAllowed));
  }

  /** The same in an open transaction. */
  async decideIn(ctx: InTransaction<ChangeContext>, clientId: string, isAllowed: boolean): Promise<void> {
    const { organizationId, unit } = ctx;
    const from = (await this.rules.decided(organizationId, clientId, unit)).isAllowed;
    if (from === isAllowed) return;
    await this.rules.decide({ organizationId, clientId, isAllowed, updatedAt: this.clock.timestamp() }, unit);
    this.record(ctx, isAllowed ? 'organization.application_allowed' : 'organization.application_denied', {
      client: { from: null, to: clientId },
    });
  }

  private record(ctx: InTransaction<ChangeContext>, action: AuditAction, changes: Record<string, { from: unknown; to: unknown }>): void {
    this.audit.record(ctx, { action, resourceId: ctx.organizationId, changes });
  }
}
