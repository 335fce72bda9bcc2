import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { GuideBlocks } from '../../support/guide-blocks.js';

const RUN = [
  'cost-centres/period-rules',
  'project-fields/project-fields',
  'project-fields/index-project-fields',
  'relations/main-vendors',
  'all-fields/project-weeks',
  'hidden-rates/hidden-rates',
];

// test/e2e/guides/extending-guide.test.ts checks their types.
it('tests of test/extended run every block', async () => {
  const blocks = new GuideBlocks('extending-hooks');
  for (const name of RUN) {
    const code = await readFile(`test/extended/${name}.ts`, 'utf8');
    expect(blocks.take('ts')).toBe(code.replace('../../../src/extension-api.js', '../../extension-api.js'));
  }
  expect(blocks.left).toEqual([]);
});
