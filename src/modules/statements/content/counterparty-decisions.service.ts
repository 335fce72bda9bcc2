import { Injectable } from '@nestjs/common';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import type { Actor, Tenant } from '../../../kernel/context.js';
import { newId } from '../../../kernel/ids.js';
import { Problem } from '../../../kernel/problems.js';
import { Clock } from '../../../kernel/time.js';
import type { CounterpartyDecision } from './statement-content.entity.js';
import { CounterpartyDecisionsRepository, MAX_DECISIONS } from './statement-content.repository.js';
import { StatementContent } from './statement-content.js';
import type { Verdict } from '../../../../tools/personal-data/index.js';
import { plainText, tokenOf } from '../../../../tools/personal-data/tokens/index.js';

/** What redacted lines have for a person. */
const TOKEN = /^PERSON-[0-9A-Z]{12}$/;
const MAX_NAME_LENGTH = 1000;

/** An organization says of counterparties that they are companies or people. It takes effect for statements that are redacted later. */
@Injectable()
export class CounterpartyDecisionsService {
  constructor(
    private readonly decisions: CounterpartyDecisionsRepository,
    private readonly content: StatementContent,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
  ) {}

  list(tenant: Tenant): Promise<CounterpartyDecision[]> {
    return this.decisions.list(tenant);
  }

  /** `name` is a name as statements have it, or the token of one. A decision that was made before is replaced. */
  async decide(actor: Actor, tenant: Tenant, name: string, decidedAs: Verdict): Promise<CounterpartyDecision> {
    const digest = await this.makeDigest(tenant, name);
    return this.unitOfWork.runAs(actor, tenant, async (ctx) => {
      const before = await this.decisions.lock(ctx, digest);
      if (before?.decidedAs === decidedAs) return before;
      if (!before && (await this.decisions.count(ctx)) >= MAX_DECISIONS) throw tooMany();
      const { organizationId, environment } = tenant;
      const after = { id: before?.id ?? newId(), organizationId, environment, digest, decidedAs, decidedAt: this.clock.timestamp() };
      await this.decisions.save(ctx, after);
      const changes = { digest: { from: null, to: digest }, decidedAs: { from: before?.decidedAs ?? null, to: decidedAs } };
      this.audit.record(ctx, { action: 'counterparty_decision.made', resourceId: after.id, changes });
      return after;
    });
  }

  /** Undefined if there is no decision on the counterparty. */
  async remove(actor: Actor, tenant: Tenant, name: string): Promise<CounterpartyDecision | undefined> {
    const digest = await this.makeDigest(tenant, name);
    return this.unitOfWork.runAs(actor, tenant, async (ctx) => {
      const before = await this.decisions.lock(ctx, digest);
      if (!before) return undefined;
      await this.decisions.remove(ctx, digest);
      const changes = { digest: { from: digest, to: null }, decidedAs: { from: before.decidedAs, to: null } };
      this.audit.record(ctx, { action: 'counterparty_decision.removed', resourceId: before.id, changes });
      return before;
    });
  }

  private async makeDigest(tenant: Tenant, name: string): Promise<string> {
    const plain = plainText(name);
    if (plain === '' || plain.length > MAX_NAME_LENGTH) throw badName();
    return TOKEN.test(plain) ? plain : tokenOf(await this.content.findKey(tenant), 'person', plain);
  }
}

const badName = (): Problem => Problem.invalidField('name', 'too_long', `must have 1 to ${MAX_NAME_LENGTH} characters`);
const tooMany = (): Problem => Problem.invalidField('name', 'too_many', `there are ${MAX_DECISIONS} decisions already`);
