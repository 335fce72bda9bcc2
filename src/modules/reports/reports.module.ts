import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CategoriesModule } from '../categories/index.js';
import { ConfigurationsModule } from '../configurations/index.js';
import { OrganizationModule } from '../organization/index.js';
import { ProjectsModule } from '../projects/index.js';
import { RatesModule } from '../rates/index.js';
import { StatementsModule } from '../statements/index.js';
import { CONSOLE_CONTROLLERS, CONSOLE_PROVIDERS } from './console/console-providers.js';
import { ReportOperatorService } from './report-operator.service.js';
import { RUN_PROVIDERS } from './run/run-providers.js';
import { ClaimReport, ClaimReportFile } from './report.entity.js';
import { ReportsController } from './reports.controller.js';
import { ReportsRepository } from './reports.repository.js';
import { ReportsService } from './reports.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([ClaimReport, ClaimReportFile]),
    OrganizationModule,
    ProjectsModule,
    CategoriesModule,
    ConfigurationsModule,
    StatementsModule,
    RatesModule,
  ],
  controllers: [ReportsController, ...CONSOLE_CONTROLLERS],
  providers: [ReportsService, ReportsRepository, ReportOperatorService, ...CONSOLE_PROVIDERS, ...RUN_PROVIDERS],
  exports: [ReportsService, ReportOperatorService],
})
export class ReportsModule {}
