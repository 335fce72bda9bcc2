import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationModule } from '../../organization/index.js';
import { LayoutsModule } from '../layouts/layouts.module.js';
import { CounterpartyDecision } from './counterparty-decision.entity.js';
import { CounterpartyDecisionsRepository } from './counterparty-decisions.repository.js';
import { CounterpartyDecisionsService } from './counterparty-decisions.service.js';
import { ExpiredContentRepository } from './expired-content.repository.js';
import { LinesRepository } from './lines.repository.js';
import { MatchedAccounts } from './matched-accounts.js';
import { OriginalsRepository } from './originals.repository.js';
import { RedactionKeysRepository } from './redaction-keys.repository.js';
import { RedactionKey, StatementLineRow, StatementOriginal } from './statement-content.entity.js';
import { StatementContent } from './statement-content.js';
import { TenantRedaction } from './tenant-redaction.js';

const REPOSITORIES = [
  CounterpartyDecisionsRepository,
  ExpiredContentRepository,
  LinesRepository,
  OriginalsRepository,
  RedactionKeysRepository,
];

/** Originals, redacted lines, redaction keys, and decisions on counterparties. */
@Module({
  imports: [
    TypeOrmModule.forFeature([StatementOriginal, StatementLineRow, RedactionKey, CounterpartyDecision]),
    OrganizationModule,
    LayoutsModule,
  ],
  providers: [StatementContent, MatchedAccounts, TenantRedaction, CounterpartyDecisionsService, ...REPOSITORIES],
  exports: [StatementContent, MatchedAccounts, CounterpartyDecisionsService, LayoutsModule, ...REPOSITORIES],
})
export class ContentModule {}
