import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApp } from '../../support/app.js';
import { aVisitorOf, textOf } from '../../support/console.js';
import { openReports, REPORTS, rule } from '../../support/reports.js';
import { startWorking } from '../../support/statements.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

const wordsOf = ({ text }: { text: string }): string => textOf(text.replace(/<[^>]+>/g, ' ')).replace(/\s+/g, ' ');

async function aReviewer() {
  const open = await openReports(app);
  await open.taken();
  const travel = await open.category('TRAVEL', [rule('ticket')]);
  const report = await open.run();
  const { browser } = await aVisitorOf(app, { id: open.organizationId });
  const path = `/console/test/reports/${report.id}/lines`;
  return { ...open, travel, report, browser, path };
}

describe('the lines of a report', () => {
  it('are decided in the list, the chosen ones or all that a filter finds', async () => {
    const { browser, path, travel, report, api } = await aReviewer();
    const page = await browser.visit(`${path}?outcome=uncategorised`);
    expect(wordsOf(page)).toContain('Rent of the office for January');
    const [first] = (await api.get(`${REPORTS}/${report.id}/lines?outcome=uncategorised`)).body.data;
    const one = await browser.send(page, { chosen: first.id, categoryId: travel.id, reason: 'Agreed by phone' }, '/chosen');
    expect(wordsOf(one)).toContain('One line is decided. The next report has it.');
    const all = await browser.send(
      await browser.visit(`${path}?decided=false&outcome=uncategorised`),
      { all: 'yes', categoryId: 'not_claimed' },
      '/chosen',
    );
    expect(wordsOf(all)).toContain('2 lines are decided.');
    const { data } = (await api.get(`${REPORTS}/${report.id}/lines?decided=true`)).body;
    expect(data.map(({ decision }: { decision: { outcome: string } }) => decision.outcome).sort()).toEqual([
      'claimed',
      'not_claimed',
      'not_claimed',
    ]);
  });

  it('says what was chosen wrongly, and decides nothing', async () => {
    const { browser, path, report, api } = await aReviewer();
    const refused = await browser.send(await browser.visit(path), { categoryId: 'not_claimed' }, '/chosen');
    expect([refused.status, wordsOf(refused).includes('at least one of the lines')]).toEqual([400, true]);
    expect((await api.get(`${REPORTS}/${report.id}/lines?decided=true`)).body.data).toEqual([]);
  });

  it('have a page each, on which a line is split, and which says who has decided what', async () => {
    const { browser, path, travel, report, api } = await aReviewer();
    const rent = (await api.get(`${REPORTS}/${report.id}/lines?amount=-1200.00`)).body.data[0];
    const page = await browser.visit(`${path}/${rent.id}`);
    const short = { categoryId: travel.id, amount0: '-1000.00', categoryId1: 'none', amount1: '-100.00' };
    const refused = await browser.send(page, short, `/${rent.id}`);
    expect([refused.status, wordsOf(refused).includes('must make -1200.00; -100.00 is left')]).toEqual([400, true]);
    expect(refused.text).toContain('value="-1000.00"');
    const split = await browser.send(page, { ...short, amount1: '-200.00', note: 'See the contract' }, `/${rent.id}`);
    expect(wordsOf(split)).toContain('-1,000.00 TRAVEL: Category TRAVEL · -200.00 Not claimed');
    expect(wordsOf(split)).toContain('See the contract');
  });
});
