import type { Tool } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiKeysService } from '../../../src/modules/api-keys/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import type { TestApp } from '../../support/app.js';
import { aKey } from '../../support/builders.js';
import { ScriptedModel } from '../../support/scripted-model.js';
import { openStatements, startWorking } from '../../support/statements.js';
import { connectTools } from '../../support/tools.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

const QUARTER = { period_start: '2026-01-01', period_end: '2026-03-31' };
const ENDS = ['succeeded', 'failed', 'cancelled'];
const idOf = ({ id }: Record<string, unknown>): string => id as string;

/** A model that works for an organization whose operator has imported a statement of January, for no project. */
async function aModel(query = '') {
  const statements = await openStatements(app);
  await statements.taken();
  return { ...statements, model: await ScriptedModel.of(await connectTools(app, { 'X-API-Key': statements.key }, query)) };
}

/** The example that the tool shows, for tickets. */
function ticketRules(tool: Tool, claimablePercent = 100): object {
  const { examples } = tool.inputSchema.properties!.source_mapping as { examples: { rules: { all: object[] }[] }[] };
  const [{ rules, ...others }] = examples as [(typeof examples)[0]];
  const [rule] = rules as [(typeof rules)[0]];
  return { ...others, rules: [{ ...rule, claimablePercent, all: [{ field: 'description', op: 'contains', value: 'Ticket' }] }] };
}

async function aCategory(model: ScriptedModel): Promise<Record<string, unknown>> {
  const tool = model.find(/^create_expense_category/);
  return model.call(tool, { code: 'TRAVEL', name: 'Rail travel', source_mapping: ticketRules(tool) });
}

interface Result {
  readonly totals: { readonly claimable: string };
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly outputs: readonly { readonly format: string }[];
}

async function aRun(model: ScriptedModel, inputs: Record<string, unknown>) {
  const { id, status } = await model.call(model.find(/^create_claim_report/), inputs);
  expect(status).toBe('queued');
  const run = await model.follow(model.next('get_claim_report'), { report_id: id }, ENDS);
  expect(run.status).toBe('succeeded');
  return { id: id as string, result: run.result as Result };
}

const aConfiguration = (model: ScriptedModel, output_options: object = {}) =>
  model.call(model.find(/^create_report_configuration/), { name: 'Q1', ...QUARTER, output_options });

it('1: makes a project for a quarter, after it has looked for one', async () => {
  const { model } = await aModel();
  const create = model.find(/Create a claim project/);
  expect(await model.list(model.next('list_claim_projects'), { search: 'Berlin' })).toEqual([]);
  const project = await model.call(create, { name: 'Berlin office', ...QUARTER });
  expect(await model.list(model.next('list_claim_projects'), { search: 'berlin' })).toMatchObject([{ id: project.id }]);
});

it('2: makes a category from the example of the tool as it stands', async () => {
  const { model } = await aModel();
  const create = model.find(/Create an expense category/);
  const [example] = (create.inputSchema.properties!.source_mapping as { examples: object[] }).examples;
  const { id } = await model.call(create, { code: 'TRAVEL-RAIL', name: 'Rail travel', source_mapping: example });
  expect(await model.call(model.find(/^get_expense_category/), { category_id: id })).toMatchObject({ sourceMapping: example });
});

it('3: finds the statements that can be used, and whether they are redacted', async () => {
  const { model } = await aModel();
  const [statement] = await model.list(model.find(/redaction has succeeded/), { redaction_status: 'succeeded' });
  expect(await model.call(model.find(/redaction of one statement/), { statement_id: statement!.id })).toMatchObject({
    redactionStatus: 'succeeded',
    projectId: null,
  });
});

it('4: learns why a new project claims nothing, and does what the warning says', async () => {
  const { model } = await aModel();
  await aCategory(model);
  const project = await model.call(model.find(/^create_claim_project/), { name: 'Berlin office', ...QUARTER });
  const { result } = await aRun(model, { project_id: project.id });
  expect(result.totals.claimable).toBe('0.00');
  const advice = result.warnings.find(({ code }) => code === 'statements_of_other_projects')!.message;
  expect(advice).toMatch(/1 without a project.*make a report without a project/);
  expect(await model.list(model.next('list_bank_statements'), { project_id: project.id })).toEqual([]);
  const { id } = await aConfiguration(model);
  expect((await aRun(model, { report_configuration_id: id })).result.totals.claimable).toBe('70.00');
});

it('5: runs a report for a quarter, and follows it to its total', async () => {
  const { model } = await aModel();
  await aCategory(model);
  const { id } = await aConfiguration(model);
  const { result } = await aRun(model, { report_configuration_id: id });
  expect(result.totals.claimable).toBe('70.00');
});

it('6: reads a file of the run', async () => {
  const { model } = await aModel();
  await aCategory(model);
  const { id: report_configuration_id } = await aConfiguration(model, { formats: ['csv'] });
  const { id, result } = await aRun(model, { report_configuration_id });
  const [{ format }] = result.outputs as [{ format: string }];
  expect(await model.resource('claims://reports/{id}/{format}', { id, format })).toContain('TRAVEL');
});

it('7: corrects the rules of a category, and runs the report again', async () => {
  const { model } = await aModel();
  await aCategory(model);
  const { id } = await aConfiguration(model);
  const [category] = await model.list(model.find(/^list_expense_categories/), { search: 'travel' });
  const source_mapping = ticketRules(model.find(/^create_expense_category/), 50);
  await model.call(model.find(/^update_expense_category/), { category_id: category!.id, source_mapping });
  expect((await aRun(model, { report_configuration_id: id })).result.totals.claimable).toBe('35.00');
});

it('8: finds an earlier run instead of making another', async () => {
  const { model } = await aModel();
  const { id } = await aConfiguration(model);
  const run = await aRun(model, { report_configuration_id: id });
  const [found] = await model.list(model.find(/earlier runs/), { status: 'succeeded' });
  expect(idOf(found!)).toBe(run.id);
});

it('9: repairs a call by what its refusal says', async () => {
  const { model } = await aModel();
  const create = model.find(/^create_claim_project/);
  const wrong = { name: 'Berlin office', period_start: '2026-03-31', period_end: '2026-01-01' };
  expect(await model.refused(create, wrong)).toMatch(/period_end/);
  await model.call(create, { ...wrong, ...QUARTER });
  expect(await model.refused(create, { ...wrong, ...QUARTER })).toMatch(/already/);
});

it('10: subscribes to events, revokes the subscription, and deletes it', async () => {
  const { model } = await aModel();
  const address = { name: 'Sync', target_url: 'https://hooks.example.com/claims', subscribed_events: ['claim_report.succeeded'] };
  const { id: webhook_id } = await model.call(model.find(/^create_webhook/), address);
  expect(await model.list(model.next('list_webhook_deliveries'), { webhook_id })).toEqual([]);
  const remove = model.find(/^delete_webhook/);
  const revoked = await model.call(model.next('update_webhook'), { webhook_id, status: 'disabled' });
  expect(revoked.status).toBe('disabled');
  expect(await model.call(remove, { webhook_id })).toEqual({ deleted: true });
  expect(await model.refused(model.find(/^get_webhook/), { webhook_id })).toMatch(/not_found/);
});

it('11: says who changed the name of a project, and to what', async () => {
  const { api, model } = await aModel();
  const body = { name: 'Berlin office', periodStart: QUARTER.period_start, periodEnd: QUARTER.period_end };
  const { body: project } = await api.post('/v1/claim-projects', body);
  await api.patch(`/v1/claim-projects/${idOf(project)}`, { name: 'Hamburg office' });
  const log = model.find(/who changed what/);
  const [event] = await model.list(log, { action_prefix: 'claim_project.updated' });
  expect(event).toMatchObject({
    actor: { name: 'A key' },
    resource: { id: project.id },
    changes: { name: { from: 'Berlin office', to: 'Hamburg office' } },
  });
});

it('12: finds out that a key was revoked, page by page and with the hashes of the log', async () => {
  const { organizationId, model } = await aModel();
  const { id } = await aKey(app, organizationId, { name: 'Old sync' });
  await app.app.get(ApiKeysService).revoke(OPERATOR, id);
  const log = model.find(/who changed what/);
  const seen: unknown[] = [];
  for (let cursor = {}; ;) {
    const page = await model.call(log, { ...cursor, limit: 1, detail: 'full' });
    seen.push(...(page.data as unknown[]));
    if (page.hasMore !== true) break;
    const { cursorCreatedAt, cursorId } = page.nextCursor as Record<string, string>;
    cursor = { cursor_created_at: cursorCreatedAt, cursor_id: cursorId };
  }
  expect(seen.at(-1)).toMatchObject({
    action: 'api_key.revoked',
    resource: { id },
    hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  });
});

const CLAIMS = '?tools=claims';
const TRIPS = {
  currency: 'EUR',
  lines: [
    { bookedOn: '2026-02-05', amount: '-89.90', description: 'Ticket to Hamburg' },
    { bookedOn: '2026-02-12', amount: '-12.40', description: 'Coffee with a client' },
  ],
};

/** A model with a project of its own whose bookings it has imported, and a run of them. */
async function aClaim() {
  const { organizationId, model } = await aModel(CLAIMS);
  const { id: project_id } = await model.call(model.find(/^create_claim_project/), { name: 'Berlin office', ...QUARTER });
  const tool = model.find(/^create_expense_category/);
  const category = await model.call(tool, { code: 'TRAVEL', name: 'Rail', project_id, source_mapping: ticketRules(tool) });
  const statement = await model.wait(model.find(/Takes the bookings of an account/), { ...TRIPS, project_id });
  const wanted = { name: 'Q1', project_id, ...QUARTER, output_options: { formats: ['evidence'] } };
  const { id: report_configuration_id } = await model.call(model.find(/^create_report_configuration/), wanted);
  const run = await aRun(model, { project_id, report_configuration_id });
  return { organizationId, model, project_id: project_id as string, category, statement, run };
}

it('13, import: takes in the bookings of an account, and again without counting them twice', async () => {
  const { model, project_id, statement, run } = await aClaim();
  expect(statement).toMatchObject({ redactionStatus: 'succeeded', lineCount: 2 });
  expect(run.result.totals.claimable).toBe('89.90');
  const again = await model.wait(model.next('import_bank_statement'), { ...TRIPS, project_id });
  expect(again.id).toBe(statement.id);
  expect((await aRun(model, { project_id })).result.totals.claimable).toBe('89.90');
});

it('14, decide: claims a line that no rule has, and the next run has it', async () => {
  const { model, project_id, category, run } = await aClaim();
  const [line] = await model.list(model.find(/uncategorised/), { report_id: run.id, outcome: 'uncategorised' });
  expect(line).toMatchObject({ description: 'Coffee with a client' });
  const parts = [{ categoryId: category.id, claimablePercent: '50' }];
  await model.call(model.next('decide_claim_lines'), { line_ids: [line!.id], outcome: 'claimed', parts, reason: 'Half private' });
  expect((await aRun(model, { project_id })).result.totals.claimable).toBe('96.10');
});

it('15, close: reviews a claim, which another approves before it is final', async () => {
  const { organizationId, model, run } = await aClaim();
  const close = model.find(/^close_claim/);
  await model.call(close, { report_id: run.id, state: 'reviewed' });
  expect(await model.refused(close, { report_id: run.id, state: 'approved' })).toMatch(/another one approves/);
  const other = await ScriptedModel.of(await connectTools(app, { 'X-API-Key': (await aKey(app, organizationId)).key }, CLAIMS));
  const [closing] = await other.list(other.find(/how far a claim is/));
  await other.call(other.find(/^close_claim/), { report_id: closing!.reportId, state: 'approved' });
  expect(await model.call(close, { report_id: run.id, state: 'final' })).toMatchObject({ state: 'final' });
});

it('16, replay: makes a run again with the same figures, and sees missed events, which people and programs send again', async () => {
  const { model, project_id, run } = await aClaim();
  const { result } = await aRun(model, { project_id });
  expect(result.totals).toEqual(run.result.totals);
  const address = { name: 'Sync', target_url: 'https://hooks.example.com/claims', subscribed_events: ['claim_report.succeeded'] };
  const { id: webhook_id } = await model.call(model.find(/^create_webhook/), address);
  expect(await model.list(model.next('list_webhook_deliveries'), { webhook_id, status: 'failed' })).toEqual([]);
  expect(() => model.find(/replay|redeliver|send.* again/i)).toThrow();
});
