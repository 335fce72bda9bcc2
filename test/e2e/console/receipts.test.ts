import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApp } from '../../support/app.js';
import { aVisitorOf, textOf } from '../../support/console.js';
import { A_MAIL, A_PDF, openReceipts } from '../../support/receipts.js';
import { startWorking } from '../../support/statements.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

it('people add receipts to a line from its page, get their files back, and withdraw them', async () => {
  const { claimed, organizationId, api } = await openReceipts(app);
  const { line, report } = await claimed();
  const { browser } = await aVisitorOf(app, { id: organizationId });
  const ofLine = await browser.visit(`/console/test/reports/${report.id}/lines/${line.id}`);
  const [, to] = /href="([^"]+receipts\?claimLineId=[^"]+)"/.exec(ofLine.text)!;
  const empty = await browser.visit(to!);
  expect(empty.text).toContain('No receipt is here yet.');
  const files = [
    ['invoice.pdf', A_PDF],
    ['mail.eml', A_MAIL],
  ] as const;
  const added = await browser.upload(empty, files, { note: 'By mail' });
  expect(textOf(added.text)).toContain('2 receipts were added.');
  const [, address] = /action="([^"]+)"[^>]*>(?:(?!<\/form>).)*invoice\.pdf/s.exec(added.text)!;
  const file = await browser.send(added, {}, address);
  expect([file.status, file.text]).toEqual([200, A_PDF.toString()]);
  const withdrawn = await browser.send(added, {}, address!.replace(/file$/, 'withdraw'));
  expect(textOf(withdrawn.text)).toContain('The receipt was withdrawn, and its file was removed.');
  expect((await browser.send(added, {}, address)).status).toBe(404);
  const { data } = (await api.get(`/v1/receipts?claim_line_id=${line.id}`)).body as {
    data: { fileName: string; status: string; note: string }[];
  };
  expect(data.map(({ fileName, status, note }) => [fileName, status, note])).toEqual([
    ['mail.eml', 'active', 'By mail'],
    ['invoice.pdf', 'withdrawn', 'By mail'],
  ]);
});

it('people read why a file is no receipt of an item, and keep what they have written', async () => {
  const { claimed, organizationId, api } = await openReceipts(app);
  const { projectId, categoryId } = await claimed();
  const item = { projectId, categoryId, name: 'Drive', incurredOn: '2026-01-15', rate: '36.00', currency: 'EUR' };
  const { id } = (await api.post('/v1/claim-items', item)).body as { id: string };
  const { browser } = await aVisitorOf(app, { id: organizationId });
  const ofItem = await browser.visit(`/console/test/items/${id}`);
  const [, to] = /href="([^"]+receipts\?claimItemId=[^"]+)"/.exec(ofItem.text)!;
  const shown = await browser.visit(to!);
  const refused = await browser.upload(shown, [['page.html', '<html></html>']], { note: 'From the shop' });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('PDF, JPEG, PNG or HEIC');
  expect(refused.text).toContain('From the shop');
  const more = await browser.upload(shown, [['invoice.pdf', A_PDF]], { taxAmount: '36.01' });
  expect([more.status, more.text.includes('0 to 36.00')]).toEqual([400, true]);
});
