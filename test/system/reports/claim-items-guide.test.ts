import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshInstall, type FreshInstall } from '../../support/fresh-install.js';
import { GuideBlocks } from '../../support/guide-blocks.js';
import { GuideShell } from '../../support/guide-shell.js';

const PATIENCE_MS = 120_000;
const blocks = new GuideBlocks('claim-items');

let fresh: FreshInstall;
let shell: GuideShell;
beforeAll(async () => {
  fresh = await freshInstall();
  const { project_id: projectId, category_id: categoryId } = fresh.made.records!;
  shell = await GuideShell.open({
    CLAIMS_BASE_URL: fresh.app.url,
    CLAIMS_API_KEY: fresh.made.keys.test,
    PROJECT_ID: projectId!,
    CATEGORY_ID: categoryId!,
  });
}, PATIENCE_MS);
afterAll(async () => {
  await shell.close();
  await fresh.close();
});

it('a drive is entered as the guide says, and no block is left', async () => {
  const answer = JSON.parse(await shell.paste(blocks.take('sh', 'claim-items'))) as object;
  expect(answer).toMatchObject({ amount: '36.00', rateSource: 'Flat rate of our travel policy', status: 'active' });
  expect(blocks.left).toEqual([]);
});
