import pg from 'pg';
import { expect } from 'vitest';
import { OrganizationService } from '../../src/modules/organization/index.js';
import { ConnectionRulesService, RegistrationsService } from '../../src/modules/oauth/index.js';
import { CounterpartyDecisionsService, StatementLayoutsService } from '../../src/modules/statements/index.js';
import { LogDestinations } from '../../src/modules/audit/index.js';
import { Accounts, IdentityProvidersService } from '../../src/modules/users/index.js';
import { SigningKeysRepository } from '../../src/modules/reports/closing/closings.repository.js';
import { OPERATOR } from '../../src/kernel/context.js';
import { newId } from '../../src/kernel/ids.js';
import type { TestApp } from './app.js';
import { aClosableRun } from './closable-run.js';
import { rowsOf } from './database.js';
import { anApplication, tokensOf } from './oauth.js';
import { A_MAIL } from './receipts.js';
import { openReports, rule } from './reports.js';
import { APP_CALLBACK, connect, signInTo } from './shared-clients.js';
import { startWorking } from './statements.js';
import { aUser, anInvitation, PASSWORD } from './users.js';
import { aProject, aWebhook } from './webhooks.js';

/** Settings with which an organization gets rows in every table. */
export const KEEPING = { STATEMENT_KEEP_ORIGINAL: 'true', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOK_RETRY_SCHEDULE: '1h' };

/** An application, which is also a worker, in which an organization gets rows in every table. */
export const startKeeping = () => startWorking(KEEPING);

/** The same with a table of an extension, whose columns no code knows. */
export async function startKeepingNotes(): Promise<TestApp> {
  const app = await startKeeping();
  await rowsOf(app.databaseUrl, 'CREATE TABLE extension_notes (id uuid PRIMARY KEY, organization_id uuid NOT NULL, note text)');
  return app;
}

export const aNote = ({ databaseUrl }: TestApp, organizationId: string) =>
  rowsOf(databaseUrl, 'INSERT INTO extension_notes VALUES ($1, $2, $3)', [newId(), organizationId, 'a note']);

/** An organization that has used everything: it has rows in every table. */
export async function aWholeOrganization(app: TestApp) {
  const opened = await openReports(app);
  const { organizationId, key, api, taken, category, configuration, run } = opened;
  const webhook = await aWebhook(api, { targetUrl: 'http://127.0.0.1:1/hook' });
  const project = await aProject(api);
  const { id: categoryId } = await category('TRAVEL', [rule('Ticket')]);
  const item = { projectId: project.id, categoryId, name: 'Drive', incurredOn: '2026-01-15', rate: '36.00', currency: 'EUR' };
  expect((await api.post('/v1/claim-items', item)).status).toBe(201);
  const receipt = { projectId: project.id, fileName: 'mail.eml', content: A_MAIL.toString('base64') };
  expect((await api.post('/v1/receipts', receipt)).status).toBe(201);
  const { id: reportConfigurationId } = await configuration({ outputOptions: { formats: ['json', 'csv'], detail: 'lines' } });
  await app.app.get(CounterpartyDecisionsService).decide(OPERATOR, { organizationId, environment: 'test' }, 'Jane Example', 'person');
  const layout = { name: 'Example bank', columns: { Day: 'date', Text: 'description', Sum: 'amount' } };
  await app.app.get(StatementLayoutsService).keep(OPERATOR, { organizationId, environment: 'test' }, JSON.stringify(layout));
  await app.app.get(OrganizationService).change(OPERATOR, organizationId, { keepNames: true });
  const statement = await taken();
  const report = await run({ reportConfigurationId });
  expect(report.status).toBe('succeeded');
  const [line] = (await api.get(`/v1/claim-reports/${report.id}/lines`)).body.data as { id: string }[];
  expect((await api.post('/v1/claim-line-decisions', { lineIds: [line!.id], outcome: 'not_claimed' })).status).toBe(200);
  const { id: reportId } = await aClosableRun(app.databaseUrl, api);
  expect((await api.post('/v1/claim-closings', { reportId, state: 'reviewed' })).status).toBe(201);
  await app.app.get(SigningKeysRepository).findOrMake({ organizationId, environment: 'test' });
  const user = await aUser(app, organizationId);
  const asked = await api.post('/v1/upload-links', { projectId: project.id, note: 'January', days: 7, maxFiles: 3 });
  const { address } = asked.body as { address: string };
  const { secret: totp } = await app.app.get(Accounts).enableTotp(OPERATOR, user.id);
  const partner = { organization: { id: organizationId }, application: await anApplication(app, organizationId) };
  const signer = await aUser(app, organizationId);
  const tokens = await tokensOf(app, { ...partner, user: { id: signer.id, email: signer.email, password: PASSWORD } } as never);
  const { clientId: sharedClientId } = await app.app.get(RegistrationsService).list('A model', [APP_CALLBACK]);
  const admin = await aUser(app, organizationId, { role: 'admin' });
  const shared = await connect(app, sharedClientId, admin);
  // This page stays open.
  await signInTo(app, sharedClientId, admin);
  await app.app.get(ConnectionRulesService).setRule(OPERATOR, organizationId, 'all');
  const wanted = { issuer: 'https://id.example', clientId: 'claims', emailDomains: ['example.com'], defaultRole: 'member' };
  const signOn = { ...wanted, clientSecret: newId(), roleClaim: null, adminValues: [], memberValues: [] };
  await app.app.get(IdentityProvidersService).save(OPERATOR, organizationId, signOn);
  await rowsOf(app.databaseUrl, `INSERT INTO user_identities VALUES ($1, $2, $3, 'https://id.example', 'a subject', now())`, [
    ...[newId(), organizationId, user.id],
  ]);
  await rowsOf(app.databaseUrl, `INSERT INTO organization_notices (organization_id, kind) VALUES ($1, 'claim_report_failed')`, [
    organizationId,
  ]);
  const invitation = await anInvitation(app, organizationId);
  // Its time comes after every test.
  await rowsOf(
    app.databaseUrl,
    `INSERT INTO outgoing_mails (id, organization_id, recipient, subject, text, attempts, created_at, next_attempt_at)
      VALUES ($1, $2, $3, 'Subject', 'Text', 0, now(), now() + interval '1 day')`,
    [newId(), organizationId, user.email],
  );
  await rowsOf(app.databaseUrl, `INSERT INTO job_turns VALUES ($1, 'test', 'test.nightly', '2026-02-01', 1, now(), now(), now())`, [
    organizationId,
  ]);
  await rowsOf(
    app.databaseUrl,
    `INSERT INTO audit_witnesses (organization_id, verifier_key, url, size, created_at)
      VALUES ($1, 'away', 'https://witness.example', 0, now())`,
    [organizationId],
  );
  await rowsOf(
    app.databaseUrl,
    `INSERT INTO confirmations (organization_id, id, environment, credential_id, user_id, asked_by, operation, digest, shown, rule,
        created_at, expires_at, agreed_by)
      VALUES ($1, $2, 'test', $2, $3, 'Sync', 'webhooks.delete', '', '', 'person', now(), now() + interval '1 day', $3)`,
    [organizationId, newId(), user.id],
  );
  const logStore = { kind: 'https', url: 'https://logs.example', name: 'Authorization', region: null, secret: newId() } as const;
  const destination = await app.app.get(LogDestinations).add(OPERATOR, organizationId, logStore);
  // It is not due while a test runs.
  await rowsOf(app.databaseUrl, `UPDATE audit_destinations SET due_at = now() + interval '1 day' WHERE id = $1`, [destination]);
  // A reader of the audit log seals what there is; a worker may come for it seconds later.
  expect((await api.get('/v1/audit/events')).status).toBe(200);
  expect((await api.get('/v1/audit/checkpoint')).status).toBe(200);
  const issued = [tokens.accessToken, tokens.refreshToken, shared.accessToken, shared.refreshToken];
  const shown = [logStore.secret, signOn.clientSecret, address.split('/').at(-1)!];
  const secrets = [key, webhook.secret!, totp, partner.application.clientSecret, ...shown, ...issued, invitation.token];
  return { ...opened, webhook, project, statement, report, user, application: partner.application, tokens, secrets };
}

/** How many rows of an organization each table has. Not from the code under test: from the database alone. */
export async function rowsByTable(url: string, organizationId: string): Promise<Record<string, number>> {
  const tables = await rowsOf<{ name: string }>(
    url,
    `SELECT relname AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'organization_id'
      WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
  );
  const counts = tables.map(
    ({ name }) => `SELECT '${name}' AS name, count(*)::int AS count FROM ${pg.escapeIdentifier(name)} WHERE organization_id = $1`,
  );
  const found = await rowsOf<{ name: string; count: number }>(url, counts.join(' UNION ALL '), [organizationId]);
  return Object.fromEntries(found.map(({ name, count }) => [name, count]));
}

/** What is left of an organization, without the proof. */
export async function leftOf({ databaseUrl }: Pick<TestApp, 'databaseUrl'>, organizationId: string) {
  const { organization_erasures: proofs, ...tables } = await rowsByTable(databaseUrl, organizationId);
  const [left] = await rowsOf<{ organizations: number; tokens: number }>(
    databaseUrl,
    `SELECT (SELECT count(*)::int FROM organizations WHERE id = $1) AS organizations, (SELECT count(*)::int FROM oauth_records
      WHERE (client_id LIKE 'app%' AND client_id NOT IN (SELECT client_id FROM oauth_applications))
        OR user_id NOT IN (SELECT id FROM users)) AS tokens`,
    [organizationId],
  );
  return { proofs, rows: Object.values(tables).reduce((sum, count) => sum + count, 0) + left!.organizations + left!.tokens };
}

export { emptyTables } from './extension-facts.js';
