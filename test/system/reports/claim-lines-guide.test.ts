import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshInstall, type FreshInstall } from '../../support/fresh-install.js';
import { GuideBlocks } from '../../support/guide-blocks.js';
import { GuideShell } from '../../support/guide-shell.js';

const PATIENCE_MS = 120_000;
const blocks = new GuideBlocks('claim-lines');

let fresh: FreshInstall;
let shell: GuideShell;
beforeAll(async () => {
  fresh = await freshInstall();
  const { line_id: lineId, category_id: categoryId } = fresh.made.records!;
  shell = await GuideShell.open({
    CLAIMS_BASE_URL: fresh.app.url,
    CLAIMS_API_KEY: fresh.made.keys.test,
    LINE_ID: lineId!,
    CATEGORY_ID: categoryId!,
  });
}, PATIENCE_MS);
afterAll(async () => {
  await shell.close();
  await fresh.close();
});

it('half of a line is claimed as the guide says, and no block is left', async () => {
  const answer = JSON.parse(await shell.paste(blocks.take('sh', 'claim-line-decisions'))) as { data: object[] };
  expect(answer.data).toMatchObject([{ decision: { outcome: 'claimed', parts: [{ claimablePercent: '50' }], reason: 'Half private' } }]);
  expect(blocks.left).toEqual([]);
});
