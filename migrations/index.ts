import { CreateOrganizations1763700000000 } from './1763700000000-create-organizations.js';
import { CreateApiKeys1763700001000 } from './1763700001000-create-api-keys.js';
import { CreateIdempotencyKeys1763700002000 } from './1763700002000-create-idempotency-keys.js';
import { CreateEvents1763700003000 } from './1763700003000-create-events.js';
import { CreateAuditEntries1763700004000 } from './1763700004000-create-audit-entries.js';
import { CreateUsageDays1763700005000 } from './1763700005000-create-usage-days.js';
import { CreateClaimProjects1763700006000 } from './1763700006000-create-claim-projects.js';
import { CreateAuditLog1763700007000 } from './1763700007000-create-audit-log.js';
import { IndexClaimProjects1763700008000 } from './1763700008000-index-claim-projects.js';
import { CreateExpenseCategories1763700009000 } from './1763700009000-create-expense-categories.js';
import { CreateReportConfigurations1763700010000 } from './1763700010000-create-report-configurations.js';
import { CreateWebhookEndpoints1763700011000 } from './1763700011000-create-webhook-endpoints.js';
import { CreateWebhookDeliveries1763700012000 } from './1763700012000-create-webhook-deliveries.js';
import { CreateBankStatements1763700013000 } from './1763700013000-create-bank-statements.js';
import { CreateStatementContent1763700013500 } from './1763700013500-create-statement-content.js';
import { CreateClaimReports1763700014000 } from './1763700014000-create-claim-reports.js';
import { CreateUsers1763700015000 } from './1763700015000-create-users.js';
import { CreateOAuth1763700016000 } from './1763700016000-create-oauth.js';
import { CreateUsageWriters1763700017000 } from './1763700017000-create-usage-writers.js';
import { CreatePartitionFunctions1763700021000 } from './1763700021000-create-partition-functions.js';
import { BoundAuthorizationRequests1763700023000 } from './1763700023000-bound-authorization-requests.js';
import { SizeClaimReportResults1763700024000 } from './1763700024000-size-claim-report-results.js';
import { RemoveStatementContent1763700025000 } from './1763700025000-remove-statement-content.js';
import { CreateOrganizationErasures1763700025500 } from './1763700025500-create-organization-erasures.js';
import { AddRedactCounterparties1763700026000 } from './1763700026000-add-redact-counterparties.js';
import { AddStatementWarnings1763700027000 } from './1763700027000-add-statement-warnings.js';
import { CreateCounterpartyDecisions1763700028000 } from './1763700028000-create-counterparty-decisions.js';
import { AddStatementReadingOptions1763700029000 } from './1763700029000-add-statement-reading-options.js';
import { PackReportFiles1763700029500 } from './1763700029500-pack-report-files.js';
import { CreateStatementLayouts1763700030000 } from './1763700030000-create-statement-layouts.js';
import { CreateExchangeRates1763700031000 } from './1763700031000-create-exchange-rates.js';
import { IndexWebhookDeliveries1763700032000 } from './1763700032000-index-webhook-deliveries.js';
import { ExtendWebhooks1763700033000 } from './1763700033000-extend-webhooks.js';
import { CreateOutgoingMails1763700034000 } from './1763700034000-create-outgoing-mails.js';
import { CreateSharedApplications1763700035000 } from './1763700035000-create-shared-applications.js';
import { ExtendOAuth1763700037000 } from './1763700037000-extend-oauth.js';
import { ShowProgressOfClaimReports1763700038000 } from './1763700038000-show-progress-of-claim-reports.js';
import { AddOrganizationsToPrimaryKeys1763700039000 } from './1763700039000-add-organizations-to-primary-keys.js';
import { MoveRowsByTwoStatements1763700040000 } from './1763700040000-move-rows-by-two-statements.js';
import { CreateConsoleSessions1763700041000 } from './1763700041000-create-console-sessions.js';
import { CreateApiRequests1763700042000 } from './1763700042000-create-api-requests.js';
import { ShareAccounts1763700043000 } from './1763700043000-share-accounts.js';
import { CreateUploadLinks1763700045000 } from './1763700045000-create-upload-links.js';
import { HoldApplications1763700046000 } from './1763700046000-hold-applications.js';
import { CreateIdentityProviders1763700047000 } from './1763700047000-create-identity-providers.js';
import { NoteWhereKeysAreUsed1763700048000 } from './1763700048000-note-where-keys-are-used.js';
import { TraceEvents1763700049000 } from './1763700049000-trace-events.js';
import { CreateOrganizationNotices1763700050000 } from './1763700050000-create-organization-notices.js';
import { AddCustomFields1763700051000 } from './1763700051000-add-custom-fields.js';
import { CreateStoredFiles1763700052000 } from './1763700052000-create-stored-files.js';
import { CompareAddressesExactly1763700152000 } from './1763700152000-compare-addresses-exactly.js';
import { CreateEncryptionKeyChecks1763700552000 } from './1763700552000-create-encryption-key-checks.js';
import { ProtectAuditLog1763700652000 } from './1763700652000-protect-audit-log.js';
import { DropPartitionsOfRequests1763700752000 } from './1763700752000-drop-partitions-of-requests.js';
import { AddCertaintyOfStatements1763700852000 } from './1763700852000-add-certainty-of-statements.js';
import { KeepNames1763700952000 } from './1763700952000-keep-names.js';
import { FindProjectsByReference1763701052000 } from './1763701052000-find-projects-by-reference.js';
import { CreateClaimLines1763701053000 } from './1763701053000-create-claim-lines.js';
import { CreateClaimClosings1763701061000 } from './1763701061000-create-claim-closings.js';
import { KeepFinalClaims1763701062000 } from './1763701062000-keep-final-claims.js';
import { NoteWhoMakesKeys1763701063000 } from './1763701063000-note-who-makes-keys.js';
import { FindChangedRecords1763701064000 } from './1763701064000-find-changed-records.js';
import { CreateClaimItems1763701065000 } from './1763701065000-create-claim-items.js';
import { CreateReceipts1763701066000 } from './1763701066000-create-receipts.js';
import { NoteChangesOfStatementLayouts1763701068000 } from './1763701068000-note-changes-of-statement-layouts.js';
import { AddCertificates1763701069000 } from './1763701069000-add-certificates.js';
import { TendChangingTables1763701070000 } from './1763701070000-tend-changing-tables.js';
import { CreateAuditCheckpoints1763701071000 } from './1763701071000-create-audit-checkpoints.js';
import { KeepAuditLog1763701075000 } from './1763701075000-keep-audit-log.js';
import { CreateAuditWitnesses1763701076000 } from './1763701076000-create-audit-witnesses.js';
import { AddPasskeys1763701080000 } from './1763701080000-add-passkeys.js';
import { SecureApplications1763701090000 } from './1763701090000-secure-applications.js';
import { CommitToPersonalValues1763701100000 } from './1763701100000-commit-to-personal-values.js';
import { CreateAuditDestinations1763701110000 } from './1763701110000-create-audit-destinations.js';
import { LockRows1763701120000 } from './1763701120000-lock-rows.js';
import { RequireOrganizationStays1763701130000 } from './1763701130000-require-organization-stays.js';
import { CountFailuresOfEndpoints1763701140000 } from './1763701140000-count-failures-of-endpoints.js';
import { AddProjectsOfEndpoints1763701150000 } from './1763701150000-add-projects-of-endpoints.js';
import { ProvokeOutcomes1763701160000 } from './1763701160000-provoke-outcomes.js';
import { AddOwnLimits1763701170000 } from './1763701170000-add-own-limits.js';
import { CreateUsageCredentials1763701171000 } from './1763701171000-create-usage-credentials.js';
import { AddProjectsOfKeys1763701172000 } from './1763701172000-add-projects-of-keys.js';
import { AddProjectsOfApplications1763701173000 } from './1763701173000-add-projects-of-applications.js';
import { LetResetsDeleteFinalClaims1763701174000 } from './1763701174000-let-resets-delete-final-claims.js';
import { CreateConfirmations1763701175000 } from './1763701175000-create-confirmations.js';
import { AddLimitsOfTools1763701177000 } from './1763701177000-add-limits-of-tools.js';
import { NoteClientsOfRequests1763701179000 } from './1763701179000-note-clients-of-requests.js';
import { CreateJobTurns1763701181000 } from './1763701181000-create-job-turns.js';
import { AddFieldsOfMoreRecords1763701182000 } from './1763701182000-add-fields-of-more-records.js';
import { AddFieldsOfOrganizationsAndMembers1763701183000 } from './1763701183000-add-fields-of-organizations-and-members.js';

/** All migrations, in order. Imported by name, so that bundles and tests have them too. */
export const migrations = [
  CreateOrganizations1763700000000,
  CreateApiKeys1763700001000,
  CreateIdempotencyKeys1763700002000,
  CreateEvents1763700003000,
  CreateAuditEntries1763700004000,
  CreateUsageDays1763700005000,
  CreateClaimProjects1763700006000,
  CreateAuditLog1763700007000,
  IndexClaimProjects1763700008000,
  CreateExpenseCategories1763700009000,
  CreateReportConfigurations1763700010000,
  CreateWebhookEndpoints1763700011000,
  CreateWebhookDeliveries1763700012000,
  CreateBankStatements1763700013000,
  CreateStatementContent1763700013500,
  CreateClaimReports1763700014000,
  CreateUsers1763700015000,
  CreateOAuth1763700016000,
  CreateUsageWriters1763700017000,
  CreatePartitionFunctions1763700021000,
  BoundAuthorizationRequests1763700023000,
  SizeClaimReportResults1763700024000,
  RemoveStatementContent1763700025000,
  CreateOrganizationErasures1763700025500,
  AddRedactCounterparties1763700026000,
  AddStatementWarnings1763700027000,
  CreateCounterpartyDecisions1763700028000,
  AddStatementReadingOptions1763700029000,
  PackReportFiles1763700029500,
  CreateStatementLayouts1763700030000,
  CreateExchangeRates1763700031000,
  IndexWebhookDeliveries1763700032000,
  ExtendWebhooks1763700033000,
  CreateOutgoingMails1763700034000,
  CreateSharedApplications1763700035000,
  ExtendOAuth1763700037000,
  ShowProgressOfClaimReports1763700038000,
  AddOrganizationsToPrimaryKeys1763700039000,
  MoveRowsByTwoStatements1763700040000,
  CreateConsoleSessions1763700041000,
  CreateApiRequests1763700042000,
  ShareAccounts1763700043000,
  CreateUploadLinks1763700045000,
  HoldApplications1763700046000,
  CreateIdentityProviders1763700047000,
  NoteWhereKeysAreUsed1763700048000,
  TraceEvents1763700049000,
  CreateOrganizationNotices1763700050000,
  AddCustomFields1763700051000,
  CreateStoredFiles1763700052000,
  CompareAddressesExactly1763700152000,
  CreateEncryptionKeyChecks1763700552000,
  ProtectAuditLog1763700652000,
  DropPartitionsOfRequests1763700752000,
  AddCertaintyOfStatements1763700852000,
  KeepNames1763700952000,
  FindProjectsByReference1763701052000,
  CreateClaimLines1763701053000,
  CreateClaimClosings1763701061000,
  KeepFinalClaims1763701062000,
  NoteWhoMakesKeys1763701063000,
  FindChangedRecords1763701064000,
  CreateClaimItems1763701065000,
  CreateReceipts1763701066000,
  NoteChangesOfStatementLayouts1763701068000,
  AddCertificates1763701069000,
  TendChangingTables1763701070000,
  CreateAuditCheckpoints1763701071000,
  KeepAuditLog1763701075000,
  CreateAuditWitnesses1763701076000,
  AddPasskeys1763701080000,
  SecureApplications1763701090000,
  CommitToPersonalValues1763701100000,
  CreateAuditDestinations1763701110000,
  LockRows1763701120000,
  RequireOrganizationStays1763701130000,
  CountFailuresOfEndpoints1763701140000,
  AddProjectsOfEndpoints1763701150000,
  ProvokeOutcomes1763701160000,
  AddOwnLimits1763701170000,
  CreateUsageCredentials1763701171000,
  AddProjectsOfKeys1763701172000,
  AddProjectsOfApplications1763701173000,
  LetResetsDeleteFinalClaims1763701174000,
  CreateConfirmations1763701175000,
  AddLimitsOfTools1763701177000,
  NoteClientsOfRequests1763701179000,
  CreateJobTurns1763701181000,
  AddFieldsOfMoreRecords1763701182000,
  AddFieldsOfOrganizationsAndMembers1763701183000,
];
