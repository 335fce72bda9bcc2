import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CategoriesModule } from '../categories/index.js';
import { ConfigurationsModule } from '../configurations/index.js';
import { ProjectsModule } from '../projects/index.js';
import { StatementsModule } from '../statements/index.js';
import { ReportControlService } from './report-control.service.js';
import { ReportInputs } from './report-inputs.js';
import { ReportMaker } from './report-maker.js';
import { ReportRecord } from './report-record.js';
import { ReportRunProcessor } from './report-run.processor.js';
import { ClaimReport, ClaimReportFile } from './report.entity.js';
import { ReportsController } from './reports.controller.js';
import { ReportsRepository } from './reports.repository.js';
import { ReportsService } from './reports.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([ClaimReport, ClaimReportFile]),
    ProjectsModule,
    CategoriesModule,
    ConfigurationsModule,
    StatementsModule,
  ],
  controllers: [ReportsController],
  providers: [ReportsService, ReportsRepository, ReportInputs, ReportMaker, ReportRecord, ReportRunProcessor, ReportControlService],
  exports: [ReportsService, ReportControlService],
})
export class ReportsModule {}
