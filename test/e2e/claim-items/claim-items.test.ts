import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import type { TestApp } from '../../support/app.js';
import { openClosings } from '../../support/closings.js';
import { describeResource } from '../../support/describe-resource.js';
import { startDocumentedApp } from '../../support/documented-app.js';
import { rule } from '../../support/reports.js';
import { startWorking } from '../../support/statements.js';

const app = await startDocumentedApp();
afterAll(() => app.close());

const ITEMS = '/v1/claim-items';

describeResource('claim items', app, {
  path: ITEMS,
  create: { status: 'withdrawn', quantity: '1', rate: '36.00', taxPercent: '7' },
  change: {
    name: 'Hours of staff',
    incurredOn: '2026-02-03',
    unit: 'h',
    rateSource: 'Payroll of January',
    currency: 'USD',
    taxPercent: '19',
    status: 'active',
  },
  defaults: { quantity: '1', unit: null, rateSource: null, taxPercent: null, status: 'active', amount: '36.00' },
  nullable: ['unit', 'rateSource', 'taxPercent'],
  filters: { status: ['active', 'withdrawn'] },
  search: ['name'],
});

describe('a run', () => {
  let working: TestApp;
  beforeAll(async () => {
    working = await startWorking();
  });
  afterAll(() => working.close());

  /** A project with a category that no line of its statement has. */
  async function withItems() {
    const open = await openClosings(working);
    const { id: projectId } = await open.project();
    const { id: categoryId } = await open.category('MILEAGE', [], { projectId });
    const item = { projectId, categoryId, name: 'Drive to Hamburg', incurredOn: '2026-01-15', rate: '0.30', currency: 'EUR' };
    const enter = async (wanted: object = {}) => {
      const answer = await open.api.post(ITEMS, { ...item, ...wanted });
      expect(answer.status, answer.text).toBe(201);
      return answer.body as { id: string; amount: string };
    };
    return { ...open, projectId, categoryId, item, enter };
  }

  it('claims items of its days with the lines of statements, and says who has entered them, at which rate', async () => {
    const { enter, taken, category, configuration, run, projectId, api } = await withItems();
    await taken({ projectId });
    await category('TRAVEL', [rule('ticket')], { projectId });
    expect((await enter({ quantity: '120', unit: 'km', rateSource: 'Travel policy' })).amount).toBe('36.00');
    await enter({ name: 'Another month', incurredOn: '2026-02-01' });
    await enter({ name: 'Withdrawn', status: 'withdrawn' });
    const options = { formats: ['json', 'csv', 'evidence'], detail: 'lines' };
    const { id } = await configuration({ projectId, outputOptions: options });
    const { result, id: reportId } = await run({ projectId, reportConfigurationId: id });
    const { totals, controls, statements, categories, warnings } = result!;
    const mileage = categories.find(({ code }) => code === 'MILEAGE');
    expect(mileage).toMatchObject({ count: 1, claimable: '36.00' });
    expect([totals.claimable, controls.every(({ ok }) => ok), statements.length]).toEqual(['106.00', true, 2]);
    expect(warnings.map(({ code }) => code)).toEqual(['statement_gaps']);
    const csv = (await api.get(`/v1/claim-reports/${reportId}/outputs/csv`)).text;
    expect(csv).toContain('Drive to Hamburg (120 km × 0.30 EUR, Travel policy)');
    expect(csv).not.toMatch(/Another month|Withdrawn/);
    const lines = (await api.get(`/v1/claim-reports/${reportId}/lines?page_size=200`)).text;
    expect(lines).not.toContain('Drive to Hamburg');
  });

  it('of nothing but items is a claim, and not one without statements', async () => {
    const { enter, run, projectId } = await withItems();
    await enter({ quantity: '3', rate: '0.335', currency: 'EUR' });
    const { result } = await run({ projectId });
    expect([result!.totals.claimable, result!.currency]).toEqual(['1.01', 'EUR']);
    expect(result!.warnings.map(({ code }) => code)).not.toContain('no_statements');
  });

  it('that is final locks its days for items', async () => {
    const { enter, api, item, close, configuration, run, projectId } = await withItems();
    const { id } = await enter();
    const { id: reportConfigurationId } = await configuration({ projectId, outputOptions: { formats: ['evidence'] } });
    const { id: reportId } = await run({ projectId, reportConfigurationId });
    await close(reportId);
    const refused = { status: 409, body: { code: 'claim_final' } };
    expect(await api.post(ITEMS, item)).toMatchObject(refused);
    for (const change of [{ quantity: '2' }, { status: 'withdrawn' }, { incurredOn: '2026-02-01' }])
      expect(await api.patch(`${ITEMS}/${id}`, change)).toMatchObject(refused);
    const later = await enter({ incurredOn: '2026-02-01' });
    expect(await api.patch(`${ITEMS}/${later.id}`, { incurredOn: '2026-01-31' })).toMatchObject(refused);
  });

  it.each([
    [
      'of another project',
      async ({ category, project }: Awaited<ReturnType<typeof withItems>>) =>
        category('X', [], { projectId: (await project({ name: 'Other' })).id }),
    ],
    ['that does not exist', () => Promise.resolve({ id: newId() })],
  ])('an item is refused with a category %s', async (_what, other) => {
    const open = await withItems();
    const { id: categoryId } = await other(open);
    expect(await open.api.post(ITEMS, { ...open.item, categoryId })).toMatchObject({
      status: 400,
      body: { code: 'related_record_missing', errors: [{ field: 'categoryId' }] },
    });
  });

  it('an item costs something', async () => {
    const { api, item } = await withItems();
    for (const wrong of [{ rate: '0' }, { rate: '-1' }, { quantity: '0.00' }])
      expect(await api.post(ITEMS, { ...item, ...wrong })).toMatchObject({ status: 400, body: { errors: [{ code: 'out_of_range' }] } });
  });
});
