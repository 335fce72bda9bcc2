import { setTimeout } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { AuditBrowsing } from '../modules/audit/index.js';
import { CategoriesService, ExpenseCategoryCreated } from '../modules/categories/index.js';
import { ClaimItemCreated, ClaimItemsService } from '../modules/claim-items/index.js';
import { ConfigurationsService, ReportConfigurationCreated } from '../modules/configurations/index.js';
import { ApplicationsService } from '../modules/oauth/index.js';
import { ClaimProjectCreated, ProjectsService } from '../modules/projects/index.js';
import { ClaimLinesService, ClaimReportQueued, CLOSING_EVENTS, ClosingsService, ReportsService } from '../modules/reports/index.js';
import { ReceiptCreated, ReceiptsService } from '../modules/reports/index.js';
import { RequestHistoryService } from '../modules/request-history/index.js';
import { StatementLayoutsService, StatementOperatorService, StatementsService, UploadLinksService } from '../modules/statements/index.js';
import { DeliveriesService, EndpointOperations, WebhooksService } from '../modules/webhooks/index.js';
import type { RecordIds } from '../modules/contracts/index.js';
import { packageJson } from '../kernel/package-folder.js';
import { changeContext, type Actor, type ChangeContext, type Tenant } from '../kernel/context.js';
import { Settings } from '../kernel/settings/settings.js';
import { UnitOfWork, type WriteContext } from '../store/database/unit-of-work.js';

export const DEMO: Actor = { type: 'system', id: null, name: 'first start' };

/** In `templates/demo.json`. All of it is invented. */
interface Samples {
  readonly projects: readonly Made<ProjectsService>[];
  readonly categories: readonly Made<CategoriesService>[];
  readonly categoryOfProject: Made<CategoriesService>;
  readonly configuration: Made<ConfigurationsService>;
  /** A file, by its lines. */
  readonly statement: readonly string[];
  readonly mail: readonly string[];
  readonly item: Omit<Made<ClaimItemsService>, 'projectId' | 'categoryId'>;
  readonly layout: object;
  /** It is disabled: nobody listens there. */
  readonly webhook: Made<WebhooksService>;
  /** For `claims login`. It has no secret. */
  readonly application: Omit<Parameters<ApplicationsService['create']>[1], keyof Tenant>;
}
type Made<Service extends { create(ctx: never, input: never, ...others: never): unknown }> = Parameters<Service['create']>[1];
const SAMPLES = packageJson<Samples>('templates/demo.json');

const FIRST_PAGE = { page: 1, page_size: 50 };
/** How long the first start waits for the statement, and then for the report: without them, the examples would have no lines. */
const WAIT_MAX_MS = 30_000;
const POLL_MS = 50;

/** Makes what is missing, so that a first start that was cut off is completed by the next. Returns the ids for examples. */
export async function sampleRecords(app: INestApplicationContext, tenant: Tenant): Promise<RecordIds> {
  const related = await sampleProject(app, tenant);
  const statementId = await sampleStatement(app, tenant, related.project_id);
  const webhookId = await sampleWebhook(app, tenant);
  // Its events may be gone by now.
  const deliveryId = await sampleDelivery(app, tenant, webhookId);
  await sampleApplication(app, tenant);
  const [first, reportId] = await sampleReports(app, tenant, related);
  const closingId = await sampleClosing(app, tenant, first);
  const lineId = await sampleLine(app, tenant);
  return {
    ...related,
    answered_request_id: await app.get(RequestHistoryService).sample(tenant, DEMO.name),
    claim_item_id: await sampleItem(app, tenant, related),
    receipt_id: await sampleReceipt(app, tenant, related.project_id),
    statement_id: statementId,
    link_id: await sampleLink(app, tenant, related.project_id),
    layout_id: (await app.get(StatementLayoutsService).keep(DEMO, tenant, JSON.stringify(SAMPLES.layout))).id,
    webhook_id: webhookId,
    ...(deliveryId !== undefined && { delivery_id: deliveryId }),
    report_id: reportId,
    event_id: (await app.get(AuditBrowsing).newest(tenant, {})).events[0]!.id,
    // Those of an earlier start may have been replaced by lines of a later run.
    ...(lineId !== undefined && { line_id: lineId }),
    ...(closingId !== undefined && { claim_closing_id: closingId }),
  };
}

/** The first project, and a category and a configuration of it. All of them or none. */
async function sampleProject(app: INestApplicationContext, tenant: Tenant) {
  const [projects, categories, configurations] = [app.get(ProjectsService), app.get(CategoriesService), app.get(ConfigurationsService)];
  const make = async (ctx: WriteContext): Promise<{ id: string }> => {
    const [first, ...others] = SAMPLES.projects;
    const { id } = await projects.create(ctx, first!);
    for (const project of others) await projects.create(ctx, project);
    for (const category of [...SAMPLES.categories, { ...SAMPLES.categoryOfProject, projectId: id }]) await categories.create(ctx, category);
    await configurations.create(ctx, { ...SAMPLES.configuration, projectId: id });
    return { id };
  };
  const emits = [ClaimProjectCreated, ExpenseCategoryCreated, ReportConfigurationCreated];
  const projectId = await oldestOr(projects.list(tenant, FIRST_PAGE), () => write(app, tenant, make, emits));
  const ofProject = { ...FIRST_PAGE, project_id: projectId };
  const [category, configuration] = [await categories.list(tenant, ofProject), await configurations.list(tenant, ofProject)];
  return { project_id: projectId, category_id: category.rows.at(-1)!.id, configuration_id: configuration.rows.at(-1)!.id };
}

/** The oldest of a list, which begins with the newest; if it is empty, what is made now. */
const oldestOr = async (list: Promise<{ rows: readonly { id: string }[] }>, make: () => Promise<{ id: string }>): Promise<string> =>
  ((await list).rows.at(-1) ?? (await make())).id;

const write = <T>(
  app: INestApplicationContext,
  tenant: Tenant,
  work: (ctx: WriteContext) => Promise<T>,
  emits: ChangeContext['emits'] = [],
) => app.get(UnitOfWork).run({ ...changeContext(tenant.organizationId, DEMO), ...tenant, emits }, work);

function sampleStatement(app: INestApplicationContext, tenant: Tenant, projectId: string): Promise<string> {
  const sent = { projectId, fileName: 'first-quarter.csv', file: Buffer.from(SAMPLES.statement.join('\n')), isRedacted: false };
  const make = () => app.get(StatementOperatorService).import(DEMO, { ...tenant, ...sent });
  return oldestOr(app.get(StatementsService).list(tenant, FIRST_PAGE), make);
}

function sampleItem(app: INestApplicationContext, tenant: Tenant, related: RecordIds): Promise<string> {
  const items = app.get(ClaimItemsService);
  const input = { ...SAMPLES.item, projectId: related.project_id!, categoryId: related.category_id! };
  return oldestOr(items.list(tenant, FIRST_PAGE), () => write(app, tenant, (ctx) => items.create(ctx, input), [ClaimItemCreated]));
}

function sampleReceipt(app: INestApplicationContext, tenant: Tenant, projectId: string): Promise<string> {
  const receipts = app.get(ReceiptsService);
  const said = { projectId, fileName: 'invoice-2041.eml', content: Buffer.from(SAMPLES.mail.join('\n')).toString('base64') };
  return oldestOr(receipts.list(tenant, FIRST_PAGE), async () => {
    const sent = await receipts.prepare(tenant, said);
    return write(app, tenant, (ctx) => receipts.create(ctx, said, sent), [ReceiptCreated]);
  });
}

/** Its address is shown once, when it is made, and not kept. */
function sampleLink(app: INestApplicationContext, tenant: Tenant, projectId: string): Promise<string> {
  const links = app.get(UploadLinksService);
  const input = { projectId, note: 'The first quarter, please' };
  return oldestOr(links.list(tenant, FIRST_PAGE), async () => (await write(app, tenant, (ctx) => links.make(ctx, input))).link);
}

async function sampleWebhook(app: INestApplicationContext, tenant: Tenant): Promise<string> {
  const webhooks = app.get(WebhooksService);
  const [found] = await webhooks.list(tenant);
  if (found) return found.id;
  const target = { url: SAMPLES.webhook.targetUrl, addresses: [] };
  const caller = { organization: { id: tenant.organizationId, plan: 'enterprise' }, application: null, user: null };
  const by = { caller, target };
  return (await write(app, tenant, (ctx) => webhooks.create(ctx, SAMPLES.webhook, by))).endpoint.id;
}

/** The webhook is disabled, so what is replayed to it is not sent. It is taken back, so that it is not sent later either. */
async function sampleDelivery(app: INestApplicationContext, tenant: Tenant, webhookId: string): Promise<string | undefined> {
  const [deliveries, endpoints] = [app.get(DeliveriesService), app.get(EndpointOperations)];
  const first = async () => (await deliveries.list(tenant, webhookId, FIRST_PAGE)).rows.at(-1)?.id;
  const found = await first();
  if (found !== undefined) return found;
  await endpoints.replay(DEMO, webhookId, { since: new Date(0).toISOString() });
  await endpoints.stopReplays(DEMO, webhookId);
  return first();
}

async function sampleApplication(app: INestApplicationContext, tenant: Tenant): Promise<void> {
  const applications = app.get(ApplicationsService);
  const { total } = await applications.list(tenant, FIRST_PAGE);
  if (total === 0) await applications.create(DEMO, { ...tenant, ...SAMPLES.application });
}

/** The first is reviewed. The second has the lines, and is still to be reviewed. */
async function sampleReports(app: INestApplicationContext, tenant: Tenant, related: RecordIds): Promise<[first: string, second: string]> {
  const reports = app.get(ReportsService);
  const known = (await reports.list(tenant, FIRST_PAGE)).rows.map(({ id }) => id).reverse();
  const hasWorker = app.get(Settings).role === 'all';
  const statements = async () => (await app.get(StatementsService).list(tenant, FIRST_PAGE)).rows;
  const isRedacted = async () =>
    (await statements()).every(({ redactionStatus }) => !['pending', 'queued', 'running'].includes(redactionStatus));
  if (hasWorker && known.length === 0) await until(isRedacted);
  const made = async (nth: number): Promise<string> => {
    const id = known[nth] ?? (await makeReport(app, tenant, related));
    if (hasWorker) await until(async () => (await reports.get(tenant, id)).finishedAt !== null);
    return id;
  };
  return [await made(0), await made(1)];
}

async function makeReport(app: INestApplicationContext, tenant: Tenant, related: RecordIds): Promise<string> {
  const input = { projectId: related.project_id, reportConfigurationId: related.configuration_id };
  return (await write(app, tenant, (ctx) => app.get(ReportsService).create(ctx, input), [ClaimReportQueued])).id;
}

/** undefined if no worker has made the report. */
async function sampleClosing(app: INestApplicationContext, tenant: Tenant, reportId: string): Promise<string | undefined> {
  const [closings, reports] = [app.get(ClosingsService), app.get(ReportsService)];
  const { rows: found } = await closings.list(tenant, FIRST_PAGE);
  if (found.length > 0) return found.at(-1)!.id;
  if ((await reports.get(tenant, reportId)).status !== 'succeeded') return undefined;
  const taker = { actor: DEMO, caller: { type: 'user', id: tenant.organizationId, user: null } } as const;
  const wanted = { reportId, state: 'reviewed', reason: 'The figures are those of the example.' } as const;
  return (await write(app, tenant, (ctx) => closings.take(ctx, taker, wanted), CLOSING_EVENTS)).id;
}

/** Only the newest report of the configuration has lines. */
async function sampleLine(app: INestApplicationContext, tenant: Tenant): Promise<string | undefined> {
  const [newest] = (await app.get(ReportsService).list(tenant, FIRST_PAGE)).rows;
  return newest && (await app.get(ClaimLinesService).list(tenant, newest.id, { page: 1, page_size: 1 })).rows[0]?.id;
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + WAIT_MAX_MS;
  while (performance.now() < end) {
    if (await isDone()) return;
    await setTimeout(POLL_MS);
  }
}
