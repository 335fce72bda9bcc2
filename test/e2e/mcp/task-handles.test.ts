import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import type { TestApp } from '../../support/app.js';
import { aKey, aTenant } from '../../support/builders.js';
import { Client as Api } from '../../support/client.js';
import { eventually } from '../../support/eventually.js';
import { sendNewest } from '../../support/mcp-messages.js';
import { openStatements, PATIENCE_MS, startWorking } from '../../support/statements.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

const TASKS = 'io.modelcontextprotocol/tasks';
const DECLARED = { extensions: { [TASKS]: {} } };

const sender = (key: string, capabilities: object = DECLARED, query = '') => sendNewest(app, key, { capabilities, query });

const run = (configuration: string) => ({
  name: 'create_claim_report',
  arguments: { confirm: true, idempotency_key: newId(), report_configuration_id: configuration },
});

type Send = ReturnType<typeof sender>;

/** Polls until the task has ended. */
async function ended(send: Send, taskId: unknown): Promise<Readonly<Record<string, unknown>>> {
  return eventually(async () => {
    const { result } = await send('tasks/get', { taskId });
    expect(result?.status).not.toBe('working');
    return result!;
  }, PATIENCE_MS);
}

async function aConfiguration(key: string): Promise<string> {
  const api = new Api(app.url, key);
  const { body } = await api.post('/v1/report-configurations', { name: newId(), periodStart: '2026-01-01', periodEnd: '2026-03-31' });
  return body.id as string;
}

describe('a client that declares the extension for tasks', () => {
  it('is answered with a task for a run, whose result is what the tool would have returned', async () => {
    const { key, taken } = await openStatements(app);
    await taken();
    const send = sender(key);
    const configuration = await aConfiguration(key);
    const { result: task } = await send('tools/call', run(configuration));
    expect(task).toMatchObject({
      resultType: 'task',
      taskId: expect.stringMatching(/^create_claim_report:[\da-f-]{36}$/) as string,
      status: 'working',
      createdAt: expect.stringMatching(/Z$/) as string,
      lastUpdatedAt: expect.stringMatching(/Z$/) as string,
      ttlMs: null,
      pollIntervalMs: 3000,
    });
    const done = await ended(send, task!.taskId);
    expect(done).toMatchObject({ resultType: 'complete', taskId: task!.taskId, status: 'completed' });
    expect(done.result).toMatchObject({
      content: expect.arrayContaining([{ type: 'text', text: expect.stringContaining('"succeeded"') as string }]) as object,
      structuredContent: { id: (task!.taskId as string).split(':')[1], status: 'succeeded' },
    });
  });

  it('is answered with a task for an import, and with the statement itself if that is there already', async () => {
    const { key } = await aTenant(app);
    const send = sender(key, DECLARED, '?tools=claims');
    const { body: project } = await new Api(app.url, key).post('/v1/claim-projects', {
      name: 'Berlin office',
      periodStart: '2026-01-01',
      periodEnd: '2026-12-31',
    });
    const lines = [{ bookedOn: '2026-01-05', description: 'Ticket', amount: '-89.90' }];
    const inputs = { project_id: project.id, currency: 'EUR', lines, confirm: true };
    const call = () => ({ name: 'import_bank_statement', arguments: { ...inputs, idempotency_key: newId() } });
    const { result: task } = await send('tools/call', call());
    expect(task).toMatchObject({ resultType: 'task', taskId: expect.stringMatching(/^import_bank_statement:/) as string });
    const done = await ended(send, task!.taskId);
    expect(done).toMatchObject({ status: 'completed', result: { structuredContent: { redactionStatus: 'succeeded' } } });
    const { result: again } = await send('tools/call', call());
    expect(again).toMatchObject({ resultType: 'complete', structuredContent: { redactionStatus: 'succeeded' } });
  });

  it('is told of a run that has failed as of a result, and of one that was cancelled', async () => {
    const { key } = await aTenant(app);
    const [send, api] = [sender(key), new Api(app.url, key)];
    const become = async (outcome: string) => {
      const configuration = await aConfiguration(key);
      await api.post('/v1/test/claim-reports/outcomes', { reportConfigurationId: configuration, outcome });
      const { result } = await send('tools/call', run(configuration));
      return ended(send, result!.taskId);
    };
    expect(await become('failed')).toMatchObject({ status: 'completed', result: { structuredContent: { status: 'failed' } } });
    const cancelled = await become('cancelled');
    expect(cancelled).toMatchObject({ status: 'cancelled', statusMessage: 'It is cancelled.' });
    expect(cancelled).not.toHaveProperty('result');
  });

  it('gets a task and no progress, although it asks for progress', async () => {
    const { key } = await aTenant(app);
    const { result } = await sender(key)('tools/call', { ...run(await aConfiguration(key)), _meta: { progressToken: 1 } });
    expect(result).toMatchObject({ resultType: 'task', status: 'working' });
  });

  it('stops the run of a task by cancelling it, once, and leaves one as it is that has ended', async () => {
    const { key } = await aTenant(app);
    const [send, api, configuration] = [sender(key), new Api(app.url, key), await aConfiguration(key)];
    const asked = { reportConfigurationId: configuration, outcome: 'succeeded', takesSeconds: 60 };
    await api.post('/v1/test/claim-reports/outcomes', asked);
    const { taskId } = (await send('tools/call', run(configuration))).result!;
    const wish = async (method: string, task: unknown) => (await send(method, { taskId: task, inputResponses: {} })).result;
    for (const method of ['tasks/cancel', 'tasks/cancel', 'tasks/update'])
      expect(await wish(method, taskId)).toMatchObject({ resultType: 'complete' });
    expect(await ended(send, taskId)).toMatchObject({ status: 'cancelled' });
    const cancelled = await api.get('/v1/audit/events?action_prefix=claim_report.cancelled');
    expect((cancelled.body as { data: unknown }).data).toMatchObject([{ actor: { name: expect.stringContaining('(mcp') as string } }]);
    const done = (await send('tools/call', run(configuration))).result!;
    await ended(send, done.taskId);
    expect(await wish('tasks/cancel', done.taskId)).toMatchObject({ resultType: 'complete' });
    expect(await ended(send, done.taskId)).toMatchObject({ status: 'completed' });
  });

  it('stops no run by a credential that may only read', async () => {
    const { key, organization } = await aTenant(app);
    const configuration = await aConfiguration(key);
    const asked = { reportConfigurationId: configuration, outcome: 'succeeded', takesSeconds: 60 };
    await new Api(app.url, key).post('/v1/test/claim-reports/outcomes', asked);
    const { taskId } = (await sender(key)('tools/call', run(configuration))).result!;
    const reading = await aKey(app, organization.id, { scopes: ['claim_reports:read'] });
    expect((await sender(reading.key)('tasks/cancel', { taskId })).error).toBeDefined();
    expect((await sender(key)('tasks/get', { taskId })).result).toMatchObject({ status: 'working' });
  });

  it('is refused like anyone else: without confirmation, and for inputs that are wrong', async () => {
    const { key } = await aTenant(app);
    const send = sender(key);
    const { result: dry } = await send('tools/call', { name: 'create_claim_report', arguments: { report_configuration_id: newId() } });
    expect(dry).toMatchObject({ isError: true, structuredContent: { code: 'confirmation_needed' } });
    const wrong = run('soon');
    const { result } = await send('tools/call', wrong);
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'validation_failed' } });
  });
});

it('a task is followed by those only who may read the record', async () => {
  const { organization, key } = await aTenant(app);
  const { result } = await sender(key)('tools/call', run(await aConfiguration(key)));
  const { taskId } = result!;
  const stranger = sender((await aTenant(app)).key);
  const unscoped = sender((await aKey(app, organization.id, { scopes: ['claim_reports:write'] })).key);
  const colleague = sender((await aKey(app, organization.id)).key);
  for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
    expect((await stranger(method, { taskId })).error).toMatchObject({ code: -32602, message: 'There is no such task.' });
    expect((await unscoped(method, { taskId })).error).toMatchObject({ code: -32001, data: { code: 'scope_missing' } });
    expect((await colleague(method, { taskId })).result).toBeDefined();
  }
  const others = [
    '',
    'x',
    `get_claim_report:${newId()}`,
    `create_claim_report:${newId()}`,
    'create_claim_report:..',
    'create_claim_report',
  ];
  for (const other of others) expect((await colleague('tasks/get', { taskId: other })).error, other).toMatchObject({ code: -32602 });
});

it('a client that does not declare the extension goes on as before, and has no tasks', async () => {
  const { key } = await aTenant(app);
  const send = sender(key, {});
  const { result } = await send('tools/call', run(await aConfiguration(key)));
  expect(result).toMatchObject({ resultType: 'complete', structuredContent: { status: 'queued' } });
  const { id } = result!.structuredContent as { id: string };
  for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update'])
    expect((await send(method, { taskId: `create_claim_report:${id}` })).error).toEqual({
      code: -32021,
      message: expect.any(String) as string,
      data: { requiredCapabilities: DECLARED },
    });
});

it('the service says that it has tasks', async () => {
  const { key } = await aTenant(app);
  expect((await sender(key)('server/discover')).result).toMatchObject({ capabilities: { extensions: { [TASKS]: {} } } });
});
