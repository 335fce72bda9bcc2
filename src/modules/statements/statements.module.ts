import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationModule } from '../organization/index.js';
import { ProjectsModule } from '../projects/index.js';
import { ProjectStatements, UploadStep, StatementSearch } from './console/project-statements.js';
import { LayoutsConsole } from './console/layouts.console.js';
import { StatementUpload, UploadConsole } from './console/upload.console.js';
import { StatementsConsole } from './console/statements.console.js';
import {
  CounterpartyDecisionsRepository,
  ExpiredContentRepository,
  OriginalsRepository,
  RedactionKeysRepository,
} from './content/statement-content.repository.js';
import { CounterpartyDecisionsService } from './content/counterparty-decisions.service.js';
import { LinesRepository } from './content/lines.repository.js';
import { MatchedAccounts, StatementContent, TenantRedaction, StoredLines } from './content/statement-content.js';
import { CounterpartyDecision, RedactionKey, StatementLineRow } from './content/statement-content.entity.js';
import { StatementNames, StatementOriginal } from './content/statement-content.entity.js';
import { ImportRecord, ImportService } from './import/import.service.js';
import { StatementIntake } from './import/intake.js';
import { StatementOperatorService } from './statement-operator.service.js';
import { StatementLayout } from './layouts/statement-layout.entity.js';
import { StatementLayoutsController } from './layouts/statement-layouts.controller.js';
import { StatementLayoutsRepository } from './layouts/statement-layouts.repository.js';
import { StatementLayoutsService } from './layouts/statement-layouts.service.js';
import { NamesConsole } from './names/names.console.js';
import { StatementNamesRepository } from './names/statement-names.repository.js';
import { StatementNamesService } from './names/statement-names.service.js';
import { RedactionProcessor, RedactionRecord } from './redaction/redaction.processor.js';
import { StatementRetention } from './retention/statement-retention.js';
import { StatementChanges, StatementsService } from './statements.service.js';
import { StatementChecksController, StatementsController } from './statements.controller.js';
import { BankStatement } from './statement.entity.js';
import { StatementsRepository } from './statements.repository.js';
import { ClientUploadController, LostUploadPage } from './upload-links/client-upload.controller.js';
import { ClientUpload, UploadLinksService, UploadAddresses } from './upload-links/upload-links.service.js';
import { UploadLink } from './upload-links/upload-link.entity.js';
import { UploadLinksController } from './upload-links/upload-links.controller.js';
import { UploadLinksConsole } from './upload-links/upload-links.console.js';
import { UploadLinksRepository } from './upload-links/upload-links.repository.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([
      BankStatement,
      StatementOriginal,
      StatementLineRow,
      RedactionKey,
      StatementNames,
      CounterpartyDecision,
      StatementLayout,
      UploadLink,
    ]),
    OrganizationModule,
    ProjectsModule,
  ],
  controllers: [
    StatementsController,
    StatementChecksController,
    StatementLayoutsController,
    LayoutsConsole,
    UploadConsole,
    NamesConsole,
    StatementsConsole,
    UploadLinksController,
    UploadLinksConsole,
    ClientUploadController,
  ],
  providers: [
    StatementsService,
    StatementsRepository,
    StatementOperatorService,
    StatementRetention,
    ImportRecord,
    StatementChanges,
    ImportService,
    StatementIntake,
    // Originals, redacted lines, redaction keys, and decisions on counterparties.
    StatementContent,
    MatchedAccounts,
    StoredLines,
    TenantRedaction,
    LinesRepository,
    OriginalsRepository,
    ExpiredContentRepository,
    RedactionKeysRepository,
    CounterpartyDecisionsService,
    CounterpartyDecisionsRepository,
    StatementNamesRepository,
    StatementNamesService,
    RedactionProcessor,
    RedactionRecord,
    // How organizations read the tables of their banks.
    StatementLayoutsRepository,
    StatementLayoutsService,
    // The pages, and links by which clients of the organization upload.
    StatementUpload,
    UploadStep,
    ProjectStatements,
    StatementSearch,
    UploadAddresses,
    UploadLinksRepository,
    UploadLinksService,
    ClientUpload,
    LostUploadPage,
  ],
  exports: [StatementsService, StatementOperatorService, StatementNamesService, UploadLinksService],
})
export class StatementsModule {}
