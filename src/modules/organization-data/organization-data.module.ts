import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { OrganizationModule } from '../organization/index.js';
import { CatalogueRepository } from './catalogue.repository.js';
import { ErasureService } from './erasure/erasure.service.js';
import { RowsRepository } from './erasure/rows.repository.js';
import { MoveInService } from './move/move-in.service.js';
import { MoveOutService } from './move/move-out.service.js';
import { MovedTables } from './move/moved-tables.js';
import { SupportService } from './support/support.service.js';
import { ResetService } from './reset/reset.service.js';
import { ExportedContent, ExportService } from './export/export.service.js';

@Module({
  imports: [OrganizationModule, AuditModule],
  providers: [
    CatalogueRepository,
    RowsRepository,
    ErasureService,
    ExportedContent,
    ExportService,
    SupportService,
    MovedTables,
    MoveOutService,
    MoveInService,
    ResetService,
  ],
  exports: [ErasureService, ExportService, SupportService, MoveOutService, MoveInService, ResetService],
})
export class OrganizationDataModule {}
