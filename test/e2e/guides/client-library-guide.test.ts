import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { GuideBlocks } from '../../support/guide-blocks.js';

const run = promisify(execFile);
const blocks = new GuideBlocks('client-library');

// test/compatibility/readme.test.ts compiles these in strict mode.
blocks.takeAll('ts');
// test/client/oauth-store.test.ts runs these.
blocks.takeAll('sql');

it('the commands make the package whose file they install', async () => {
  const [pack, install] = blocks.take('sh', 'npm pack').trim().split('\n');
  const { stdout } = await run('sh', ['-c', `${pack} --dry-run --json --ignore-scripts`]);
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  expect(install).toBe(`npm install ./${filename}`);
});

it('every block was run or read', () => {
  expect(blocks.left).toEqual([]);
});
