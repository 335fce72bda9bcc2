/**
 * All that an extension (src/extensions) may import of the product. It is kept as the HTTP API is: what is here neither goes away nor
 * changes its shape within a major version. docs/extension-api.md is the surface of this version; docs/extending.md is the guide.
 */

import type { ExpenseCategoryDto } from './modules/categories/index.js';
import type { ClaimItemDto } from './modules/claim-items/index.js';
import type { ReportConfigurationDto } from './modules/configurations/index.js';
import type { ClaimProjectDto } from './modules/projects/index.js';
import type { ClaimReportDto, ReceiptDto } from './modules/reports/index.js';
import type { BankStatementDto, StatementLayoutDto, UploadLinkDto } from './modules/statements/index.js';
import type { WebhookDto } from './modules/webhooks/index.js';
import type { OrganizationDto } from './modules/organization/index.js';
import type { UserDto } from './modules/users/index.js';

declare module './api/validation/custom-fields.js' {
  interface CustomRecords {
    claim_projects: ClaimProjectDto;
    expense_categories: ExpenseCategoryDto;
    report_configurations: ReportConfigurationDto;
    claim_items: ClaimItemDto;
    receipts: ReceiptDto;
    bank_statements: BankStatementDto;
    claim_reports: ClaimReportDto;
    webhook_endpoints: WebhookDto;
    upload_links: UploadLinkDto;
    statement_layouts: StatementLayoutDto;
    organizations: OrganizationDto;
    users: UserDto;
  }
}

// The extension itself
export { declareExtension, type Extension } from './extension.js';

// Contexts, ids, time
export { OPERATOR, type Actor, type ChangeContext, type Environment, type Tenant } from './kernel/context.js';
export { isUuid, newId } from './kernel/ids.js';
export { Clock, isCalendarDate } from './kernel/time.js';
export { changedProperties, given } from './kernel/changes.js';

// Problems
export { declareProblem, Problem, type FieldError, type ProblemCode, type ProblemKind } from './kernel/problems.js';
export { type FieldCode } from './kernel/field-codes.js';

// Texts, money, JSON
export { digestOf, foldText, searchKeyOf } from './kernel/text.js';
export { addFractions, exactMoneyOf, formatMoney, formatPercent, moneyOf, readMoney, readPercent, roundMoney } from './kernel/money.js';
export { roundFraction, shareOf, taxIn, type Fraction, type Money as MoneyValue, type Percent as PercentValue } from './kernel/money.js';
export { canonicalJson, type FreeForm } from './kernel/json.js';

// Settings, log, metrics
export { Settings, StartError } from './kernel/settings/settings.js';
export { extensionSettings, type ExtensionSettings, type SettingValues } from './kernel/settings/extension-settings.js';
export {
  durationMs as durationSetting,
  flag as flagSetting,
  integer as integerSetting,
  list as listSetting,
  oneOf as oneOfSetting,
  secret as secretSetting,
  text as textSetting,
  url as urlSetting,
  type Setting,
} from './kernel/settings/reader.js';
export { SecretSource, type SecretSetting } from './kernel/settings/secret-source.js';
export { Log } from './kernel/log.js';
export { counter, duration, gauge } from './kernel/metrics.js';
export { PLANS, type Plan, type StandardPlan } from './kernel/plans.js';

// Rows
export {
  BigIntegerColumn,
  BytesColumn,
  DateColumn,
  DecimalColumn,
  FlagColumn,
  IdColumn,
  IntegerColumn,
  JsonColumn,
  MoneyColumn,
  PercentColumn,
  TenantRow,
  TextColumn,
  TextListColumn,
  TimestampColumn,
  UuidColumn,
} from './store/database/columns.js';
export { TenantRepository, type Filters } from './store/tenant/tenant-repository.js';
export { RecordBounds, type RecordBound } from './store/tenant/record-bounds.js';
export { RefersTo, type RelationTo } from './store/tenant/relations.js';
export { UniqueOver, uniqueKeysOf } from './store/tenant/unique-over.js';
export { type PageOf, type PageRequest } from './store/tenant/page.js';
export {
  Exported,
  NotExported,
  PartOf,
  ResetWhere,
  TableNotErased,
  TableNotExported,
  TableNotReset,
} from './store/tenant/organization-tables.js';
export { NamesPerson, PERSON, PersonStays } from './store/tenant/organization-tables.js';
export { acrossTenants, ofProjects, ORGANIZATION, organizationSql, TENANT, tenantOf, tenantSql } from './store/tenant/tenant-sql.js';
export type { AcrossTenantsSql, BoundSql, OrganizationSql, TenantSql } from './store/tenant/tenant-sql.js';
export { brokenConstraint, Database, prepared, type Sql } from './store/database/database.js';
export { asExpected, insertion, UnitOfWork, type ReadContext, type Unit, type WriteContext } from './store/database/unit-of-work.js';

// Events, jobs, mail, secrets
export { declareEvent, type EventDeclaration } from './kernel/declare-event.js';
export { type Permission } from './kernel/permissions.js';
export { EventOutlet, Events, type DomainEvent } from './store/events/events.js';
export { type DailyJobDeclaration, type DailyTurn, Job, type JobDeclaration, type OrganizationTurn } from './store/jobs/job.decorator.js';
export { WakeUps } from './store/jobs/wake-ups.js';
export { MailOutbox } from './store/mail/mail-outbox.js';
export { Mailer, type Mail } from './store/mail/mailer.js';
export { type EncryptedColumn, EncryptedColumns, Secrets } from './store/secrets/secrets.js';

// Ports
export { Implements, Ports, WarmUp } from './store/discovery/ports.js';
export { FileStore, type FileToStore } from './store/files/file-store.js';
export { fieldsIn, type FieldsOfRecord, HiddenFields, type Viewer } from './api/access/hidden-fields.js';
export { Policy, type PolicyRecord, type PolicyWrite } from './api/access/policy.js';
export { type PolicyContext, type PolicyWriteContext, type Principal, type PrincipalOrganization } from './api/access/principal.js';
export type { ConfirmationRule, ConfirmationRules, ConfirmedRisk, RulesByRisk } from './kernel/confirmation-rules.js';
export { CredentialResolver, EndedCredential, type Resolved } from './api/access/ports.js';
export { OrganizationLimit } from './api/limits/organization-limit.js';
export { LookUps } from './api/outbound/look-ups.js';

// Custom fields
export { computedFields, type Computing, customFields, type CustomFieldsOf, type CustomRecords } from './api/validation/custom-fields.js';
export { AnswerOf, RecordFields, RowOf } from './api/validation/record-fields.js';
export { customFieldIndex, type RangeKind } from './store/database/columns.js';

// Filters from one value to another
export { type RangeFilters, type Ranges, WithRanges } from './api/validation/ranges.js';

// Hooks
export { After, Before, ChangeHook, type ChangeParams } from './api/call/change-hooks.js';

// Operations
export { Ahead, Ctx } from './api/call/ctx.decorator.js';
export { Capability, Operation, Protocol } from './api/operation/operation.decorator.js';
export { type OperationDeclaration, type RegisteredOperation } from './api/operation/operation.js';
export { PageQuery, pageOf, RecordDto, toPage, type Page } from './api/dto/page.js';
export {
  Both,
  CalendarDate,
  Changes,
  CodeOf,
  Complete,
  Country,
  Currency,
  DateTime,
  Decimal,
  Email,
  field,
  Flag,
  FreeFormObject,
  Integer,
  IntegersByName,
  ListOf,
  Matching,
  Money,
  MoneyWithCurrency,
  Nested,
  OneOf,
  OneOfSoFar,
  Percent,
  RecordOf,
  SetOf,
  Text,
  TextList,
  Timestamp,
  Uuid,
  UuidList,
  Without,
  type About,
  type CurrencyAmount,
  type FieldProblem,
} from './api/validation/fields.js';

// Pages of the console
export { Action, ConsoleSection, Page as ConsolePage } from './api/console/declarations.js';
export { errorsIn, formOf, valueIn, type FormState } from './api/console/page.js';
export { FirstStep, OverviewPanel } from './api/console/ports.js';
export { told } from './api/wording/spoken.js';
export { type Answer, type BesideTitle, download, goTo, page, PageRefusal, titledPage } from './api/console/page.js';
export { type KnownOfPage, PageCtx, pathOf, type PageContext } from './api/console/page.js';
export { orAgain, ConsoleDoor } from './api/console/console-door.js';
export { ActionButton, Badge, Band, Confirm, Copyable, Facts, LinkButton, Time, type Tone } from './api/console/parts/facts.js';
export {
  AreaField,
  CheckField,
  CheckGroup,
  ConsoleForm,
  FileField,
  SelectField,
  TextField,
  type Choice,
} from './api/console/parts/fields.js';
export {
  chosenIn,
  type Column,
  Filters as ListFilters,
  PAGE_SIZE,
  pageNumberIn,
  Pager,
  readList,
  Table,
} from './api/console/parts/list.js';

export { recordBody, recordColumns, recordFacts, RecordInputs, recordValues, type RelatedBy } from './api/console/parts/record.js';
export { type Brief, type NextStep, type Panel, RecordPanel } from './api/console/ports.js';
export { type Found, RecordSearch, SearchSource } from './api/console/ports.js';
export { RecordPages, type Columns } from './api/console/record-pages.js';

// Modules
export { BatchDto, CreateBatchDto } from './modules/batches/index.js';
export { CreateExpenseCategoryDto, ExpenseCategoryDto, UpdateExpenseCategoryDto } from './modules/categories/index.js';
export { ClaimItemDto, CreateClaimItemDto, UpdateClaimItemDto } from './modules/claim-items/index.js';
export { CreateReportConfigurationDto, ReportConfigurationDto, UpdateReportConfigurationDto } from './modules/configurations/index.js';
export { ClaimProjectDto, CreateClaimProjectDto, UpdateClaimProjectDto } from './modules/projects/index.js';
export { BankStatementCheckDto, BankStatementDto, BankStatementFileDto } from './modules/statements/index.js';
export { CreateBankStatementDto, UpdateBankStatementDto } from './modules/statements/index.js';
export { CreateStatementLayoutDto, StatementLayoutDto, UpdateStatementLayoutDto } from './modules/statements/index.js';
export { CreateUploadLinkDto, UpdateUploadLinkDto, UploadLinkDetailsDto, UploadLinkDto } from './modules/statements/index.js';
export { ClaimClosingDto, ClaimReportDto, CreateClaimClosingDto, CreateClaimReportDto } from './modules/reports/index.js';
export { ClaimReportLinkDto, CreateClaimReportLinkDto } from './modules/reports/index.js';
export { CreateReceiptDto, ReceiptDto, ReceiptFileDto, UpdateReceiptDto } from './modules/reports/index.js';
export { ClaimLineDecisionsDto, ClaimLineDetailsDto, ClaimLineDto, CreateClaimLineDecisionsDto } from './modules/reports/index.js';
export {
  CreatePingDto,
  CreateReplayDto,
  CreateWebhookDto,
  PingDto,
  RedeliverDto,
  ReplayDto,
  StopReplaysDto,
} from './modules/webhooks/index.js';
export { UpdateWebhookDto, WebhookDto, WebhookWithSecretDto } from './modules/webhooks/index.js';
export {
  CreateTestAnswersDto,
  CreateTestEventDto,
  CreateTestOutcomeDto,
  CreateTestResetDto,
  TestAnswersDto,
  TestEventDto,
  TestOutcomeDto,
  TestResetDto,
} from './modules/test-environment/index.js';
export { CategoriesModule, CategoriesService, ExpenseCategoryCreated, ExpenseCategoryUpdated } from './modules/categories/index.js';
export { ClaimItemCreated, ClaimItemsModule, ClaimItemsService, ClaimItemUpdated } from './modules/claim-items/index.js';
export { ConfigurationsModule, ConfigurationsService } from './modules/configurations/index.js';
export { ReportConfigurationCreated, ReportConfigurationUpdated } from './modules/configurations/index.js';
export { OrganizationDto, OrganizationModule, OrganizationService } from './modules/organization/index.js';
export { ClaimProjectCreated, ClaimProjectUpdated } from './modules/projects/index.js';
export { ProjectParts, ProjectsModule, ProjectsService, RelatedRecords, type SomeRecord } from './modules/projects/index.js';
export {
  ClaimReportCancelled,
  ClaimReportFailed,
  ClaimReportQueued,
  ClaimReportSucceeded,
  ReceiptCreated,
  ReceiptsService,
  ReceiptUpdated,
  ReportsModule,
  ReportsService,
} from './modules/reports/index.js';
export { BankStatementRedactionFailed, BankStatementRedactionSucceeded } from './modules/statements/index.js';
export { StatementsModule, StatementsService } from './modules/statements/index.js';
export { UserDto, UsersModule, UsersService } from './modules/users/index.js';
export { SignInProvider, type ComingBack, type Departure, type SignInOrganization } from './modules/users/index.js';
export { type SignInWay, type SignOnRefusal, type Vouched } from './modules/users/index.js';
