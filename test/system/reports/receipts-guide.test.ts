import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshInstall, type FreshInstall } from '../../support/fresh-install.js';
import { GuideBlocks } from '../../support/guide-blocks.js';
import { GuideShell } from '../../support/guide-shell.js';

const PATIENCE_MS = 120_000;
const blocks = new GuideBlocks('receipts');

let fresh: FreshInstall;
let shell: GuideShell;
beforeAll(async () => {
  fresh = await freshInstall();
  const { project_id: projectId, category_id: categoryId } = fresh.made.records!;
  const item = { projectId, categoryId, name: 'Drive', incurredOn: '2026-01-15', rate: '36.00', currency: 'EUR' };
  const { id } = (await fresh.api.post('/v1/claim-items', item)).body as { id: string };
  shell = await GuideShell.open({ CLAIMS_BASE_URL: fresh.app.url, CLAIMS_API_KEY: fresh.made.keys.test, CLAIM_ITEM_ID: id });
}, PATIENCE_MS);
afterAll(async () => {
  await shell.close();
  await fresh.close();
});

it('a mail is added to an item as the guide says, a category wants receipts, and no block is left', async () => {
  const answer = JSON.parse(await shell.paste(blocks.take('sh', 'receipts'))) as object;
  expect(answer).toMatchObject({ mediaType: 'message/rfc822', fileName: 'invoice.eml', taxAmount: '5.75', status: 'active' });
  const sourceMapping = JSON.parse(blocks.take('json', '"receipt"')) as object;
  const category = await fresh.api.post('/v1/expense-categories', { code: 'HOTEL', name: 'Hotel', sourceMapping });
  expect(category, category.text).toMatchObject({ status: 201, body: { sourceMapping } });
  expect(blocks.left).toEqual([]);
});
