// Generated from the OpenAPI document and the table of errors by `npm run contracts`.

import { Resource, type Caller } from './caller.js';
import { ClaimsError } from './errors.js';
import type {
  ClaimProject,
  ClaimProjectPage,
  CreateClaimProject,
  UpdateClaimProject,
  ExpenseCategory,
  ExpenseCategoryPage,
  CreateExpenseCategory,
  UpdateExpenseCategory,
  ReportConfiguration,
  ReportConfigurationPage,
  CreateReportConfiguration,
  UpdateReportConfiguration,
  BankStatement,
  BankStatementPage,
  CreateBankStatement,
  UpdateBankStatement,
  BankStatementCheck,
  StatementLayout,
  StatementLayoutPage,
  CreateStatementLayout,
  UpdateStatementLayout,
  UploadLink,
  UploadLinkPage,
  CreateUploadLink,
  UploadLinkDetails,
  UpdateUploadLink,
  ClaimItem,
  ClaimItemPage,
  CreateClaimItem,
  UpdateClaimItem,
  ClaimReport,
  ClaimReportPage,
  CreateClaimReport,
  ClaimClosing,
  ClaimClosingPage,
  CreateClaimClosing,
  ClaimLine,
  ClaimLinePage,
  ClaimLineDetails,
  CreateClaimLineDecisions,
  ClaimLineDecisions,
  CreateClaimReportLink,
  ClaimReportLink,
  Receipt,
  ReceiptPage,
  CreateReceipt,
  UpdateReceipt,
  CreateBatch,
  Batch,
  Organization,
  UsageSummary,
  AuditEvent,
  AuditEventPage,
  AuditCheckpoint,
  AuditProof,
  AuditConsistency,
  Webhook,
  WebhookList,
  CreateWebhook,
  WebhookWithSecret,
  UpdateWebhook,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookDeliveryDetails,
  Redeliver,
  Missed,
  CreateReplay,
  Replay,
  StopReplays,
  CreatePing,
  Ping,
  WebhookEvent,
  WebhookEventPage,
  CreateTestEvent,
  TestEvent,
  CreateTestOutcome,
  TestOutcome,
  CreateTestAnswers,
  TestAnswers,
  CreateTestReset,
  TestReset,
  ApiCatalog,
  AuthContext,
  AnsweredRequest,
  AnsweredRequestPage,
  BankStatementFile,
  ReceiptFile,
  ClaimProjectsListQuery,
  ExpenseCategoriesListQuery,
  ReportConfigurationsListQuery,
  BankStatementsListQuery,
  StatementLayoutsListQuery,
  UploadLinksListQuery,
  ClaimItemsListQuery,
  ClaimReportsListQuery,
  ClaimClosingsListQuery,
  ClaimLinesListQuery,
  ReceiptsListQuery,
  AuditListQuery,
  AuditGetConsistencyQuery,
  WebhooksListDeliveriesQuery,
  WebhooksGetMissedQuery,
  WebhooksListEventsQuery,
  RequestsListQuery,
} from './generated-types.js';
import { List } from './list.js';
import type { CallOptions, DeleteOptions, UpdateOptions, WriteOptions } from './options.js';

export const BASE_URL = 'https://api.claims.example';

/** Every operation: how it is called, and whether it takes an Idempotency-Key. */
export const OPERATIONS = {
  'claim_projects.list': { method: 'GET', path: '/v1/claim-projects' },
  'claim_projects.create': { method: 'POST', path: '/v1/claim-projects', key: true },
  'claim_projects.get': { method: 'GET', path: '/v1/claim-projects/{project_id}' },
  'claim_projects.update': { method: 'PATCH', path: '/v1/claim-projects/{project_id}', key: true },
  'expense_categories.list': { method: 'GET', path: '/v1/expense-categories' },
  'expense_categories.create': { method: 'POST', path: '/v1/expense-categories', key: true },
  'expense_categories.get': { method: 'GET', path: '/v1/expense-categories/{category_id}' },
  'expense_categories.update': { method: 'PATCH', path: '/v1/expense-categories/{category_id}', key: true },
  'report_configurations.list': { method: 'GET', path: '/v1/report-configurations' },
  'report_configurations.create': { method: 'POST', path: '/v1/report-configurations', key: true },
  'report_configurations.get': { method: 'GET', path: '/v1/report-configurations/{configuration_id}' },
  'report_configurations.update': { method: 'PATCH', path: '/v1/report-configurations/{configuration_id}', key: true },
  'bank_statements.list': { method: 'GET', path: '/v1/bank-statements' },
  'bank_statements.create': { method: 'POST', path: '/v1/bank-statements', key: true },
  'bank_statements.get': { method: 'GET', path: '/v1/bank-statements/{statement_id}' },
  'bank_statements.update': { method: 'PATCH', path: '/v1/bank-statements/{statement_id}', key: true },
  'bank_statements.retry': { method: 'POST', path: '/v1/bank-statements/{statement_id}/retry', key: true },
  'bank_statements.check': { method: 'POST', path: '/v1/bank-statement-checks', key: true },
  'statement_layouts.list': { method: 'GET', path: '/v1/statement-layouts' },
  'statement_layouts.create': { method: 'POST', path: '/v1/statement-layouts', key: true },
  'statement_layouts.get': { method: 'GET', path: '/v1/statement-layouts/{layout_id}' },
  'statement_layouts.update': { method: 'PATCH', path: '/v1/statement-layouts/{layout_id}', key: true },
  'statement_layouts.delete': { method: 'DELETE', path: '/v1/statement-layouts/{layout_id}' },
  'upload_links.list': { method: 'GET', path: '/v1/upload-links' },
  'upload_links.create': { method: 'POST', path: '/v1/upload-links', key: true },
  'upload_links.get': { method: 'GET', path: '/v1/upload-links/{link_id}' },
  'upload_links.update': { method: 'PATCH', path: '/v1/upload-links/{link_id}', key: true },
  'claim_items.list': { method: 'GET', path: '/v1/claim-items' },
  'claim_items.create': { method: 'POST', path: '/v1/claim-items', key: true },
  'claim_items.get': { method: 'GET', path: '/v1/claim-items/{claim_item_id}' },
  'claim_items.update': { method: 'PATCH', path: '/v1/claim-items/{claim_item_id}', key: true },
  'claim_reports.list': { method: 'GET', path: '/v1/claim-reports' },
  'claim_reports.create': { method: 'POST', path: '/v1/claim-reports', key: true },
  'claim_reports.get': { method: 'GET', path: '/v1/claim-reports/{report_id}' },
  'claim_reports.cancel': { method: 'POST', path: '/v1/claim-reports/{report_id}/cancel', key: true },
  'claim_reports.download': { method: 'GET', path: '/v1/claim-reports/{report_id}/outputs/{format}' },
  'claim_closings.list': { method: 'GET', path: '/v1/claim-closings' },
  'claim_closings.create': { method: 'POST', path: '/v1/claim-closings', key: true },
  'claim_closings.get': { method: 'GET', path: '/v1/claim-closings/{claim_closing_id}' },
  'claim_lines.list': { method: 'GET', path: '/v1/claim-reports/{report_id}/lines' },
  'claim_lines.get': { method: 'GET', path: '/v1/claim-lines/{line_id}' },
  'claim_lines.decide': { method: 'POST', path: '/v1/claim-line-decisions', key: true },
  'claim_report_shares.create': { method: 'POST', path: '/v1/claim-reports/{report_id}/links', key: true },
  'receipts.list': { method: 'GET', path: '/v1/receipts' },
  'receipts.create': { method: 'POST', path: '/v1/receipts', key: true },
  'receipts.get': { method: 'GET', path: '/v1/receipts/{receipt_id}' },
  'receipts.update': { method: 'PATCH', path: '/v1/receipts/{receipt_id}', key: true },
  'batches.create': { method: 'POST', path: '/v1/batches', key: true },
  'organization.get': { method: 'GET', path: '/v1/organization' },
  'usage.get': { method: 'GET', path: '/v1/usage' },
  'audit.list': { method: 'GET', path: '/v1/audit/events' },
  'audit.get_checkpoint': { method: 'GET', path: '/v1/audit/checkpoint' },
  'audit.get_proof': { method: 'GET', path: '/v1/audit/events/{event_id}/proof' },
  'audit.get_consistency': { method: 'GET', path: '/v1/audit/consistency' },
  'webhooks.list': { method: 'GET', path: '/v1/webhooks' },
  'webhooks.create': { method: 'POST', path: '/v1/webhooks', key: true },
  'webhooks.get': { method: 'GET', path: '/v1/webhooks/{webhook_id}' },
  'webhooks.update': { method: 'PATCH', path: '/v1/webhooks/{webhook_id}', key: true },
  'webhooks.delete': { method: 'DELETE', path: '/v1/webhooks/{webhook_id}' },
  'webhooks.list_deliveries': { method: 'GET', path: '/v1/webhooks/{webhook_id}/deliveries' },
  'webhooks.redeliver': { method: 'POST', path: '/v1/webhooks/{webhook_id}/deliveries', key: true },
  'webhooks.get_delivery': { method: 'GET', path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}' },
  'webhooks.get_missed': { method: 'GET', path: '/v1/webhooks/{webhook_id}/missed' },
  'webhooks.replay': { method: 'POST', path: '/v1/webhooks/{webhook_id}/replays', key: true },
  'webhooks.stop_replays': { method: 'POST', path: '/v1/webhooks/{webhook_id}/replays/stop', key: true },
  'webhooks.ping': { method: 'POST', path: '/v1/webhooks/{webhook_id}/ping', key: true },
  'webhooks.list_events': { method: 'GET', path: '/v1/events' },
  'test.send_event': { method: 'POST', path: '/v1/test/events', key: true },
  'test.set_outcome': { method: 'POST', path: '/v1/test/claim-reports/outcomes', key: true },
  'test.set_answers': { method: 'POST', path: '/v1/test/answers', key: true },
  'test.reset': { method: 'POST', path: '/v1/test/reset', key: true },
  'api.catalog': { method: 'GET', path: '/v1' },
  'api.auth_context': { method: 'GET', path: '/v1/auth/context' },
  'requests.list': { method: 'GET', path: '/v1/requests' },
  'requests.get': { method: 'GET', path: '/v1/requests/{answered_request_id}' },
} as const;

export class ClaimProjectsResource extends Resource {
  /**
   * List claim projects. Newest first. `search` finds a substring of the name or client reference.
   *
   * Scope `claim_projects:read`.
   */
  list(query: ClaimProjectsListQuery = {}, options: CallOptions = {}): List<ClaimProject, ClaimProjectPage> {
    return new List((cursor) =>
      this.caller.call<ClaimProjectPage>(OPERATIONS['claim_projects.list'], { query: { ...query, ...cursor } }, options),
    );
  }

  /**
   * Create a claim project. There can be one project with the same name and client reference; the case of the name
   * does not matter.
   *
   * Not for credentials that are bound to some projects.
   *
   * Scope `claim_projects:write`.
   */
  create(body: CreateClaimProject, options: WriteOptions = {}): Promise<ClaimProject> {
    return this.caller.call<ClaimProject>(OPERATIONS['claim_projects.create'], { body }, options);
  }

  /**
   * Get a claim project. Archived projects can be read, too.
   *
   * Scope `claim_projects:read`.
   */
  get(projectId: string, options: CallOptions = {}): Promise<ClaimProject> {
    return this.caller.call<ClaimProject>(OPERATIONS['claim_projects.get'], { path: [projectId] }, options);
  }

  /**
   * Update a claim project. Fields left out keep their value; `metadata` is replaced as a whole. As
   * `application/merge-patch+json`, its keys are changed one by one, and `null` removes one (an addition). The
   * period stays while a claim of the project is final. A PATCH that changes nothing returns 200, keeps `updatedAt`
   * and emits no event.
   *
   * Scope `claim_projects:write`.
   */
  update(projectId: string, body: UpdateClaimProject, options: UpdateOptions = {}): Promise<ClaimProject> {
    return this.caller.call<ClaimProject>(OPERATIONS['claim_projects.update'], { path: [projectId], body }, options);
  }
}

export class ExpenseCategoriesResource extends Resource {
  /**
   * List expense categories. Newest first. `search` finds a substring of the code or name.
   *
   * Scope `expense_categories:read`.
   */
  list(query: ExpenseCategoriesListQuery = {}, options: CallOptions = {}): List<ExpenseCategory, ExpenseCategoryPage> {
    return new List((cursor) =>
      this.caller.call<ExpenseCategoryPage>(OPERATIONS['expense_categories.list'], { query: { ...query, ...cursor } }, options),
    );
  }

  /**
   * Create an expense category. A code can be used once in a project, and once without a project; its case does not
   * matter.
   *
   * Scope `expense_categories:write`.
   */
  create(body: CreateExpenseCategory, options: WriteOptions = {}): Promise<ExpenseCategory> {
    return this.caller.call<ExpenseCategory>(OPERATIONS['expense_categories.create'], { body }, options);
  }

  /**
   * Get an expense category. Archived categories can be read, too.
   *
   * Scope `expense_categories:read`.
   */
  get(categoryId: string, options: CallOptions = {}): Promise<ExpenseCategory> {
    return this.caller.call<ExpenseCategory>(OPERATIONS['expense_categories.get'], { path: [categoryId] }, options);
  }

  /**
   * Update an expense category. Fields left out keep their value; `sourceMapping` is replaced as a whole. A PATCH
   * that changes nothing returns 200, keeps `updatedAt` and emits no event.
   *
   * Scope `expense_categories:write`.
   */
  update(categoryId: string, body: UpdateExpenseCategory, options: UpdateOptions = {}): Promise<ExpenseCategory> {
    return this.caller.call<ExpenseCategory>(OPERATIONS['expense_categories.update'], { path: [categoryId], body }, options);
  }
}

export class ReportConfigurationsResource extends Resource {
  /**
   * List report configurations. Newest first. `search` finds a substring of the name.
   *
   * Scope `report_configurations:read`.
   */
  list(query: ReportConfigurationsListQuery = {}, options: CallOptions = {}): List<ReportConfiguration, ReportConfigurationPage> {
    return new List((cursor) =>
      this.caller.call<ReportConfigurationPage>(OPERATIONS['report_configurations.list'], { query: { ...query, ...cursor } }, options),
    );
  }

  /**
   * Create a report configuration. A run takes the period, the filter of categories and the output options from its
   * configuration.
   *
   * Scope `report_configurations:write`.
   */
  create(body: CreateReportConfiguration, options: WriteOptions = {}): Promise<ReportConfiguration> {
    return this.caller.call<ReportConfiguration>(OPERATIONS['report_configurations.create'], { body }, options);
  }

  /**
   * Get a report configuration. Archived configurations can be read, too.
   *
   * Scope `report_configurations:read`.
   */
  get(configurationId: string, options: CallOptions = {}): Promise<ReportConfiguration> {
    return this.caller.call<ReportConfiguration>(OPERATIONS['report_configurations.get'], { path: [configurationId] }, options);
  }

  /**
   * Update a report configuration. Fields left out keep their value; `categoryFilter` and `outputOptions` are each
   * replaced as a whole. A PATCH that changes nothing returns 200, keeps `updatedAt` and emits no event.
   *
   * Scope `report_configurations:write`.
   */
  update(configurationId: string, body: UpdateReportConfiguration, options: UpdateOptions = {}): Promise<ReportConfiguration> {
    return this.caller.call<ReportConfiguration>(OPERATIONS['report_configurations.update'], { path: [configurationId], body }, options);
  }
}

export class BankStatementsResource extends Resource {
  /**
   * List bank statements. Newest first. Returns the records of statements with the status of their redaction, never
   * their content. `search` is a case-insensitive substring of the file name or of the account.
   *
   * Scope `bank_statements:read`.
   */
  list(query: BankStatementsListQuery = {}, options: CallOptions = {}): List<BankStatement, BankStatementPage> {
    return new List((cursor) =>
      this.caller.call<BankStatementPage>(OPERATIONS['bank_statements.list'], { query: { ...query, ...cursor } }, options),
    );
  }

  /**
   * Import a bank statement. Takes in a file of a bank as a form (`multipart/form-data`) or as the body itself
   * (`application/octet-stream`; the fields of the form are query parameters then), or the bookings of an account
   * in JSON, as a bank has told them to a program. All are read, checked and redacted by a worker: follow
   * `redactionStatus`, or the event `bank_statement.redaction_succeeded`. The same statement for the same claim
   * project again is the one that is there, unless it has failed. An addition.
   *
   * Scope `bank_statements:write`.
   */
  create(body: CreateBankStatement, options: WriteOptions = {}): Promise<BankStatement> {
    return this.caller.call<BankStatement>(OPERATIONS['bank_statements.create'], { body }, options);
  }

  /** Import a bank statement: a file. The fields say what it does not say itself. */
  createFromFile(form: BankStatementFile, options: WriteOptions = {}): Promise<BankStatement> {
    return this.caller.call<BankStatement>(OPERATIONS['bank_statements.create'], { form }, options);
  }

  /**
   * Get a bank statement. Returns the record of a statement with the status of its redaction, never its content.
   *
   * Scope `bank_statements:read`.
   */
  get(statementId: string, options: CallOptions = {}): Promise<BankStatement> {
    return this.caller.call<BankStatement>(OPERATIONS['bank_statements.get'], { path: [statementId] }, options);
  }

  /**
   * Update a bank statement. Moves it to another claim project. Reports that have read it stay as they are. An
   * addition. A PATCH that changes nothing returns 200, keeps `updatedAt` and emits no event.
   *
   * Scope `bank_statements:write`.
   */
  update(statementId: string, body: UpdateBankStatement, options: UpdateOptions = {}): Promise<BankStatement> {
    return this.caller.call<BankStatement>(OPERATIONS['bank_statements.update'], { path: [statementId], body }, options);
  }

  /**
   * Retry a bank statement. Redacts one again whose redaction has failed. One that is queued or running already
   * stays as it is. An addition.
   *
   * Scope `bank_statements:write`.
   */
  retry(statementId: string, options: UpdateOptions = {}): Promise<BankStatement> {
    return this.caller.call<BankStatement>(OPERATIONS['bank_statements.retry'], { path: [statementId] }, options);
  }

  /**
   * Check a bank statement. Says how a file or a feed would be read: its lines, period, certainty and warnings,
   * what would be masked, or why it would fail. Nothing of it is kept; the audit log says that it was checked. An
   * addition.
   *
   * Scope `bank_statements:write`.
   */
  check(body: CreateBankStatement, options: WriteOptions = {}): Promise<BankStatementCheck> {
    return this.caller.call<BankStatementCheck>(OPERATIONS['bank_statements.check'], { body }, options);
  }

  /** Check a bank statement: a file. The fields say what it does not say itself. */
  checkFromFile(form: BankStatementFile, options: WriteOptions = {}): Promise<BankStatementCheck> {
    return this.caller.call<BankStatementCheck>(OPERATIONS['bank_statements.check'], { form }, options);
  }
}

export class StatementLayoutsResource extends Resource {
  /**
   * List statement layouts. Newest first. Those that are part of the service are not among them. An addition.
   *
   * Not for credentials that are bound to some projects.
   *
   * Scope `statement_layouts:read`.
   */
  list(query: StatementLayoutsListQuery = {}, options: CallOptions = {}): List<StatementLayout, StatementLayoutPage> {
    return new List((cursor) =>
      this.caller.call<StatementLayoutPage>(OPERATIONS['statement_layouts.list'], { query: { ...query, ...cursor } }, options),
    );
  }

  /**
   * Create a statement layout. Files with exactly its header are read by it from then on. It replaces those with
   * its name or its header. An addition.
   *
   * Not for credentials that are bound to some projects.
   *
   * Scope `statement_layouts:write`.
   */
  create(body: CreateStatementLayout, options: WriteOptions = {}): Promise<StatementLayout> {
    return this.caller.call<StatementLayout>(OPERATIONS['statement_layouts.create'], { body }, options);
  }

  /**
   * Get a statement layout. As it was written, its name beside it. An addition.
   *
   * Not for credentials that are bound to some projects.
   *
   * Scope `statement_layouts:read`.
   */
  get(layoutId: string, options: CallOptions = {}): Promise<StatementLayout> {
    return this.caller.call<StatementLayout>(OPERATIONS['statement_layouts.get'], { path: [layoutId] }, options);
  }

  /**
   * Update a statement layout. Statements stay as they were read. It replaces others with its name or its header.
   * An addition. A PATCH that changes nothing returns 200, keeps `updatedAt` and emits no event.
   *
   * Not for credentials that are bound to some projects.
   *
   * Scope `statement_layouts:write`.
   */
  update(layoutId: string, body: UpdateStatementLayout, options: UpdateOptions = {}): Promise<StatementLayout> {
    return this.caller.call<StatementLayout>(OPERATIONS['statement_layouts.update'], { path: [layoutId], body }, options);
  }

  /**
   * Delete a statement layout. Statements that were read by it stay as they are. An addition.
   *
   * Not for credentials that are bound to some projects.
   *
   * Scope `statement_layouts:delete`.
   */
  delete(layoutId: string, options: DeleteOptions = {}): Promise<void> {
    return this.caller.call<void>(OPERATIONS['statement_layouts.delete'], { path: [layoutId] }, options);
  }
}

export class UploadLinksResource extends Resource {
  /**
   * List upload links. Newest first, without their addresses. An addition.
   *
   * Scope `upload_links:read`.
   */
  list(query: UploadLinksListQuery = {}, options: CallOptions = {}): List<UploadLink, UploadLinkPage> {
    return new List((cursor) =>
      this.caller.call<UploadLinkPage>(OPERATIONS['upload_links.list'], { query: { ...query, ...cursor } }, options),
    );
  }

  /**
   * Create an upload link. The answer has its address, for the client. Whoever has the address can upload
   * statements to the claim project, and do nothing else. An addition.
   *
   * Scope `upload_links:write`.
   */
  create(body: CreateUploadLink, options: WriteOptions = {}): Promise<UploadLinkDetails> {
    return this.caller.call<UploadLinkDetails>(OPERATIONS['upload_links.create'], { body }, options);
  }

  /**
   * Get an upload link. Its status, and how many statements it has taken; without its address. An addition.
   *
   * Scope `upload_links:read`.
   */
  get(linkId: string, options: CallOptions = {}): Promise<UploadLink> {
    return this.caller.call<UploadLink>(OPERATIONS['upload_links.get'], { path: [linkId] }, options);
  }

  /**
   * Update an upload link. Changes what it asks for. With `withdraw`, the link ends at once. An addition. A PATCH
   * that changes nothing returns 200, keeps `updatedAt` and emits no event.
   *
   * Scope `upload_links:write`.
   */
  update(linkId: string, body: UpdateUploadLink, options: UpdateOptions = {}): Promise<UploadLink> {
    return this.caller.call<UploadLink>(OPERATIONS['upload_links.update'], { path: [linkId], body }, options);
  }
}

export class ClaimItemsResource extends Resource {
  /**
   * List claim items. Newest first. `search` is a case-insensitive substring of the name. An addition.
   *
   * Scope `claim_items:read`.
   */
  list(query: ClaimItemsListQuery = {}, options: CallOptions = {}): List<ClaimItem, ClaimItemPage> {
    return new List((cursor) =>
      this.caller.call<ClaimItemPage>(OPERATIONS['claim_items.list'], { query: { ...query, ...cursor } }, options),
    );
  }

  /**
   * Create a claim item. The next run over its day claims it. The rate is yours: say where it is from. An addition.
   *
   * Scope `claim_items:write`.
   */
  create(body: CreateClaimItem, options: WriteOptions = {}): Promise<ClaimItem> {
    return this.caller.call<ClaimItem>(OPERATIONS['claim_items.create'], { body }, options);
  }

  /**
   * Get a claim item. Withdrawn ones, too. An addition.
   *
   * Scope `claim_items:read`.
   */
  get(claimItemId: string, options: CallOptions = {}): Promise<ClaimItem> {
    return this.caller.call<ClaimItem>(OPERATIONS['claim_items.get'], { path: [claimItemId] }, options);
  }

  /**
   * Update a claim item. Fields left out keep their value. An addition. A PATCH that changes nothing returns 200,
   * keeps `updatedAt` and emits no event.
   *
   * Scope `claim_items:write`.
   */
  update(claimItemId: string, body: UpdateClaimItem, options: UpdateOptions = {}): Promise<ClaimItem> {
    return this.caller.call<ClaimItem>(OPERATIONS['claim_items.update'], { path: [claimItemId], body }, options);
  }
}

export class ClaimReportsResource extends Resource {
  /**
   * List claim report runs. Newest first. A result of more than 64 KiB is left out.
   *
   * Scope `claim_reports:read`.
   */
  list(query: ClaimReportsListQuery = {}, options: CallOptions = {}): List<ClaimReport, ClaimReportPage> {
    return new List((cursor) =>
      this.caller.call<ClaimReportPage>(OPERATIONS['claim_reports.list'], { query: { ...query, ...cursor } }, options),
    );
  }

  /**
   * Queue a claim report run. A worker makes the report from the redacted bank statements and the expense
   * categories, as they are when the run starts. Wait for the events `claim_report.succeeded`,
   * `claim_report.failed` and `claim_report.cancelled` rather than polling.
   *
   * Scope `claim_reports:write`.
   */
  create(body: CreateClaimReport = {}, options: WriteOptions = {}): Promise<ClaimReport> {
    return this.caller.call<ClaimReport>(OPERATIONS['claim_reports.create'], { body }, options);
  }

  /**
   * Get a claim report run. Contains the whole result, however large; a list leaves out large ones.
   *
   * Scope `claim_reports:read`.
   */
  get(reportId: string, options: CallOptions = {}): Promise<ClaimReport> {
    return this.caller.call<ClaimReport>(OPERATIONS['claim_reports.get'], { path: [reportId] }, options);
  }

  /**
   * Cancel a claim report run. Of a run that is queued or running. One that is cancelled already stays as it is. An
   * addition.
   *
   * Scope `claim_reports:write`.
   */
  cancel(reportId: string, options: UpdateOptions = {}): Promise<ClaimReport> {
    return this.caller.call<ClaimReport>(OPERATIONS['claim_reports.cancel'], { path: [reportId] }, options);
  }

  /**
   * Download an output file. A file that a succeeded run has made, as `outputs` of its result names it with its
   * size and SHA-256. An addition.
   *
   * Scope `claim_reports:read`.
   */
  download(
    reportId: string,
    format: 'json' | 'csv' | 'xlsx' | 'pdf' | 'journal' | 'datev' | 'form' | 'evidence' | (string & {}),
    options: CallOptions = {},
  ): Promise<Response> {
    return this.caller.file(OPERATIONS['claim_reports.download'], { path: [reportId, format] }, options);
  }
}

export class ClaimClosingsResource extends Resource {
  /**
   * List claim closings. Newest first. A step is never changed: the state of a claim is that of the newest one of
   * its run. An addition.
   *
   * Scope `claim_closings:read`.
   */
  list(query: ClaimClosingsListQuery = {}, options: CallOptions = {}): List<ClaimClosing, ClaimClosingPage> {
    return new List((cursor) =>
      this.caller.call<ClaimClosingPage>(OPERATIONS['claim_closings.list'], { query: { ...query, ...cursor } }, options),
    );
  }

  /**
   * Close, correct or reopen a claim. Takes one step of the claim of a run. `final` locks the days of the claim
   * project, freezes the inputs and signs the evidence pack. Another run corrects a final claim. An addition.
   *
   * Scope `claim_closings:write`.
   */
  create(body: CreateClaimClosing, options: WriteOptions = {}): Promise<ClaimClosing> {
    return this.caller.call<ClaimClosing>(OPERATIONS['claim_closings.create'], { body }, options);
  }

  /**
   * Get a claim closing. Of a final claim, it has the hash of the inputs, and that of the signed evidence pack with
   * its key. An addition.
   *
   * Scope `claim_closings:read`.
   */
  get(claimClosingId: string, options: CallOptions = {}): Promise<ClaimClosing> {
    return this.caller.call<ClaimClosing>(OPERATIONS['claim_closings.get'], { path: [claimClosingId] }, options);
  }
}

export class ClaimLinesResource extends Resource {
  /**
   * List the lines of a claim report run. In the order of the statements. Those of the newest run of a project and
   * configuration are kept; an earlier one, or one of more than 200000 lines, has none. Their texts are redacted.
   * An addition.
   *
   * Scope `claim_lines:read`.
   */
  list(reportId: string, query: ClaimLinesListQuery = {}, options: CallOptions = {}): List<ClaimLine, ClaimLinePage> {
    return new List((cursor) =>
      this.caller.call<ClaimLinePage>(OPERATIONS['claim_lines.list'], { path: [reportId], query: { ...query, ...cursor } }, options),
    );
  }

  /**
   * Get a claim line. With everything that was decided about it. An addition.
   *
   * Scope `claim_lines:read`.
   */
  get(lineId: string, options: CallOptions = {}): Promise<ClaimLineDetails> {
    return this.caller.call<ClaimLineDetails>(OPERATIONS['claim_lines.get'], { path: [lineId] }, options);
  }

  /**
   * Decide about claim lines. Up to 500 lines at once, all or none: the category that claims them, a share, parts
   * that make up a line, or that they are not claimed. The next run has it, and rules never change it: it holds for
   * the booking, also in another statement. To undo it, decide again: `by_rules` leaves the lines to rules. An
   * addition.
   *
   * Scope `claim_lines:write`.
   */
  decide(body: CreateClaimLineDecisions, options: WriteOptions = {}): Promise<ClaimLineDecisions> {
    return this.caller.call<ClaimLineDecisions>(OPERATIONS['claim_lines.decide'], { body }, options);
  }
}

export class ClaimReportSharesResource extends Resource {
  /**
   * Create a link to an output file. Whoever has the address downloads this one file, without an account, for some
   * minutes. The audit log tells who made it, and each time the file was taken. An addition.
   *
   * Scope `claim_report_shares:write`.
   */
  create(reportId: string, body: CreateClaimReportLink, options: WriteOptions = {}): Promise<ClaimReportLink> {
    return this.caller.call<ClaimReportLink>(OPERATIONS['claim_report_shares.create'], { path: [reportId], body }, options);
  }
}

export class ReceiptsResource extends Resource {
  /**
   * List receipts. Newest first. Those of a claim line are those of its booking, whichever run it was. An addition.
   *
   * Scope `receipts:read`.
   */
  list(query: ReceiptsListQuery = {}, options: CallOptions = {}): List<Receipt, ReceiptPage> {
    return new List((cursor) => this.caller.call<ReceiptPage>(OPERATIONS['receipts.list'], { query: { ...query, ...cursor } }, options));
  }

  /**
   * Add a receipt. Takes a PDF, JPEG, PNG or HEIC file or an e-mail as a form (`multipart/form-data`), or a small
   * one in JSON. It is kept encrypted. The same file at the same place again is the receipt that is there. An
   * addition.
   *
   * Scope `receipts:write`.
   */
  create(body: CreateReceipt, options: WriteOptions = {}): Promise<Receipt> {
    return this.caller.call<Receipt>(OPERATIONS['receipts.create'], { body }, options);
  }

  /** Add a receipt: a file. The fields say what it does not say itself. */
  createFromFile(form: ReceiptFile, options: WriteOptions = {}): Promise<Receipt> {
    return this.caller.call<Receipt>(OPERATIONS['receipts.create'], { form }, options);
  }

  /**
   * Get a receipt. What is known of the file, never its content. Withdrawn ones, too. An addition.
   *
   * Scope `receipts:read`.
   */
  get(receiptId: string, options: CallOptions = {}): Promise<Receipt> {
    return this.caller.call<Receipt>(OPERATIONS['receipts.get'], { path: [receiptId] }, options);
  }

  /**
   * Update a receipt. Fields left out keep their value. Set `status` to withdraw it: later runs do not have it. An
   * addition. A PATCH that changes nothing returns 200, keeps `updatedAt` and emits no event.
   *
   * Scope `receipts:write`.
   */
  update(receiptId: string, body: UpdateReceipt, options: UpdateOptions = {}): Promise<Receipt> {
    return this.caller.call<Receipt>(OPERATIONS['receipts.update'], { path: [receiptId], body }, options);
  }
}

export class BatchesResource extends Resource {
  /**
   * Create up to 100 records. Calls an operation with each item, one after the other, each in a transaction of its
   * own: one that is refused does not hold up the others. It takes the scope of the operation, and each item counts
   * against the rate limit. Repeated with its key, what was done is answered again, and what was not done is tried
   * again. An addition.
   */
  create(body: CreateBatch, options: WriteOptions = {}): Promise<Batch> {
    return this.caller.call<Batch>(OPERATIONS['batches.create'], { body }, options);
  }
}

export class OrganizationResource extends Resource {
  /**
   * Get the organization of the credential. With its plan, its time zone and its limits.
   *
   * Not for credentials that are bound to some projects.
   *
   * Scope `organization:read`.
   */
  get(options: CallOptions = {}): Promise<Organization> {
    return this.caller.call<Organization>(OPERATIONS['organization.get'], {}, options);
  }
}

export class UsageResource extends Resource {
  /**
   * Get the usage of the current billing period. Requests by capability, and by key and application, and the state
   * of the rate limit. A request may take up to a second to appear.
   *
   * Not for credentials that are bound to some projects.
   *
   * Scope `usage:read`.
   */
  get(options: CallOptions = {}): Promise<UsageSummary> {
    return this.caller.call<UsageSummary>(OPERATIONS['usage.get'], {}, options);
  }
}

export class AuditResource extends Resource {
  /**
   * List audit events. The audit log of the organization, oldest first: every change, and every credential that was
   * refused. Follow `nextCursor` until `hasMore` is false; keep the last cursor and continue from it later. No
   * event is skipped or returned twice, even while others are written. A live credential sees the whole log, a test
   * credential only the events of the test environment, so its `sequence` has gaps.
   *
   * Not for credentials that are bound to some projects.
   *
   * Scope `audit:read`. Role `admin`, for people. Plan `enterprise`.
   */
  list(query: AuditListQuery = {}, options: CallOptions = {}): List<AuditEvent, AuditEventPage> {
    return new List((cursor) => this.caller.call<AuditEventPage>(OPERATIONS['audit.list'], { query: { ...query, ...cursor } }, options));
  }

  /**
   * Get a checkpoint of the audit log. A signed statement of how many events the log has and of the root hash over
   * them. Keep one: it shows later that an event was in the log, or that the log was rewritten. The keys are at
   * `/.well-known/claims-audit-keys`, too. An addition.
   *
   * Not for credentials that are bound to some projects.
   *
   * Scope `audit:read`. Role `admin`, for people. Plan `enterprise`.
   */
  getCheckpoint(options: CallOptions = {}): Promise<AuditCheckpoint> {
    return this.caller.call<AuditCheckpoint>(OPERATIONS['audit.get_checkpoint'], {}, options);
  }

  /**
   * Prove an audit event. The hashes that lead from one event to the root of a checkpoint: at most 1 KiB, however
   * long the log is. They can be verified without this service. An addition.
   *
   * Not for credentials that are bound to some projects.
   *
   * Scope `audit:read`. Role `admin`, for people. Plan `enterprise`.
   */
  getProof(eventId: string, options: CallOptions = {}): Promise<AuditProof> {
    return this.caller.call<AuditProof>(OPERATIONS['audit.get_proof'], { path: [eventId] }, options);
  }

  /**
   * Prove that the audit log only grew. The hashes that show that the log of the newest checkpoint begins with the
   * events of an earlier one: nothing of them was changed, removed or put between. An addition.
   *
   * Not for credentials that are bound to some projects.
   *
   * Scope `audit:read`. Role `admin`, for people. Plan `enterprise`.
   */
  getConsistency(query: AuditGetConsistencyQuery = {}, options: CallOptions = {}): Promise<AuditConsistency> {
    return this.caller.call<AuditConsistency>(OPERATIONS['audit.get_consistency'], { query }, options);
  }
}

export class WebhooksResource extends Resource {
  /**
   * List webhook endpoints. All endpoints on one page, newest first. A live credential sees those of both
   * environments, a test credential those of test.
   *
   * Scope `webhooks:read`. Plan `enterprise`.
   */
  list(options: CallOptions = {}): List<Webhook, WebhookList> {
    return new List((cursor) => this.caller.call<WebhookList>(OPERATIONS['webhooks.list'], { query: cursor }, options));
  }

  /**
   * Create a webhook endpoint. The response contains the signing secret. No other response does.
   *
   * Scope `webhooks:write`. Role `admin`, for people. Plan `enterprise`.
   */
  create(body: CreateWebhook, options: WriteOptions = {}): Promise<WebhookWithSecret> {
    return this.caller.call<WebhookWithSecret>(OPERATIONS['webhooks.create'], { body }, options);
  }

  /**
   * Get a webhook endpoint. Without the signing secret: only the answers to creating it and to rotating the secret
   * contain that.
   *
   * Scope `webhooks:read`. Plan `enterprise`.
   */
  get(webhookId: string, options: CallOptions = {}): Promise<Webhook> {
    return this.caller.call<Webhook>(OPERATIONS['webhooks.get'], { path: [webhookId] }, options);
  }

  /**
   * Update a webhook endpoint. Properties that are left out stay unchanged. With `rotateSecret` the response
   * contains the new signing secret; no other response does. A change applies from the next delivery on.
   *
   * Scope `webhooks:write`. Role `admin`, for people. Plan `enterprise`.
   */
  update(webhookId: string, body: UpdateWebhook, options: UpdateOptions = {}): Promise<WebhookWithSecret> {
    return this.caller.call<WebhookWithSecret>(OPERATIONS['webhooks.update'], { path: [webhookId], body }, options);
  }

  /**
   * Delete a webhook endpoint. Its delivery log is deleted too, and its pending deliveries are not sent.
   *
   * Scope `webhooks:delete`. Role `admin`, for people. Plan `enterprise`.
   */
  delete(webhookId: string, options: DeleteOptions = {}): Promise<void> {
    return this.caller.call<void>(OPERATIONS['webhooks.delete'], { path: [webhookId] }, options);
  }

  /**
   * List the deliveries of a webhook endpoint. One record for each attempt, newest first; the next scheduled one is
   * `pending`. Without bodies and tests.
   *
   * Scope `webhooks:deliveries:read`. Plan `enterprise`.
   */
  listDeliveries(
    webhookId: string,
    query: WebhooksListDeliveriesQuery = {},
    options: CallOptions = {},
  ): List<WebhookDelivery, WebhookDeliveryPage> {
    return new List((cursor) =>
      this.caller.call<WebhookDeliveryPage>(
        OPERATIONS['webhooks.list_deliveries'],
        { path: [webhookId], query: { ...query, ...cursor } },
        options,
      ),
    );
  }

  /**
   * Send a delivery again. Makes a new attempt with the same `webhook-id`, and answers with its id. If another
   * attempt of its event is due later, that is made now instead. An addition.
   *
   * Scope `webhooks:deliveries:write`. Role `admin`, for people. Plan `enterprise`.
   */
  redeliver(webhookId: string, body: Redeliver, options: WriteOptions = {}): Promise<Redeliver> {
    return this.caller.call<Redeliver>(OPERATIONS['webhooks.redeliver'], { path: [webhookId], body }, options);
  }

  /**
   * Get a delivery with its message. One attempt with the message that was sent and the beginning of the answer, to
   * find out why an endpoint refused it. The credential may read the record of the event. An addition.
   *
   * Scope `webhooks:deliveries:read`. Plan `enterprise`.
   */
  getDelivery(webhookId: string, deliveryId: string, options: CallOptions = {}): Promise<WebhookDeliveryDetails> {
    return this.caller.call<WebhookDeliveryDetails>(OPERATIONS['webhooks.get_delivery'], { path: [webhookId, deliveryId] }, options);
  }

  /**
   * Count what an endpoint has missed. The events that it subscribes to and that were neither delivered to it nor
   * are on their way: it refused them, or was disabled. A replay sends them. An addition.
   *
   * Scope `webhooks:deliveries:read`. Plan `enterprise`.
   */
  getMissed(webhookId: string, query: WebhooksGetMissedQuery = {}, options: CallOptions = {}): Promise<Missed> {
    return this.caller.call<Missed>(OPERATIONS['webhooks.get_missed'], { path: [webhookId], query }, options);
  }

  /**
   * Send what an endpoint has missed. Sends the events that `GET …/missed` counts, in their order and at the rate
   * that the endpoint allows. For a disabled endpoint they wait until it is active. The delivery log has those that
   * wait as `pending`. An addition.
   *
   * Scope `webhooks:deliveries:write`. Role `admin`, for people. Plan `enterprise`.
   */
  replay(webhookId: string, body: CreateReplay, options: WriteOptions = {}): Promise<Replay> {
    return this.caller.call<Replay>(OPERATIONS['webhooks.replay'], { path: [webhookId], body }, options);
  }

  /**
   * Stop the replays of an endpoint. Takes back all that they have not sent yet; a few may be on their way. It can
   * be replayed later. An addition.
   *
   * Scope `webhooks:deliveries:write`. Role `admin`, for people. Plan `enterprise`.
   */
  stopReplays(webhookId: string, body: StopReplays = {}, options: WriteOptions = {}): Promise<Replay> {
    return this.caller.call<Replay>(OPERATIONS['webhooks.stop_replays'], { path: [webhookId], body }, options);
  }

  /**
   * Test a webhook endpoint. Sends a `webhook.test` or the example of a kind at once, and answers with what came
   * back. An example has the signature and the headers of a delivery, and `X-Service-Example: true`: nothing
   * happened. Neither is in the delivery log. An addition.
   *
   * Scope `webhooks:deliveries:write`. Role `admin`, for people. Plan `enterprise`.
   */
  ping(webhookId: string, body: CreatePing = {}, options: WriteOptions = {}): Promise<Ping> {
    return this.caller.call<Ping>(OPERATIONS['webhooks.ping'], { path: [webhookId], body }, options);
  }

  /**
   * List events. What has changed: the events of the environment of the credential, oldest first, each with the
   * body that a delivery of it has. To begin with all records, ask without `after` first, then read the lists, and
   * follow the cursor from then on. Without `after` there are none, only the `nextCursor` from which to follow
   * them. Fetch again with it, at once while `hasMore` is true. No event is skipped or returned twice; it appears
   * about two seconds after its change. Only events whose records the credential may read are returned: `GET /v1`
   * has the scope of each kind. An addition.
   */
  listEvents(query: WebhooksListEventsQuery = {}, options: CallOptions = {}): List<WebhookEvent, WebhookEventPage> {
    return new List((cursor) =>
      this.caller.call<WebhookEventPage>(OPERATIONS['webhooks.list_events'], { query: { ...query, ...cursor } }, options),
    );
  }
}

export class TestResource extends Resource {
  /**
   * Send a test event. Makes an event of any kind that has an example, about a record that does not exist. It is in
   * the feed, and goes to the endpoints that subscribe to its kind in all claim projects: signed, repeated and
   * logged like one that happened. An addition.
   *
   * Only in the test environment: for a live credential this path does not exist.
   *
   * Not for credentials that are bound to some projects.
   *
   * Scope `test:write`. Role `admin`, for people.
   */
  sendEvent(body: CreateTestEvent, options: WriteOptions = {}): Promise<TestEvent> {
    return this.caller.call<TestEvent>(OPERATIONS['test.send_event'], { body }, options);
  }

  /**
   * Set what becomes of the next run. The next run that is queued with this report configuration ends so, with the
   * events and audit entries of any run. It applies once; another call before that replaces it. An addition.
   *
   * Only in the test environment: for a live credential this path does not exist.
   *
   * Scope `test:write`. Role `admin`, for people.
   */
  setOutcome(body: CreateTestOutcome, options: WriteOptions = {}): Promise<TestOutcome> {
    return this.caller.call<TestOutcome>(OPERATIONS['test.set_outcome'], { body }, options);
  }

  /**
   * Set what the next calls are answered. The next calls of this key, application or person in the test environment
   * get this problem, or wait, in place of what they ask for, within ten minutes. Calls below `/v1/test` are not
   * among them. Replaces what is left of an earlier one. An addition.
   *
   * Only in the test environment: for a live credential this path does not exist.
   *
   * Scope `test:write`. Role `admin`, for people.
   */
  setAnswers(body: CreateTestAnswers = {}, options: WriteOptions = {}): Promise<TestAnswers> {
    return this.caller.call<TestAnswers>(OPERATIONS['test.set_answers'], { body }, options);
  }

  /**
   * Empty the test environment. Deletes for good all records of the organization in the test environment, also
   * those of others: projects, categories, configurations, items, receipts, statements, reports, claims, layouts,
   * upload links, events, deliveries and remembered answers of Idempotency-Keys, and what this credential has
   * planned with `POST /v1/test/answers`. Keys, applications, webhook endpoints, people, settings, usage and the
   * audit log stay. Calls that write meanwhile wait. If there is more than can be deleted in twenty seconds it is
   * answered with 503 `unavailable`, and goes on when it is repeated. An addition.
   *
   * Only in the test environment: for a live credential this path does not exist.
   *
   * Not for credentials that are bound to some projects.
   *
   * Scope `test:write`. Role `admin`, for people.
   */
  reset(body: CreateTestReset = {}, options: WriteOptions = {}): Promise<TestReset> {
    return this.caller.call<TestReset>(OPERATIONS['test.reset'], { body }, options);
  }
}

export class ApiResource extends Resource {
  /**
   * Get the version and the catalog of operations and events. Every operation with its scope, role, plan and tool,
   * and every kind of event.
   */
  catalog(options: CallOptions = {}): Promise<ApiCatalog> {
    return this.caller.call<ApiCatalog>(OPERATIONS['api.catalog'], {}, options);
  }

  /**
   * Get the context of the credential. The organization, scopes and projects of the credential, and the state of
   * its rate limit.
   */
  authContext(options: CallOptions = {}): Promise<AuthContext> {
    return this.caller.call<AuthContext>(OPERATIONS['api.auth_context'], {}, options);
  }
}

export class RequestsResource extends Resource {
  /**
   * List answered requests. Calls of operations and tools in the environment of the credential, newest first. Of
   * each second, each process keeps up to 25 that succeeded and 25 that failed, for 7 days; the service may be set
   * to keep fewer, which `kept` says. A call appears within about two seconds. Follow `nextCursor` while `hasMore`
   * is true. An addition.
   *
   * Not for credentials that are bound to some projects.
   *
   * Scope `requests:read`. Role `owner`, for people.
   */
  list(query: RequestsListQuery = {}, options: CallOptions = {}): List<AnsweredRequest, AnsweredRequestPage> {
    return new List((cursor) =>
      this.caller.call<AnsweredRequestPage>(OPERATIONS['requests.list'], { query: { ...query, ...cursor } }, options),
    );
  }

  /**
   * Get an answered request. By its `id` in the list, which is not its `X-Request-Id`. An addition.
   *
   * Not for credentials that are bound to some projects.
   *
   * Scope `requests:read`. Role `owner`, for people.
   */
  get(answeredRequestId: string, options: CallOptions = {}): Promise<AnsweredRequest> {
    return this.caller.call<AnsweredRequest>(OPERATIONS['requests.get'], { path: [answeredRequestId] }, options);
  }
}

/** All resources of the API. */
export class Resources {
  readonly projects: ClaimProjectsResource;
  readonly categories: ExpenseCategoriesResource;
  readonly configurations: ReportConfigurationsResource;
  readonly statements: BankStatementsResource;
  readonly layouts: StatementLayoutsResource;
  readonly links: UploadLinksResource;
  readonly items: ClaimItemsResource;
  readonly reports: ClaimReportsResource;
  readonly closings: ClaimClosingsResource;
  readonly lines: ClaimLinesResource;
  readonly shares: ClaimReportSharesResource;
  readonly receipts: ReceiptsResource;
  readonly batches: BatchesResource;
  readonly organization: OrganizationResource;
  readonly usage: UsageResource;
  readonly audit: AuditResource;
  readonly webhooks: WebhooksResource;
  readonly test: TestResource;
  readonly api: ApiResource;
  readonly requests: RequestsResource;

  constructor(caller: Caller) {
    this.projects = new ClaimProjectsResource(caller);
    this.categories = new ExpenseCategoriesResource(caller);
    this.configurations = new ReportConfigurationsResource(caller);
    this.statements = new BankStatementsResource(caller);
    this.layouts = new StatementLayoutsResource(caller);
    this.links = new UploadLinksResource(caller);
    this.items = new ClaimItemsResource(caller);
    this.reports = new ClaimReportsResource(caller);
    this.closings = new ClaimClosingsResource(caller);
    this.lines = new ClaimLinesResource(caller);
    this.shares = new ClaimReportSharesResource(caller);
    this.receipts = new ReceiptsResource(caller);
    this.batches = new BatchesResource(caller);
    this.organization = new OrganizationResource(caller);
    this.usage = new UsageResource(caller);
    this.audit = new AuditResource(caller);
    this.webhooks = new WebhooksResource(caller);
    this.test = new TestResource(caller);
    this.api = new ApiResource(caller);
    this.requests = new RequestsResource(caller);
  }
}

/** The request is not valid (`validation_failed`). */
export class ValidationFailedError extends ClaimsError<'validation_failed'> {}

/** The body is not a JSON object (`malformed_json`). */
export class MalformedJsonError extends ClaimsError<'malformed_json'> {}

/** The Idempotency-Key header is missing (`idempotency_key_missing`). */
export class IdempotencyKeyMissingError extends ClaimsError<'idempotency_key_missing'> {}

/** The Idempotency-Key header is not valid (`idempotency_key_invalid`). */
export class IdempotencyKeyInvalidError extends ClaimsError<'idempotency_key_invalid'> {}

/** A related record does not exist (`related_record_missing`). */
export class RelatedRecordMissingError extends ClaimsError<'related_record_missing'> {}

/** The environment does not match the credential (`environment_mismatch`). */
export class EnvironmentMismatchError extends ClaimsError<'environment_mismatch'> {}

/** Deliveries cannot be sent to this URL (`target_not_allowed`). */
export class TargetNotAllowedError extends ClaimsError<'target_not_allowed'> {}

/** Two credentials were sent (`ambiguous_credentials`). */
export class AmbiguousCredentialsError extends ClaimsError<'ambiguous_credentials'> {}

/** No credential was sent (`credential_missing`). */
export class CredentialMissingError extends ClaimsError<'credential_missing'> {}

/** The credential is not valid (`credential_invalid`). */
export class CredentialInvalidError extends ClaimsError<'credential_invalid'> {}

/** The credential lacks a scope (`scope_missing`). */
export class ScopeMissingError extends ClaimsError<'scope_missing'> {}

/** The role of the person does not allow this (`role_required`). */
export class RoleRequiredError extends ClaimsError<'role_required'> {}

/** The credential is for some projects only (`bound_to_projects`). */
export class BoundToProjectsError extends ClaimsError<'bound_to_projects'> {}

/** The record of an event may not be read (`event_not_allowed`). */
export class EventNotAllowedError extends ClaimsError<'event_not_allowed'> {}

/** A higher plan is required (`plan_required`). */
export class PlanRequiredError extends ClaimsError<'plan_required'> {}

/** It shows fields that are hidden from you (`fields_hidden`). */
export class FieldsHiddenError extends ClaimsError<'fields_hidden'> {}

/** The IP address is not allowed (`ip_not_allowed`). */
export class IpNotAllowedError extends ClaimsError<'ip_not_allowed'> {}

/** The organization is suspended (`organization_suspended`). */
export class OrganizationSuspendedError extends ClaimsError<'organization_suspended'> {}

/** The organization has moved to another installation (`organization_moved`). */
export class OrganizationMovedError extends ClaimsError<'organization_moved'> {}

/** There is no such record (`not_found`). */
export class NotFoundError extends ClaimsError<'not_found'> {}

/** There is no such path (`route_not_found`). */
export class RouteNotFoundError extends ClaimsError<'route_not_found'> {}

/** The method is not allowed (`method_not_allowed`). */
export class MethodNotAllowedError extends ClaimsError<'method_not_allowed'> {}

/** The client does not accept JSON (`not_acceptable`). */
export class NotAcceptableError extends ClaimsError<'not_acceptable'> {}

/** The request took too long to arrive (`request_timeout`). */
export class RequestTimeoutError extends ClaimsError<'request_timeout'> {}

/** The Idempotency-Key is already in use (`idempotency_conflict`). */
export class IdempotencyConflictError extends ClaimsError<'idempotency_conflict'> {}

/** The record already exists (`already_exists`). */
export class AlreadyExistsError extends ClaimsError<'already_exists'> {}

/** The claim of these days is final (`claim_final`). */
export class ClaimFinalError extends ClaimsError<'claim_final'> {}

/** The claim is not in the state for this step (`claim_state`). */
export class ClaimStateError extends ClaimsError<'claim_state'> {}

/** The record is not in the state for this (`wrong_state`). */
export class WrongStateError extends ClaimsError<'wrong_state'> {}

/** The record has changed meanwhile (`changed_meanwhile`). */
export class ChangedMeanwhileError extends ClaimsError<'changed_meanwhile'> {}

/** Other records name this one (`record_in_use`). */
export class RecordInUseError extends ClaimsError<'record_in_use'> {}

/** The limit of records is reached (`limit_exceeded`). */
export class LimitExceededError extends ClaimsError<'limit_exceeded'> {}

/** The body is too large (`body_too_large`). */
export class BodyTooLargeError extends ClaimsError<'body_too_large'> {}

/** The media type is not supported (`unsupported_media_type`). */
export class UnsupportedMediaTypeError extends ClaimsError<'unsupported_media_type'> {}

/** The call was not confirmed (`confirmation_needed`). */
export class ConfirmationNeededError extends ClaimsError<'confirmation_needed'> {}

/** Too many requests (`rate_limited`). */
export class RateLimitedError extends ClaimsError<'rate_limited'> {}

/** The headers are too large (`headers_too_large`). */
export class HeadersTooLargeError extends ClaimsError<'headers_too_large'> {}

/** The request is not valid HTTP (`bad_request`). */
export class BadRequestError extends ClaimsError<'bad_request'> {}

/** Something went wrong on our side (`internal_error`). */
export class InternalError extends ClaimsError<'internal_error'> {}

/** The service is temporarily unavailable (`unavailable`). */
export class UnavailableError extends ClaimsError<'unavailable'> {}

/** The organization moves to another installation (`organization_moving`). */
export class OrganizationMovingError extends ClaimsError<'organization_moving'> {}

/** The class of each code. */
export const ERRORS = {
  validation_failed: ValidationFailedError,
  malformed_json: MalformedJsonError,
  idempotency_key_missing: IdempotencyKeyMissingError,
  idempotency_key_invalid: IdempotencyKeyInvalidError,
  related_record_missing: RelatedRecordMissingError,
  environment_mismatch: EnvironmentMismatchError,
  target_not_allowed: TargetNotAllowedError,
  ambiguous_credentials: AmbiguousCredentialsError,
  credential_missing: CredentialMissingError,
  credential_invalid: CredentialInvalidError,
  scope_missing: ScopeMissingError,
  role_required: RoleRequiredError,
  bound_to_projects: BoundToProjectsError,
  event_not_allowed: EventNotAllowedError,
  plan_required: PlanRequiredError,
  fields_hidden: FieldsHiddenError,
  ip_not_allowed: IpNotAllowedError,
  organization_suspended: OrganizationSuspendedError,
  organization_moved: OrganizationMovedError,
  not_found: NotFoundError,
  route_not_found: RouteNotFoundError,
  method_not_allowed: MethodNotAllowedError,
  not_acceptable: NotAcceptableError,
  request_timeout: RequestTimeoutError,
  idempotency_conflict: IdempotencyConflictError,
  already_exists: AlreadyExistsError,
  claim_final: ClaimFinalError,
  claim_state: ClaimStateError,
  wrong_state: WrongStateError,
  changed_meanwhile: ChangedMeanwhileError,
  record_in_use: RecordInUseError,
  limit_exceeded: LimitExceededError,
  body_too_large: BodyTooLargeError,
  unsupported_media_type: UnsupportedMediaTypeError,
  confirmation_needed: ConfirmationNeededError,
  rate_limited: RateLimitedError,
  headers_too_large: HeadersTooLargeError,
  bad_request: BadRequestError,
  internal_error: InternalError,
  unavailable: UnavailableError,
  organization_moving: OrganizationMovingError,
};
