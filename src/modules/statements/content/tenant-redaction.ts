import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { OrganizationService } from '../../organization/index.js';
import { CounterpartyDecisionsRepository } from './counterparty-decisions.repository.js';
import type { WrittenLayout } from '../formats/csv/layouts/written-layout.js';
import type { FileToRead } from './read-and-redact.computation.js';
import { RedactionKeysRepository } from './redaction-keys.repository.js';
import { StatementLayoutsRepository } from '../layouts/statement-layouts.repository.js';

/** What redaction knows of a tenant: its key, and what its organization has decided. */
@Injectable()
export class TenantRedaction {
  constructor(
    private readonly keys: RedactionKeysRepository,
    private readonly organizations: OrganizationService,
    private readonly decisions: CounterpartyDecisionsRepository,
    private readonly layouts: StatementLayoutsRepository,
  ) {}

  /** How its organization reads tables. */
  async layoutsOf(tenant: Tenant): Promise<WrittenLayout[]> {
    return (await this.layouts.of(tenant)).map(({ layout }) => layout);
  }

  keyOf(tenant: Tenant): Promise<Buffer> {
    return this.keys.of(tenant);
  }

  async of(tenant: Tenant): Promise<Pick<FileToRead, 'key' | 'redactCounterparties' | 'decisions'>> {
    const { redactCounterparties } = await this.organizations.byId(tenant.organizationId);
    const decisions = new Map((await this.decisions.of(tenant)).map(({ digest, decidedAs }) => [digest, decidedAs]));
    return { key: await this.keys.of(tenant), redactCounterparties, decisions };
  }
}
