import { createPublicKey, verify } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { filesOf } from '../../../src/modules/reports/outputs/fixtures/evidence.js';
import { TEST_ENCRYPTION_KEY, type TestApp } from '../../support/app.js';
import { openClosings } from '../../support/closings.js';
import { GuideBlocks } from '../../support/guide-blocks.js';
import { GuideShell } from '../../support/guide-shell.js';
import { REPORTS } from '../../support/reports.js';
import { startWorking } from '../../support/statements.js';

const blocks = new GuideBlocks('claim-closing');

let app: TestApp;
let shell: GuideShell;
beforeAll(async () => {
  app = await startWorking();
  shell = await GuideShell.open({ DATABASE_URL: app.databaseUrl, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });
});
afterAll(async () => {
  await shell.close();
  await app.close();
});

it('a claim is reviewed as the guide says, and its pack is verified without the database', async () => {
  const { claim, taking, key, other } = await openClosings(app);
  const { report } = await claim();
  Object.assign(shell.variables, { CLAIMS_BASE_URL: app.url, CLAIMS_API_KEY: key, REPORT_ID: report.id });
  expect(await shell.paste(blocks.take('sh', 'state":"reviewed'))).toContain('"state":"reviewed"');
  await taking(report.id, 'approved', {}, other);
  const { pack } = await taking(report.id, 'final');
  const answer = await fetch(`${app.url}${REPORTS}/${report.id}/outputs/evidence`, { headers: { 'X-API-Key': key } });
  const content = Buffer.from(await answer.arrayBuffer());
  await mkdir(shell.folder, { recursive: true });
  await writeFile(join(shell.folder, 'claim.zip'), content);
  shell.variables.PUBLIC_KEY = pack!.publicKey;
  const printed = await shell.paste(blocks.take('sh', 'report verify'));
  const sample = blocks.take('text', 'signed by');
  const masked = (text: string): string =>
    text
      .trim()
      .replace(/signed by .+ with key [0-9a-f]{16}/, 'signed by …')
      .replace(/run [\w-]+…?\./, 'run ….');
  expect(masked(printed.split('\n').find((line) => line.startsWith('claim.zip'))!)).toBe(masked(sample));
  const { signed, signature, publicKey } = JSON.parse(filesOf(content).get('signature.json')!.toString()) as Record<string, string>;
  const spki = createPublicKey({ key: Buffer.from(publicKey!, 'base64'), format: 'der', type: 'spki' });
  expect(verify(null, Buffer.from(signed!), spki, Buffer.from(signature!, 'base64'))).toBe(true);
});

it('every block of the guide was run', () => {
  expect(blocks.left).toEqual([]);
});
