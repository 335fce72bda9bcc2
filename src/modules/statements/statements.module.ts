import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProjectsModule } from '../projects/index.js';
import { ContentModule } from './content/content.module.js';
import { ImportRecord } from './import/import-record.js';
import { ImportService } from './import/import.service.js';
import { StoredNamesService } from './import/stored-names.service.js';
import { RedactionProcessor } from './redaction/redaction.processor.js';
import { RedactionRecord } from './redaction/redaction-record.js';
import { StatementRetention } from './retention/statement-retention.js';
import { StatementOperatorService } from './statement-operator.service.js';
import { BankStatement } from './statement.entity.js';
import { StatementsController } from './statements.controller.js';
import { StatementsRepository } from './statements.repository.js';
import { StatementsService } from './statements.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([BankStatement]), ContentModule, ProjectsModule],
  controllers: [StatementsController],
  providers: [
    StatementsService,
    StatementsRepository,
    ImportService,
    ImportRecord,
    RedactionProcessor,
    RedactionRecord,
    StatementOperatorService,
    StoredNamesService,
    StatementRetention,
  ],
  exports: [StatementsService, StatementOperatorService],
})
export class StatementsModule {}
