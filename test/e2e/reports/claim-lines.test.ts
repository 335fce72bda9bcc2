import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClaimLineDto } from '../../../src/modules/reports/index.js';
import type { TestApp } from '../../support/app.js';
import { openReports, REPORTS, rule } from '../../support/reports.js';
import { changeContext, OPERATOR } from '../../../src/kernel/context.js';
import { ClaimLinesRepository } from '../../../src/modules/reports/lines/claim-lines.repository.js';
import { UnitOfWork } from '../../../src/store/database/unit-of-work.js';
import { startWorking } from '../../support/statements.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

const DECISIONS = '/v1/claim-line-decisions';

/** An organization with a statement, a run of it, and what is done with its lines. */
async function withLines() {
  const open = await openReports(app);
  const statement = await open.taken();
  const travel = await open.category('TRAVEL', [rule('ticket')]);
  const other = await open.category('OTHER', []);
  const list = async (reportId: string, query = ''): Promise<ClaimLineDto[]> => {
    const answer = await open.api.get(`${REPORTS}/${reportId}/lines${query}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body.data;
  };
  const decide = async (body: object): Promise<ClaimLineDto[]> => {
    const answer = await open.api.post(DECISIONS, body);
    expect(answer.status, answer.text).toBe(200);
    return answer.body.data;
  };
  return { ...open, statement, travel, other, list, decide };
}

describe('the lines of a run', () => {
  it('are listed in the order of the statement, page by page, with what the run made of them', async () => {
    const { run, list, statement, travel, api } = await withLines();
    const { id } = await run();
    const lines = await list(id);
    expect(lines.map(({ lineNumber }) => lineNumber)).toEqual(lines.map((_line, index) => index + 1));
    const claimed = lines.filter(({ outcome }) => outcome === 'claimed');
    expect(claimed).toEqual(await list(id, `?category_id=${travel.id}`));
    expect(claimed[0]).toMatchObject({
      reportId: id,
      statementId: statement.id,
      categoryId: travel.id,
      rule: 'rule 1',
      decision: null,
      isApplied: true,
    });
    const first = await api.get(`${REPORTS}/${id}/lines?page_size=2`);
    expect(first.body.pagination).toEqual({ page: 1, pageSize: 2, total: lines.length, totalRelation: 'exact', hasMore: true });
    const rest = await list(id, `?before=${first.body.data[1].id}&page_size=200`);
    expect([...first.body.data, ...rest]).toEqual(lines);
    expect(await list(id, `?amount=${lines[1]!.amount}&outcome=${lines[1]!.outcome}`)).toContainEqual(lines[1]);
    expect(await list(id, `?page=9`)).toEqual([]);
  });

  it('are those of the newest run of a project and configuration', async () => {
    const { run, list } = await withLines();
    const [first, second] = [await run(), await run()];
    expect(await list(first.id)).toEqual([]);
    expect(await list(second.id)).not.toEqual([]);
  });

  it('stay when an earlier run ends after the newest one', async () => {
    const { run, list, organizationId } = await withLines();
    const [first, second] = [await run(), await run()];
    const ctx = { ...changeContext(organizationId, OPERATOR), organizationId, environment: 'test' as const, emits: [] };
    await app.app.get(UnitOfWork).run(ctx, (unit) => app.app.get(ClaimLinesRepository).keep(unit, first, []));
    expect(await list(second.id)).not.toEqual([]);
  });
});

describe('a decision about a line', () => {
  it('stands above rules from the next run on, and is taken back by another decision', async () => {
    const { run, list, decide, other, api } = await withLines();
    const first = await run();
    const line = (await list(first.id, '?outcome=claimed'))[0]!;
    const [decided] = await decide({
      lineIds: [line.id],
      outcome: 'claimed',
      parts: [{ categoryId: other.id, claimablePercent: '50' }],
      reason: 'Half private',
    });
    expect(decided).toMatchObject({ outcome: 'claimed', isApplied: false, decision: { outcome: 'claimed', reason: 'Half private' } });
    const second = await run();
    expect(second.result!.inputsHash).not.toBe(first.result!.inputsHash);
    const [again] = await list(second.id, '?decided=true');
    expect(again).toMatchObject({
      lineNumber: line.lineNumber,
      categoryId: other.id,
      rule: null,
      ruleCategoryId: line.categoryId,
      isApplied: true,
    });
    expect(second.result!.categories.find(({ code }) => code === 'OTHER')).toMatchObject({ count: 1 });

    await decide({ lineIds: [again!.id], outcome: 'not_claimed' });
    const third = await run();
    expect(third.result!.uncategorised).toMatchObject({ decidedCount: 1 });
    const [set] = await list(third.id, '?outcome=not_claimed');
    await decide({ lineIds: [set!.id], outcome: 'by_rules' });
    const last = await run();
    expect(last.result).toEqual({ ...first.result, outputs: last.result!.outputs });
    const { decisions } = (await api.get(`/v1/claim-lines/${(await list(last.id))[line.lineNumber - 1]!.id}`)).body;
    expect(decisions.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['by_rules', 'not_claimed', 'claimed']);
  });

  it('splits a line in parts that make its amount', async () => {
    const { run, list, decide, travel, other, api } = await withLines();
    const first = await run();
    const line = (await list(first.id)).find(({ amount }) => amount === '-1200.00')!;
    const parts = [
      { categoryId: travel.id, amount: '-1000.00' },
      { categoryId: other.id, amount: '-150.00', taxPercent: '19' },
      { categoryId: null, amount: '-50.00' },
    ];
    const short = await api.post(DECISIONS, { lineIds: [line.id], outcome: 'claimed', parts: parts.slice(0, 2) });
    expect([short.status, short.body.errors]).toEqual([
      400,
      [expect.objectContaining({ field: 'parts', code: 'does_not_add_up', message: 'must make -1200.00; -50.00 is left' })],
    ]);
    await decide({ lineIds: [line.id], outcome: 'claimed', parts });
    const second = (await run()).result!;
    expect(second.categories.find(({ code }) => code === 'OTHER')).toMatchObject({ count: 1, claimable: '150.00', claimableTax: '23.95' });
    expect(second.controls.filter(({ ok }) => !ok)).toEqual([]);
    expect(second.totals.count).toBe(first.result!.totals.count);
  });

  it('is made for many lines, all or none', async () => {
    const { run, list, decide, travel, api } = await withLines();
    const { id } = await run();
    const lines = await list(id, '?outcome=uncategorised');
    const lineIds = lines.map((line) => line.id);
    const wrong = await api.post(DECISIONS, { lineIds: [...lineIds, travel.id], outcome: 'not_claimed' });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'related_record_missing']);
    expect(await list(id, '?decided=true')).toEqual([]);
    expect(await decide({ lineIds, outcome: 'not_claimed' })).toHaveLength(lines.length);
    expect(await list(id, '?decided=false&outcome=uncategorised')).toEqual([]);
  });

  it('survives that the line is imported again, and knows equal lines of one statement apart', async () => {
    const { run, list, decide, taken } = await withLines();
    const before = await list((await run()).id);
    await decide({ lineIds: [before[0]!.id], outcome: 'not_claimed' });
    await taken();
    const after = await list((await run()).id, '?decided=true');
    expect(after.map(({ lineNumber, isApplied }) => ({ lineNumber, isApplied }))).toEqual([{ lineNumber: 1, isApplied: true }]);
  });

  it.each([
    ['without parts', { outcome: 'claimed' }, 'parts', 'required'],
    ['with parts that are not claimed', { outcome: 'not_claimed', parts: [{ categoryId: null }] }, 'parts', 'too_many'],
    [
      'for another category',
      { outcome: 'claimed', parts: [{ categoryId: '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21' }] },
      'parts[0].categoryId',
      'related_record_missing',
    ],
    ['without lines', { outcome: 'not_claimed', lineIds: [] }, 'lineIds', 'too_short'],
  ])('%s is refused with the place', async (_what, body, field, code) => {
    const { run, list, api } = await withLines();
    const [line] = await list((await run()).id);
    const answer = await api.post(DECISIONS, { lineIds: [line!.id], ...body });
    expect([answer.status, answer.body.errors[0]]).toEqual([400, expect.objectContaining({ field, code })]);
  });
});
