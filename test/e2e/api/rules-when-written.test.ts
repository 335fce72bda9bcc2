import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import type { TestApp } from '../../support/app.js';
import { expectFieldErrors, expectProblem } from '../../support/problem.js';
import { openReports, rule } from '../../support/reports.js';
import { startWorking } from '../../support/statements.js';
import { callTool, connectTools } from '../../support/tools.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

const CATEGORIES = '/v1/expense-categories';
const CONFIGURATIONS = '/v1/report-configurations';
const out = { field: 'direction', op: 'is', value: 'out' };
const withCondition = (condition: object) => ({ rules: [{ all: [out, condition] }] });

const DATEV = { consultantNumber: 29098, clientNumber: 55003, fiscalYearStart: '2026-01-01' };

/** Invalid documents, each with the place that a refusal names, the code, and a part of the message. */
const REFUSED: Record<string, [document: object, path: string, code: string, allowed: string][]> = {
  sourceMapping: [
    [{ rules: 'none' }, '.rules', 'wrong_type', 'must be a list'],
    [withCondition({ field: 'nope' }), '.rules[0].all[1].field', 'not_allowed', 'one of description, counterparty'],
    [withCondition({ field: 'amount', op: 'contains', value: '5' }), '.rules[0].all[1].op', 'not_allowed', 'gte, lte, between'],
    [withCondition({ field: 'description', op: 'is' }), '.rules[0].all[1].value', 'required', 'a text of 1 to 1000 characters'],
    [{ rules: [{ all: [out], claimable_percent: 50 }] }, '.rules[0].claimable_percent', 'unknown_property', 'spelled claimablePercent'],
    [
      { rules: [{ all: [out], note: 'x' }] },
      '.rules[0].note',
      'unknown_property',
      'keys of a rule are id, claimablePercent, taxPercent, all, any, none',
    ],
    [withCondition({ ...out, note: 1 }), '.rules[0].all[1].note', 'unknown_property', 'keys of a condition are field, op, value'],
    [{ rules: [{ all: [out], claimablePercent: 101 }] }, '.rules[0].claimablePercent', 'not_allowed', 'from 0 to 100'],
    [{ rules: [{}] }, '.rules[0]', 'required', 'a condition in all or any'],
    [{ rule: [] }, '.rule', 'unknown_property', 'must be spelled rules'],
    [{ account: ['4660'] }, '.account', 'not_allowed', 'a text of 1 to 50 characters, a whole number or null'],
    [{ contra_account: '1590' }, '.contra_account', 'unknown_property', 'must be spelled contraAccount'],
    [{ Priority: 1 }, '.Priority', 'unknown_property', 'must be spelled priority'],
    [{ priority: '1' }, '.priority', 'not_allowed', 'a whole number'],
    [withCondition({ field: 'description', op: 'matches', value: '(?=a)' }), '.rules[0].all[1].value', 'invalid_pattern', 'RE2'],
    [withCondition({ field: 'description', op: 'matches', value: 'a'.repeat(501) }), '.rules[0].all[1].value', 'too_long', '500'],
  ],
  categoryFilter: [
    [{ inclde: ['X'] }, '.inclde', 'unknown_property', 'must be spelled include'],
    [{ include: [] }, '.include', 'too_short', 'at least 1 entry'],
    [{ exclude: ['A', 7] }, '.exclude[1]', 'wrong_type', 'a text of 1 to 200 characters'],
    [{ status: ['open'] }, '.status[0]', 'not_allowed', 'one of active, archived'],
  ],
  outputOptions: [
    [{ formats: ['json', 'docx'] }, '.formats[1]', 'not_allowed', 'one of json, csv, xlsx, pdf'],
    [{ group_by: ['month'] }, '.group_by', 'unknown_property', 'must be spelled groupBy'],
    [{ currency: 'EURO' }, '.currency', 'not_allowed', 'three-letter currency code'],
    [{ includeUncategorised: 'no' }, '.includeUncategorised', 'not_allowed', 'true or false'],
    [{ locale: 'de_DE' }, '.locale', 'not_allowed', 'a language tag'],
    [{ formats: ['datev'] }, '.datev', 'required', 'consultantNumber, clientNumber and fiscalYearStart'],
    [{ datev: { ...DATEV, clientNumber: 0 } }, '.datev.clientNumber', 'not_allowed', 'from 1 to 99999'],
  ],
};
const CASES = Object.entries(REFUSED).flatMap(([field, cases]) => cases.map((one) => [field, ...one] as const));
const NEW_CATEGORY = { code: 'TRAVEL', name: 'Travel' };
const NEW_CONFIGURATION = { name: 'Annual report', periodStart: '2026-01-01', periodEnd: '2026-12-31' };
const ofField = (field: string) =>
  field === 'sourceMapping' ? ([CATEGORIES, NEW_CATEGORY] as const) : ([CONFIGURATIONS, NEW_CONFIGURATION] as const);

describe('rules and options are checked when they are written', () => {
  it.each(CASES)(
    '%s %j: POST and PATCH return 400, name the place, and say what is allowed',
    async (field, document, path, code, allowed) => {
      const { api } = await openReports(app);
      const [collection, valid] = ofField(field);
      const { id } = (await api.post(collection, valid)).body as { id: string };
      for (const answer of [
        await api.post(collection, { ...valid, code: undefined, ...('code' in valid && { code: 'OTHER' }), [field]: document }),
        await api.patch(`${collection}/${id}`, { [field]: document }),
      ]) {
        expectFieldErrors(answer, `body ${field}${path} ${code}`);
        expect(answer.body.detail).toContain(allowed);
      }
      expect((await api.get(`${collection}/${id}`)).body).toHaveProperty(field, {});
    },
  );

  it('one answer names every place that is wrong, beside other fields', async () => {
    const { api } = await openReports(app);
    const sourceMapping = { rule: 1, ...withCondition({ field: 'nope', op: 'is', value: 1 }), priority: 0.5 };
    expectFieldErrors(
      await api.post(CATEGORIES, { name: 'Travel', sourceMapping }),
      'body code required',
      'body sourceMapping.rule unknown_property',
      'body sourceMapping.rules[0].all[1].field not_allowed',
      'body sourceMapping.priority not_allowed',
    );
  });

  it('keys that are not ours are kept as they are', async () => {
    const { api } = await openReports(app);
    const sourceMapping = { account: '6670', id: 7, rulesOfOurs: { Rules: 1 }, rules: [rule('Ticket')] };
    expect((await api.post(CATEGORIES, { ...NEW_CATEGORY, sourceMapping })).body).toMatchObject({ sourceMapping });
    const options = { categoryFilter: { codes: ['A'] }, outputOptions: { template: { formats: 7 } } };
    expect((await api.post(CONFIGURATIONS, { ...NEW_CONFIGURATION, ...options })).body).toMatchObject(options);
  });

  it('patterns share a budget for each category, so that no request takes long to check', async () => {
    const { api } = await openReports(app);
    const patterns = (count: number, value: string) => ({
      rules: [{ any: Array.from({ length: count }, () => ({ field: 'description', op: 'matches', value })) }],
    });
    const modest = await api.post(CATEGORIES, { ...NEW_CATEGORY, sourceMapping: patterns(100, '\\b(rail|train) ticket\\b') });
    expect(modest.status, modest.text).toBe(201);
    for (const value of ['(a{30}){30}', '\\pL'.repeat(160), '[Ā-ჿ]'.repeat(100), '((a{100}){10})'.repeat(35), 'ſ'.repeat(490)]) {
      const before = process.cpuUsage();
      const answer = await api.post(CATEGORIES, { name: 'Other', code: newId(), sourceMapping: patterns(30, value) });
      const { user } = process.cpuUsage(before);
      expect(expectProblem(answer, 'validation_failed').errors[0]!.field).toMatch(/^sourceMapping\.rules\[0\]\.any\[\d+\]\.value$/);
      // Without the budget, thirty of them take up to a second.
      expect(user / 1000, value.slice(0, 20)).toBeLessThan(500);
    }
  });

  it('tools refuse them, too, with the same places', async () => {
    const { key } = await openReports(app);
    const tools = await connectTools(app, { 'X-API-Key': key });
    for (const confirm of [true, false]) {
      const refused = await callTool(tools, 'create_expense_category', {
        code: 'TRAVEL',
        name: 'Travel',
        source_mapping: { rules: [{ all: [out], claimable_percent: 50 }] },
        confirm,
        idempotency_key: newId(),
      });
      const field = 'source_mapping.rules[0].claimable_percent';
      expect(refused).toMatchObject({
        isError: true,
        content: { code: 'validation_failed', errors: [{ field, code: 'unknown_property' }] },
      });
      expect(refused.text).toContain(`validation_failed: ${field} must be spelled claimablePercent, or be left out`);
    }
  });
});

describe('a category whose rules were stored before they were checked', () => {
  it('fails only the runs that it takes part in, and the failure names category and place', async () => {
    const { category, configuration, project, storedBefore, run } = await openReports(app);
    const [own, other] = [await project(), await project({ name: 'Hamburg office' })];
    await category('RAIL', [rule('Ticket')]);
    const bad = await category('OLD', [], { projectId: own.id });
    await storedBefore('expense_categories', 'source_mapping', bad, { rules: [{ all: [out], claimable_percent: 50 }] });
    const message = expect.stringMatching(
      /^Category OLD: sourceMapping\.rules\[0\]\.claimable_percent must be spelled claimablePercent, /,
    ) as unknown;
    expect(await run({ projectId: own.id })).toMatchObject({ status: 'failed', failure: { code: 'invalid_source_mapping', message } });
    expect(await run({ projectId: other.id })).toMatchObject({ status: 'succeeded' });
    const { id: reportConfigurationId } = await configuration({ categoryFilter: { exclude: ['OLD'] } });
    expect(await run({ projectId: own.id, reportConfigurationId })).toMatchObject({ status: 'succeeded' });
  });

  it('can still be read and renamed, but not written as it is', async () => {
    const { api, category, storedBefore } = await openReports(app);
    const bad = await category('OLD', []);
    const sourceMapping = { rules: 'none' };
    await storedBefore('expense_categories', 'source_mapping', bad, sourceMapping);
    const path = `${CATEGORIES}/${bad.id}`;
    expect(await api.get(path)).toMatchObject({ status: 200, body: { sourceMapping } });
    expect(await api.patch(path, { name: 'Renamed' })).toMatchObject({ status: 200, body: { name: 'Renamed', sourceMapping } });
    expectFieldErrors(await api.patch(path, { sourceMapping }), 'body sourceMapping.rules wrong_type');
  });
});
