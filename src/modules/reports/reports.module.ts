import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CategoriesModule } from '../categories/index.js';
import { ConfigurationsModule } from '../configurations/index.js';
import { ProjectsModule } from '../projects/index.js';
import { StatementsModule } from '../statements/index.js';
import { ReportOperatorService } from './report-operator.service.js';
import { ReportInputs } from './run/report-inputs.js';
import { ReportMaker } from './run/report-maker.js';
import { ReportRecord } from './run/report-record.js';
import { ReportRunProcessor } from './run/report-run.processor.js';
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
  providers: [ReportsService, ReportsRepository, ReportInputs, ReportMaker, ReportRecord, ReportRunProcessor, ReportOperatorService],
  exports: [ReportsService, ReportOperatorService],
})
export class ReportsModule {}
