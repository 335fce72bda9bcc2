import { createContext } from '../program/app.js';
import { ApiKeysService } from '../modules/api-keys/index.js';
import { AuditService, ForgottenPeople, LogDestinations, ProofsService, Witnesses } from '../modules/audit/index.js';
import { SignInLinks } from '../modules/console/index.js';
import { ApplicationsService, ConnectionRulesService, RegistrationsService } from '../modules/oauth/index.js';
import { MovesService, NewOrganizations, OrganizationService } from '../modules/organization/index.js';
import { ErasureService, ExportService, MoveInService, MoveOutService, SupportService } from '../modules/organization-data/index.js';
import { RatesService } from '../modules/rates/index.js';
import { ReportOperatorService } from '../modules/reports/index.js';
import { CounterpartyDecisionsService, StatementLayoutsService, StatementOperatorService } from '../modules/statements/index.js';
import { Accounts, IdentityProvidersService, InvitationsService, makePassword, PersonErasure } from '../modules/users/index.js';
import { UsersService } from '../modules/users/index.js';
import { ListenService, EndpointOperations } from '../modules/webhooks/index.js';
import { type Settings, StartError } from '../kernel/settings/settings.js';
import { pendingMigrations } from '../store/database/migrate.js';
import { FileExamination } from '../store/files/stored-files.js';
import { Reencryption } from '../store/secrets/reencryption.js';
import { subscribableKinds } from '../kernel/declare-event.js';
import { createLog } from '../kernel/log.js';
import { connect } from '../program/connect.js';

/** The services that commands call. Help and bad usage do not import this file: loading the application takes time. */
export async function openServices(settings: Settings) {
  await requireMigrated(settings);
  const app = await createContext(settings, createLog(settings));
  return {
    organizations: app.get(OrganizationService),
    newOrganizations: app.get(NewOrganizations),
    erasures: app.get(ErasureService),
    exports: app.get(ExportService),
    moves: app.get(MovesService),
    movesOut: app.get(MoveOutService),
    movesIn: app.get(MoveInService),
    support: app.get(SupportService),
    keys: app.get(ApiKeysService),
    audit: app.get(AuditService),
    checkpoints: app.get(ProofsService),
    witnesses: app.get(Witnesses),
    destinations: app.get(LogDestinations),
    endpoints: app.get(EndpointOperations),
    listening: app.get(ListenService),
    users: app.get(UsersService),
    people: app.get(PersonErasure),
    forgotten: app.get(ForgottenPeople),
    accounts: app.get(Accounts),
    signInLinks: app.get(SignInLinks),
    applications: app.get(ApplicationsService),
    connectionRules: app.get(ConnectionRulesService),
    registrations: app.get(RegistrationsService),
    identityProviders: app.get(IdentityProvidersService),
    invitations: app.get(InvitationsService),
    statements: app.get(StatementOperatorService),
    counterpartyDecisions: app.get(CounterpartyDecisionsService),
    statementLayouts: app.get(StatementLayoutsService),
    reports: app.get(ReportOperatorService),
    rates: app.get(RatesService),
    reencryption: app.get(Reencryption),
    fileExamination: app.get(FileExamination),
    eventKinds: subscribableKinds(),
    makePassword,
    close: () => app.close(),
  };
}

export type Services = Awaited<ReturnType<typeof openServices>>;

async function requireMigrated(settings: Settings): Promise<void> {
  const source = await connect(settings);
  try {
    const pending = await pendingMigrations(source);
    if (pending.length > 0) throw new StartError(`${pending.length} migrations are pending: run \`claims migrate\` first.`);
  } finally {
    await source.destroy();
  }
}
