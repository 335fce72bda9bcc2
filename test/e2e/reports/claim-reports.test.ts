import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReportOperatorService } from '../../../src/modules/reports/index.js';
import { newId } from '../../../src/kernel/ids.js';
import { moneyOf } from '../../../src/kernel/money.js';
import type { TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { stepsOf } from '../../support/law-database.js';
import { keepFile, openReports, REPORTS, rule } from '../../support/reports.js';
import { JANUARY, OWN_IBAN, startWorking } from '../../support/statements.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

describe('a queued run', () => {
  it('has everything from its request', async () => {
    const { queue, get, project, configuration } = await openReports(app);
    const { id: projectId } = await project();
    const { id: reportConfigurationId } = await configuration({ projectId });
    const report = await queue({ projectId, reportConfigurationId });
    expect(report).toEqual({
      id: report.id,
      environment: 'test',
      projectId,
      reportConfigurationId,
      status: 'queued',
      queuedAt: report.createdAt,
      startedAt: null,
      finishedAt: null,
      result: null,
      resultBytes: null,
      progress: null,
      failure: null,
      createdAt: report.createdAt,
      updatedAt: report.createdAt,
    });
    expect(await get(report.id)).toMatchObject({ id: report.id, projectId, reportConfigurationId, queuedAt: report.queuedAt });
  });

  it('covers everything without a body, with an empty body, or with nulls', async () => {
    const { api } = await openReports(app);
    for (const body of [undefined, {}, { projectId: null, reportConfigurationId: null }]) {
      const answer = await api.send('POST', REPORTS, body);
      expect(answer, answer.text).toMatchObject({ status: 201, body: { projectId: null, reportConfigurationId: null, status: 'queued' } });
    }
  });

  it('accepts a configuration without a project or of the same project, but not of another one', async () => {
    const { api, project, configuration } = await openReports(app);
    const [one, other] = [await project(), await project({ name: 'Hamburg office' })];
    const [general, own] = [await configuration(), await configuration({ projectId: one.id })];
    const ask = (projectId: string | null, reportConfigurationId: string) => api.post(REPORTS, { projectId, reportConfigurationId });
    expect((await ask(one.id, general.id)).status).toBe(201);
    expect((await ask(one.id, own.id)).status).toBe(201);
    expect((await ask(null, own.id)).status).toBe(201);
    const refused = await ask(other.id, own.id);
    expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed', errors: [{ location: 'body', field: 'projectId' }] } });
    expect(await rowsOf(app.databaseUrl, 'SELECT 1 FROM claim_reports WHERE project_id = $1', [other.id])).toEqual([]);
  });

  it('returns 400 with the field for a related record that does not exist', async () => {
    const { api } = await openReports(app);
    for (const field of ['projectId', 'reportConfigurationId']) {
      expect(await api.post(REPORTS, { [field]: newId() })).toMatchObject({
        status: 400,
        body: { code: 'related_record_missing', errors: [{ location: 'body', field }] },
      });
      expect(await api.post(REPORTS, { [field]: 'x' })).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', errors: [{ location: 'body', field }] },
      });
    }
  });
});

describe('a run', () => {
  it('has the claimable amounts and their sources', async () => {
    const { taken, category, configuration, run } = await openReports(app);
    const { id: statementId, sha256 } = await taken();
    await category('TRAVEL', [rule('ticket')]);
    await category('RENT', [rule('rent', 50)]);
    const { id: reportConfigurationId } = await configuration();
    const report = await run({ reportConfigurationId });
    expect(report).toMatchObject({ status: 'succeeded', failure: null });
    expect(report.result).toMatchObject({
      schema: 'claim-report/1',
      period: { start: '2026-01-01', end: '2026-01-31' },
      currency: 'EUR',
      totals: { count: 5, gross: '1352.30', refunds: '19.90', net: '1332.40', claimable: '670.00', uncategorised: '62.40' },
      categories: [
        {
          code: 'RENT',
          name: 'Category RENT',
          count: 1,
          gross: '1200.00',
          refunds: '0.00',
          net: '1200.00',
          claimable: '600.00',
          months: [{ month: '2026-01', claimable: '600.00' }],
        },
        { code: 'TRAVEL', count: 2, gross: '89.90', refunds: '19.90', net: '70.00', claimable: '70.00' },
      ],
      months: [{ month: '2026-01', count: 5, net: '1332.40', claimable: '670.00' }],
      uncategorised: { count: 2, net: '62.40' },
      otherCurrencies: [],
      evidence: { months: [{ month: '2026-01', status: 'partial', statementIds: [statementId] }] },
      statements: [{ id: statementId, sha256, linesRead: 5, linesUsed: 5, duplicates: 0 }],
    });
    expect(report.result!.controls.filter(({ ok }) => !ok)).toEqual([]);
  });

  it('writes an audit entry at every step, and an event of its outcome with the record as the API returns it', async () => {
    const { run } = await openReports(app);
    const report = await run();
    const trace = await stepsOf(app, report.id);
    expect(trace.map(({ action, actor_type: actor }) => [action, actor])).toEqual([
      ['claim_report.queued', 'api'],
      ['claim_report.started', 'system'],
      ['claim_report.succeeded', 'system'],
    ]);
    const events = await rowsOf<{ kind: string; data: object }>(
      app.databaseUrl,
      'SELECT kind, data FROM events WHERE resource_id = $1 ORDER BY id',
      [report.id],
    );
    expect(events.map(({ kind }) => kind)).toEqual(['claim_report.queued', 'claim_report.succeeded']);
    expect(events[1]!.data).toEqual(report);
    const { queuedAt, startedAt, finishedAt } = report;
    expect([queuedAt, startedAt, finishedAt].toSorted()).toEqual([queuedAt, startedAt, finishedAt]);
  });

  it('uses the statements of its project, and the categories of that project and those without a project', async () => {
    const { taken, category, project, run } = await openReports(app);
    const [one, other] = [await project(), await project({ name: 'Hamburg office' })];
    await taken({ projectId: one.id });
    await taken({ projectId: other.id, file: JANUARY.replaceAll('-12.40', '-99.00') });
    await category('OWN', [rule('coffee')], { projectId: one.id });
    await category('ALIEN', [rule('coffee')], { projectId: other.id });
    await category('COMMON', [rule('ticket')]);
    const { result } = await run({ projectId: one.id });
    expect(result!.categories.map(({ code, net }) => [code, net])).toEqual([
      ['COMMON', '70.00'],
      ['OWN', '12.40'],
    ]);
    // The tickets of both statements are the same bookings, so they count once.
    const all = await run();
    expect(all.result!.categories.map(({ code, net }) => [code, net])).toEqual([
      ['ALIEN', '99.00'],
      ['COMMON', '70.00'],
      ['OWN', '12.40'],
    ]);
  });

  it('counts a booking in two statements once', async () => {
    const { taken, run } = await openReports(app);
    await taken();
    await taken({ fileName: 'once more.csv', file: `${JANUARY}2026-02-01,February rent,-1200.00,EUR,Jane Example,${OWN_IBAN}\n` });
    const { result } = await run();
    expect(result!.totals).toMatchObject({ count: 6, net: '2532.40' });
    expect(result!.statements.map(({ linesUsed, duplicates }) => [linesUsed, duplicates])).toEqual([
      [5, 0],
      [1, 5],
    ]);
  });

  it('matches rules with names and accounts, although lines only have tokens', async () => {
    const { taken, category, run } = await openReports(app);
    await taken();
    await category('JANE', [
      {
        all: [
          { field: 'counterparty', op: 'is', value: 'jane  EXAMPLE' },
          { field: 'account', op: 'oneOf', value: [OWN_IBAN] },
        ],
      },
    ]);
    const { result } = await run();
    expect(result!.categories).toMatchObject([{ code: 'JANE', count: 2, net: '1250.00' }]);
  });

  it('gives the same result, JSON and CSV for the same inputs, byte for byte', async () => {
    const { taken, category, configuration, run } = await openReports(app);
    await taken();
    await category('TRAVEL', [rule('ticket')]);
    const { id: reportConfigurationId } = await configuration({
      outputOptions: { formats: ['json', 'csv', 'xlsx', 'pdf'], detail: 'lines' },
    });
    const [first, second] = [await run({ reportConfigurationId }), await run({ reportConfigurationId })];
    expect(first.result!.outputs.map(({ format }) => format)).toEqual(['json', 'csv', 'xlsx', 'pdf']);
    const withoutFiles = (report: typeof first) => JSON.stringify({ ...report.result, outputs: [] });
    expect(withoutFiles(second)).toBe(withoutFiles(first));
    // The other two name the run.
    expect(second.result!.outputs.slice(0, 2)).toEqual(first.result!.outputs.slice(0, 2));
  });

  it('stores its files as its result describes them', async () => {
    const { taken, category, configuration, run } = await openReports(app);
    await taken();
    await category('TRAVEL', [rule('ticket')]);
    const { id: reportConfigurationId } = await configuration({ outputOptions: { formats: ['pdf', 'xlsx', 'csv'], detail: 'lines' } });
    const report = await run({ reportConfigurationId });
    const control = app.app.get(ReportOperatorService);
    const files = new Map<string, Buffer>();
    for (const { format, bytes, sha256 } of report.result!.outputs) {
      const content = await control.file(report.id, format);
      expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256]);
      files.set(format, content);
    }
    expect(files.get('pdf')!.subarray(0, 5).toString()).toBe('%PDF-');
    expect(files.get('xlsx')!.subarray(0, 2).toString()).toBe('PK');
    expect(files.get('csv')!.toString()).toContain('Ticket Berlin-Hamburg');
    await expect(control.file(report.id, 'json')).rejects.toThrow('no json file');
  });

  it('has files that its integrator can download: as large as the result says, however often it is interrupted', async () => {
    const { taken, category, configuration, run, api, key } = await openReports(app);
    const rows = Array.from({ length: 2_000 }, (_row, index) => `2026-01-05,Ticket ${index} ${newId()},-1.00`);
    await taken({ file: Buffer.from(['Date,Description,Amount', ...rows, ''].join('\n')) });
    await category('TRAVEL', [rule('ticket')]);
    const { id: reportConfigurationId } = await configuration({ outputOptions: { formats: ['csv', 'pdf'], detail: 'lines' } });
    const { id, result } = await run({ reportConfigurationId });
    const filesOf = (format: string, more: RequestInit = {}) =>
      fetch(`${app.url}${REPORTS}/${id}/outputs/${format}`, { ...more, headers: { 'X-API-Key': key } });
    for (const { format, bytes, sha256 } of result!.outputs) {
      const interrupted = new AbortController();
      const { body } = await filesOf(format, { signal: interrupted.signal });
      await body!.getReader().read();
      interrupted.abort();
      const answer = await filesOf(format);
      const content = Buffer.from(await answer.arrayBuffer());
      expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256]);
      expect(answer.headers.get('content-length')).toBe(String(bytes));
      expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="report-${id}.${format}"`);
      expect(answer.headers.get('content-type')).toBe({ csv: 'text/csv; charset=utf-8', pdf: 'application/pdf' }[format as string]);
    }
    const detailOf = async (path: string) => (await api.get(`${REPORTS}/${path}`)).body as object;
    expect(await detailOf(`${id}/outputs/xlsx`)).toMatchObject({
      code: 'not_found',
      detail: expect.stringContaining('no xlsx file') as string,
    });
    const { id: journal } = await configuration({ outputOptions: { formats: ['journal'] } });
    const { id: failed } = await run({ reportConfigurationId: journal });
    expect(await detailOf(`${failed}/outputs/journal`)).toMatchObject({
      code: 'not_found',
      detail: expect.stringContaining('is failed') as string,
    });
    expect(await detailOf(`${id}/outputs/docx`)).toMatchObject({ errors: [{ location: 'path', field: 'format', code: 'not_allowed' }] });
  });

  it('has files of many parts, which are put together as they were', async () => {
    const { run, key } = await openReports(app);
    const { id } = await run();
    const content = randomBytes(1_300_000).toString('hex');
    await rowsOf(app.databaseUrl, 'DELETE FROM claim_report_files WHERE report_id = $1', [id]);
    await keepFile(app.databaseUrl, id, content);
    const answer = await fetch(`${app.url}${REPORTS}/${id}/outputs/json`, { headers: { 'X-API-Key': key } });
    expect((await answer.text()) === content).toBe(true);
  });

  it('has the files of an earlier release, which were not compressed', async () => {
    const { taken, run } = await openReports(app);
    await taken();
    const { id } = await run({});
    await rowsOf(app.databaseUrl, "UPDATE claim_report_files SET content = '{}', gzipped = false WHERE report_id = $1", [id]);
    expect((await app.app.get(ReportOperatorService).file(id, 'json')).toString()).toBe('{}');
  });

  it('books its claim on the accounts of the categories, for a journal and for DATEV', async () => {
    const { taken, category, configuration, run } = await openReports(app);
    await taken();
    await category('TRAVEL', [], { sourceMapping: { rules: [rule('ticket', 50)], account: '4660', contraAccount: 1590 } });
    const datev = { consultantNumber: 29098, clientNumber: 55003, fiscalYearStart: '2026-01-01' };
    const { id: reportConfigurationId } = await configuration({ outputOptions: { formats: ['journal', 'datev'], datev } });
    const { id, result } = await run({ reportConfigurationId });
    const control = app.app.get(ReportOperatorService);
    const journal = (await control.file(id, 'journal')).toString().trimEnd().split('\r\n').slice(1);
    const amounts = journal.map((row) => moneyOf(row.split(',')[1]!));
    expect(amounts.reduce((sum, amount) => sum + amount, 0n)).toBe(moneyOf(result!.totals.claimable));
    expect(journal[0]).toContain(',EUR,4660,1590,,');
    const batch = (await control.file(id, 'datev')).toString('latin1').trimEnd().split('\r\n');
    expect(batch[0]).toContain('"EXTF";700;21;"Buchungsstapel";13;');
    expect(batch.slice(2)).toHaveLength(journal.length);
  });

  it('fails if a category that claims something has no accounts for bookings', async () => {
    const { taken, category, configuration, run } = await openReports(app);
    await taken();
    await category('TRAVEL', [rule('ticket')]);
    const { id: reportConfigurationId } = await configuration({ outputOptions: { formats: ['journal'] } });
    expect(await run({ reportConfigurationId })).toMatchObject({ status: 'failed', failure: { code: 'missing_account' } });
  });

  it('uses the statements that existed when it started', async () => {
    const { taken, run, get } = await openReports(app);
    await taken();
    const report = await run();
    await taken({ file: JANUARY.replaceAll('-12.40', '-99.00') });
    expect(await get(report.id)).toEqual(report);
  });
});

describe('a run with invalid rules or options that were stored before they were checked', () => {
  it.each([
    [
      'a category’s mapping',
      'invalid_source_mapping',
      'TRAVEL',
      { mapping: { rules: [{ all: [{ field: 'colour', op: 'is', value: 'red' }] }] } },
    ],
    [
      'a pattern',
      'invalid_source_mapping',
      'TRAVEL',
      { mapping: { rules: [{ all: [{ field: 'description', op: 'matches', value: '(' }] }] } },
    ],
    ['the category filter', 'invalid_category_filter', 'categoryFilter', { configuration: { categoryFilter: { include: 'STAFF' } } }],
    ['the output options', 'invalid_output_options', 'outputOptions', { configuration: { outputOptions: { formats: ['docx'] } } }],
  ] as const)(
    'for %s fails with a code and the path, and the worker continues',
    async (_what, code, place, wanted: { mapping?: object; configuration?: { categoryFilter?: object; outputOptions?: object } }) => {
      const { category, configuration, storedBefore, run } = await openReports(app);
      const travel = await category('TRAVEL', []);
      if (wanted.mapping) await storedBefore('expense_categories', 'source_mapping', travel, wanted.mapping);
      const configured = await configuration();
      const { id: reportConfigurationId } = configured;
      const { categoryFilter = {}, outputOptions = {} } = wanted.configuration ?? {};
      await storedBefore('report_configurations', 'category_filter', configured, categoryFilter);
      await storedBefore('report_configurations', 'output_options', configured, outputOptions);
      const report = await run({ reportConfigurationId });
      expect(report).toMatchObject({ status: 'failed', result: null, failure: { code, message: expect.stringContaining(place) } });
      const [event] = await rowsOf<{ data: object }>(
        app.databaseUrl,
        `SELECT data FROM events WHERE resource_id = $1 AND kind = 'claim_report.failed'`,
        [report.id],
      );
      expect(event!.data).toEqual(report);
      expect(await run()).toMatchObject(wanted.mapping ? { status: 'failed' } : { status: 'succeeded' });
    },
  );
});

describe('the list of runs', () => {
  it('can be filtered by project, configuration and status', async () => {
    const { api, project, configuration, storedBefore, run } = await openReports(app);
    const { id: projectId } = await project();
    const { id: reportConfigurationId } = await configuration();
    const bad = await configuration();
    await storedBefore('report_configurations', 'output_options', bad, { formats: 'pdf' });
    const runs = [
      await run({ projectId }),
      await run({ reportConfigurationId }),
      await run({ reportConfigurationId: bad.id }),
      await run({ projectId, reportConfigurationId }),
    ].map(({ id }) => id);
    const found = async (query: Record<string, string>) =>
      ((await api.get(`${REPORTS}?${new URLSearchParams(query).toString()}`)).body as { data: { id: string }[] }).data.map(({ id }) =>
        runs.indexOf(id),
      );
    expect(await found({})).toEqual([3, 2, 1, 0]);
    expect(await found({ project_id: projectId })).toEqual([3, 0]);
    expect(await found({ report_configuration_id: reportConfigurationId })).toEqual([3, 1]);
    expect(await found({ status: 'failed' })).toEqual([2]);
    expect(await found({ status: 'succeeded', project_id: projectId })).toEqual([3, 0]);
    expect(await found({ status: 'queued' })).toEqual([]);
  });
});
