import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CategoriesModule } from '../categories/index.js';
import { ClaimItemsModule } from '../claim-items/index.js';
import { ConfigurationsModule } from '../configurations/index.js';
import { OrganizationModule } from '../organization/index.js';
import { ProjectsModule } from '../projects/index.js';
import { RatesModule } from '../rates/index.js';
import { StatementsModule } from '../statements/index.js';
import { LastRuns, ProjectReports, ReportStep, ReportSearch } from './console/last-runs.js';
import { LineRuleWriter, LineRules, LineRuleConsole } from './console/line-rule/line-rule.console.js';
import { ClosableRuns, ClosingsService, ClosedPeriods } from './closing/closings.service.js';
import { ClosingConsole } from './closing/closing.console.js';
import { ClaimClosing, SigningKey } from './closing/closing.entity.js';
import { ClosingsController } from './closing/closings.controller.js';
import { ClosingsRepository, SigningKeysRepository } from './closing/closings.repository.js';
import { FinalClaims } from './closing/final-claims.js';
import { SignaturesConsole } from './closing/signatures.console.js';
import { SigningCertificates } from './closing/signing-certificates.service.js';
import { Receipt, ReceiptFile } from './receipts/receipt.entity.js';
import { ReceiptsConsole } from './receipts/receipts.console.js';
import { ReceiptsController } from './receipts/receipts.controller.js';
import { ReceiptFiles, ReceiptsRepository } from './receipts/receipts.repository.js';
import { ReceiptPlaces, ReceiptsService } from './receipts/receipts.service.js';
import { ReportsConsole } from './console/reports.console.js';
import { KeyLists, RunHistory, RunNames } from './console/runs.js';
import { RunChoice, WizardConsole } from './console/wizard.console.js';
import { ClaimLine, ClaimLineDecision } from './lines/claim-line.entity.js';
import { ClaimLinesConsole } from './lines/claim-lines.console.js';
import { ClaimLinesController } from './lines/claim-lines.controller.js';
import { ClaimLinesRepository } from './lines/claim-lines.repository.js';
import { ClaimLinesService, DecisionChecks } from './lines/claim-lines.service.js';
import { ClaimReportLinksController, FileLinksController, LostFilePage } from './files/file-links.controller.js';
import { FileLinksConsole } from './files/file-links.console.js';
import { FileLinks, LinkedFiles, ReportFilesService } from './files/report-files.service.js';
import { ReportFilesRepository } from './files/report-files.repository.js';
import { EvidenceCalendars, PageTurns, RulePreviewer } from './preview/previews.js';
import { ReportOperatorService } from './report-operator.service.js';
import { ClaimReport, ClaimReportFile } from './report.entity.js';
import { ReportsController } from './reports.controller.js';
import { ReportsRepository } from './reports.repository.js';
import { ReportsService } from './reports.service.js';
import { ReportInputs, RunQuotes, RunStatements, SelectedCategories } from './run/report-inputs.js';
import { FailedRunNotice, ReportRecord } from './run/report-record.js';
import { ReportMaker, ReportRunProcessor } from './run/report-run.processor.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([ClaimReport, ClaimReportFile, ClaimLine, ClaimLineDecision, ClaimClosing, SigningKey, Receipt, ReceiptFile]),
    OrganizationModule,
    ProjectsModule,
    CategoriesModule,
    ClaimItemsModule,
    ConfigurationsModule,
    StatementsModule,
    RatesModule,
  ],
  controllers: [
    ...[ReportsController, ClosingsController, ClaimLinesController, ClaimReportLinksController, FileLinksController, ReceiptsController],
    ...[
      ReportsConsole,
      WizardConsole,
      LineRuleConsole,
      ClosingConsole,
      SignaturesConsole,
      ClaimLinesConsole,
      FileLinksConsole,
      ReceiptsConsole,
    ],
  ],
  providers: [
    ReportsService,
    ReportsRepository,
    ReportOperatorService,
    ClaimLinesRepository,
    ClaimLinesService,
    DecisionChecks,
    ReceiptsRepository,
    ReceiptFiles,
    ReceiptPlaces,
    ReceiptsService,
    // The pages.
    KeyLists,
    LastRuns,
    ProjectReports,
    ReportSearch,
    LineRules,
    LineRuleWriter,
    ReportStep,
    RunChoice,
    RunHistory,
    RunNames,
    // What makes the reports, and keeps their files.
    ReportFilesRepository,
    ReportFilesService,
    FileLinks,
    LinkedFiles,
    LostFilePage,
    SelectedCategories,
    RunStatements,
    RunQuotes,
    ReportInputs,
    ReportMaker,
    ReportRecord,
    FailedRunNotice,
    ReportRunProcessor,
    PageTurns,
    RulePreviewer,
    EvidenceCalendars,
    // The steps by which claims are closed.
    ClosingsService,
    ClosingsRepository,
    ClosableRuns,
    ClosedPeriods,
    FinalClaims,
    SigningCertificates,
    SigningKeysRepository,
  ],
  exports: [ReportsService, ReportOperatorService, ClosingsService],
})
export class ReportsModule {}
