import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationModule } from '../../organization/index.js';
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
import { StatementLayout } from './statement-layout.entity.js';
import { StatementLayoutsRepository } from './statement-layouts.repository.js';
import { StatementLayoutsService } from './statement-layouts.service.js';
import { TenantRedaction } from './tenant-redaction.js';

const REPOSITORIES = [
  CounterpartyDecisionsRepository,
  ExpiredContentRepository,
  LinesRepository,
  OriginalsRepository,
  RedactionKeysRepository,
  StatementLayoutsRepository,
];

const SERVICES = [StatementContent, MatchedAccounts, CounterpartyDecisionsService, StatementLayoutsService];

/** Originals, redacted lines, redaction keys, decisions on counterparties, and layouts. */
@Module({
  imports: [
    TypeOrmModule.forFeature([StatementOriginal, StatementLineRow, RedactionKey, CounterpartyDecision, StatementLayout]),
    OrganizationModule,
  ],
  providers: [TenantRedaction, ...SERVICES, ...REPOSITORIES],
  exports: [...SERVICES, ...REPOSITORIES],
})
export class ContentModule {}
