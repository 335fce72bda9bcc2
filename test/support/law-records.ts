import { factsOfExtensions } from './extension-facts.js';
import type { RegisteredOperation } from '../../src/api/operation/operation.js';
import { declaredFields } from '../../src/api/validation/field.js';
import { RequestHistoryRepository } from '../../src/modules/request-history/request-history.repository.js';
import { StatementOperatorService } from '../../src/modules/statements/index.js';
import { type Environment, OPERATOR } from '../../src/kernel/context.js';
import { rowsOf } from './database.js';
import { newId } from '../../src/kernel/ids.js';
import { Client } from './client.js';
import { aClosableRun } from './closable-run.js';
import { keepFile } from './reports.js';
import type { DocumentedApp } from './documented-app.js';
import { exampleBody } from './law-document.js';

/** Creates a record for the organization and environment of a key, in the collection with this path. */
export type Builder = (app: DocumentedApp, key: string, path: string) => Promise<{ readonly id: string }>;

async function aProject(client: Client): Promise<{ id: string }> {
  const { body } = await client.post('/v1/claim-projects', { name: newId(), periodStart: '2026-01-01', periodEnd: '2026-12-31' });
  return body as { id: string };
}

/** The fields of extensions in the example of a body; nothing without such an extension. */
function ownFields({ document, operations }: DocumentedApp, operation: string): object {
  const { customFields } = exampleBody(
    document,
    operations.find(({ id }) => id === operation)!,
  );
  return customFields === undefined ? {} : { customFields };
}

/** A line of a run, as a worker would keep it. */
async function aLine(app: DocumentedApp, key: string, ofReport?: string): Promise<{ id: string }> {
  const client = new Client(app.url, key);
  const made = async (path: string, body: object): Promise<string> => ((await client.post(path, body)).body as { id: string }).id;
  const reportId = ofReport ?? (await made('/v1/claim-reports', {}));
  const categoryId = await made('/v1/expense-categories', { code: newId(), name: 'Rail', sourceMapping: {} });
  const [id, statementId] = [newId(), newId()];
  await rowsOf(
    app.databaseUrl,
    `INSERT INTO statement_lines (statement_id, line_number, organization_id, environment, booked_on, amount, description, counterparty,
        fingerprint)
      SELECT $2, 1, organization_id, environment, '2026-01-05', '-12.50', 'Ticket', 'Rail', '' FROM claim_reports WHERE id = $1`,
    [reportId, statementId],
  );
  await rowsOf(
    app.databaseUrl,
    `INSERT INTO claim_lines (id, organization_id, environment, created_at, report_id, statement_id, line_number, fingerprint, occurrence,
        booked_on, amount, currency, outcome, category_id)
      SELECT $1, organization_id, environment, now(), id, $3, 1, $4, 1, '2026-01-05', -12.50, 'EUR', 'claimed', $5
        FROM claim_reports WHERE id = $2`,
    [id, reportId, statementId, id.replaceAll('-', ''), categoryId],
  );
  return (await client.get(`/v1/claim-lines/${id}`)).body as { id: string };
}

/** Builders for the collections without a POST, by path. All others are created by their POST, with the document's example. */
export const BUILDERS: Readonly<Record<string, Builder>> = {
  // The example endpoint is subscribed to new projects, so each project creates a delivery.
  '/v1/webhooks/{webhook_id}/deliveries': async (app, key, path) => {
    const client = new Client(app.url, key);
    await aProject(client);
    const { body } = await client.get(`${path}?page_size=1`);
    return (body as { data: { id: string }[] }).data[0]!;
  },
  // Every change has an event. This one is of the environment of the key.
  '/v1/audit/events': async (app, key) => {
    const client = new Client(app.url, key);
    const { id } = await aProject(client);
    const { body } = await client.get('/v1/audit/events?limit=500&action_prefix=claim_project.created');
    return (body as { data: { id: string; resource: { id: string } }[] }).data.find(({ resource }) => resource.id === id)!;
  },
  // Files are made by runs, and no worker runs here.
  '/v1/claim-reports/{report_id}/outputs': async (app, _key, path) => {
    await keepFile(app.databaseUrl, path.split('/').at(-2)!, '{}');
    return { id: 'json' };
  },
  // The claim of a run that has succeeded can be closed, and no worker runs here.
  '/v1/claim-reports': async (app, key) => aClosableRun(app.databaseUrl, new Client(app.url, key), ownFields(app, 'claim_reports.create')),
  // So many of a second are kept, and this one must be.
  '/v1/requests': async (app, key) => {
    const { body } = await new Client(app.url, key).get('/v1/auth/context');
    const { organization, credential } = body as { organization: { id: string }; credential: { id: string; environment: Environment } };
    const made = {
      ...{ id: newId(), organizationId: organization.id, environment: credential.environment, answeredAt: new Date().toISOString() },
      ...{ operation: 'claim_projects.create', method: 'POST', path: '/v1/claim-projects', status: 400, problem: 'validation_failed' },
      ...{ durationMs: 12, requestId: newId(), credentialId: credential.id, credentialName: 'Sync', client: null, ipAddress: '127.0.0.1' },
    };
    await app.app.get(RequestHistoryRepository).insert([made]);
    return made;
  },
  // Operators import statements. Each has a project and is read at once, because the list can be filtered by both.
  '/v1/bank-statements': async (app, key) => {
    const client = new Client(app.url, key);
    const { body } = await client.get('/v1/auth/context');
    const { organization, credential } = body as { organization: { id: string }; credential: { environment: Environment } };
    const { id } = await aProject(client);
    const file = Buffer.from('Date,Description,Amount\n2026-01-05,Ticket,-89.90\n');
    return app.app.get(StatementOperatorService).import(OPERATOR, {
      organizationId: organization.id,
      environment: credential.environment,
      projectId: id,
      fileName: 'january.csv',
      file,
      isRedacted: true,
      ...ownFields(app, 'bank_statements.create'),
    });
  },
  // One layout for one header: that of the example would replace the one before.
  '/v1/statement-layouts': async (app, key) => {
    const layout = { columns: { [newId()]: 'date', Text: 'description', Sum: 'amount' } };
    const body = { name: newId(), layout, ...ownFields(app, 'statement_layouts.create') };
    return (await new Client(app.url, key).post('/v1/statement-layouts', body)).body as { id: string };
  },
  // They are made by runs, too.
  '/v1/claim-lines': (app, key) => aLine(app, key),
  '/v1/claim-reports/{report_id}/lines': (app, key, path) => aLine(app, key, path.split('/').at(-2)),
  // It is for a line or for an item. To be found by each filter, and by all of them at once, this one has both.
  '/v1/receipts': async (app, key) => {
    const client = new Client(app.url, key);
    const [{ id: claimLineId }, { id: projectId }] = [await aLine(app, key), await aProject(client)];
    const content = Buffer.from(`%PDF-1.7 ${newId()}`).toString('base64');
    const said = { claimLineId, fileName: 'invoice.pdf', content, ...ownFields(app, 'receipts.create') };
    const { body } = await client.post('/v1/receipts', said);
    const { id } = body as { id: string };
    await rowsOf(app.databaseUrl, 'UPDATE receipts SET project_id = $2, claim_item_id = $2 WHERE id = $1', [id, projectId]);
    return (await client.get(`/v1/receipts/${id}`)).body as { id: string };
  },
  ...factsOfExtensions('builders'),
};

/**
 * Collections in which live credentials of an organization also see its test records, so that one integrator can manage the
 * endpoints of both environments. Test credentials never see live records.
 */
export const SEEN_FROM_LIVE: readonly string[] = ['/v1/webhooks', '/v1/audit/events'];

/** Brings a record into the state that an action asks for: by the id of the operation. */
export const STATES: Readonly<Record<string, (databaseUrl: string, id: string) => Promise<unknown>>> = {
  'bank_statements.retry': (url, id) => rowsOf(url, `UPDATE bank_statements SET redaction_status = 'failed' WHERE id = $1`, [id]),
  'claim_reports.cancel': (url, id) =>
    rowsOf(
      url,
      `UPDATE claim_reports SET status = 'queued', finished_at = NULL, result = NULL
        WHERE id = $1 AND NOT EXISTS (SELECT FROM claim_closings WHERE report_id = $1)`,
      [id],
    ),
  ...factsOfExtensions('states'),
};

/** The collection whose records a field has the ids of, as the field declares it. An example cannot contain a real id. */
export function collectionOf(operations: readonly RegisteredOperation[], field: string): string | undefined {
  if (RELATED[field]) return RELATED[field];
  const table = [...declaredFields.values()].flatMap((fields) => fields.get(field)?.recordOf?.table ?? [])[0];
  return operations.find(({ id }) => id === `${table}.list`)?.path;
}

/** The same of fields that do not declare it. */
const RELATED: Readonly<Record<string, string>> = {
  projectId: '/v1/claim-projects',
  reportConfigurationId: '/v1/report-configurations',
  lineIds: '/v1/claim-lines',
  claimLineId: '/v1/claim-lines',
  claimItemId: '/v1/claim-items',
  categoryId: '/v1/expense-categories',
  reportId: '/v1/claim-reports',
  deliveryId: '/v1/webhooks/{webhook_id}/deliveries',
  ...factsOfExtensions('related'),
};
