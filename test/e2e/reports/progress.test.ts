import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApp } from '../../support/app.js';
import { eventually } from '../../support/eventually.js';
import { holdLines, openReports } from '../../support/reports.js';
import { startWorking } from '../../support/statements.js';
import { connectTools } from '../../support/tools.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

const NOTHING_READ = { statements: 1, statementsRead: 0, linesRead: 0, filesWritten: 0 };

it('a run that takes its time shows how far it is, and nothing of that once it has ended', async () => {
  const { taken, queue, get, ended } = await openReports(app);
  await taken();
  const release = await holdLines(app);
  const { id, progress } = await queue();
  expect(progress).toBeNull();
  await eventually(async () => expect(await get(id)).toMatchObject({ status: 'running', progress: NOTHING_READ }));
  await release();
  expect(await ended(id)).toMatchObject({ status: 'succeeded', progress: null });
});

it.each(Object.entries({ newest: undefined, older: {} }))(
  'a model of the %s revision that asks for progress is told how far a run is, and gets it when it has ended',
  async (_name, options) => {
    const { key, taken, queue, get } = await openReports(app);
    await taken();
    const release = await holdLines(app);
    const { id } = await queue();
    const model = await connectTools(app, { 'X-API-Key': key }, '', options);
    const steps: { progress: number; message?: string | undefined }[] = [];
    const asked = model.callTool({ name: 'get_claim_report', arguments: { report_id: id } }, { onprogress: (step) => steps.push(step) });
    await eventually(() => expect(steps.at(-1)?.message).toContain('0 of 1 bank statements read'));
    await release();
    expect((await asked).structuredContent).toEqual(await get(id));
    expect((await get(id)).status).toBe('succeeded');
    const numbers = steps.map(({ progress }) => progress);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  },
);

it('a model that does not ask for progress gets the run as it is', async () => {
  const { key, taken, queue } = await openReports(app);
  await taken();
  const release = await holdLines(app);
  const { id } = await queue();
  const model = await connectTools(app, { 'X-API-Key': key });
  const { structuredContent } = await model.callTool({ name: 'get_claim_report', arguments: { report_id: id } });
  expect(['queued', 'running']).toContain((structuredContent as { status: string }).status);
  await release();
});
