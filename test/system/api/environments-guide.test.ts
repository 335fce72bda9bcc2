import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { freshInstall, type FreshInstall } from '../../support/fresh-install.js';
import { GuideBlocks } from '../../support/guide-blocks.js';
import { GuideShell } from '../../support/guide-shell.js';

const PATIENCE_MS = 120_000;
const blocks = new GuideBlocks('environments');

let fresh: FreshInstall;
let shell: GuideShell;
beforeAll(async () => {
  fresh = await freshInstall();
  const { configuration_id: id } = fresh.made.records!;
  shell = await GuideShell.open({ CLAIMS_BASE_URL: fresh.app.url, CLAIMS_API_KEY: fresh.made.keys.test, CONFIGURATION_ID: id! });
}, PATIENCE_MS);
afterAll(async () => {
  await shell.close();
  await fresh.close();
});

it('a credential says its environment, things are provoked and all is deleted as the guide says, and no block is left', async () => {
  expect(JSON.parse(await shell.paste(blocks.take('sh', 'auth/context')))).toMatchObject({
    credential: JSON.parse(blocks.take('json', '"environment"')) as object,
  });
  expect(JSON.parse(await shell.paste(blocks.take('sh', 'test/events')))).toEqual({ eventId: expect.any(String) as string });
  const [asked, queued] = (await shell.paste(blocks.take('sh', 'outcomes'))).trim().split('\n');
  expect(JSON.parse(asked!)).toMatchObject({ outcome: 'failed', failureCode: 'took_too_long', takesSeconds: 2 });
  const { id } = JSON.parse(queued!) as { id: string };
  await eventually(
    async () =>
      expect((await fresh.api.get(`/v1/claim-reports/${id}`)).body).toMatchObject({ status: 'failed', failure: { code: 'took_too_long' } }),
    60_000,
  );
  const statuses = (await shell.paste(blocks.take('sh', 'test/answers'))).split('\n').filter(Boolean).slice(-3);
  expect(statuses).toEqual(['429', '429', '200']);
  expect(JSON.parse(blocks.take('json', '"deleted"'))).toEqual({ deleted: expect.any(Number) as number });
  expect(JSON.parse(await shell.paste(blocks.take('sh', 'test/reset')))).toEqual({ deleted: expect.any(Number) as number });
  expect((await fresh.api.get('/v1/claim-projects')).body).toMatchObject({ data: [] });
  expect(blocks.left).toEqual([]);
});
