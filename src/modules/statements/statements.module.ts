import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationModule } from '../organization/index.js';
import { ProjectsModule } from '../projects/index.js';
import { CONSOLE_CONTROLLERS, CONSOLE_ENTITIES, CONSOLE_PROVIDERS } from './console/console-providers.js';
import { ContentModule } from './content/content.module.js';
import { IMPORT_PROVIDERS } from './import/import-providers.js';
import { RedactionProcessor } from './redaction/redaction.processor.js';
import { RedactionRecord } from './redaction/redaction-record.js';
import { StatementRetention } from './retention/statement-retention.js';
import { StatementOperatorService } from './statement-operator.service.js';
import { BankStatement } from './statement.entity.js';
import { StatementsController } from './statements.controller.js';
import { StatementsRepository } from './statements.repository.js';
import { StatementsService } from './statements.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([BankStatement, ...CONSOLE_ENTITIES]), ContentModule, OrganizationModule, ProjectsModule],
  controllers: [StatementsController, ...CONSOLE_CONTROLLERS],
  providers: [
    StatementsService,
    StatementsRepository,
    ...IMPORT_PROVIDERS,
    RedactionProcessor,
    RedactionRecord,
    StatementOperatorService,
    StatementRetention,
    ...CONSOLE_PROVIDERS,
  ],
  exports: [StatementsService, StatementOperatorService],
})
export class StatementsModule {}
