import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LAYOUT_WORDS } from '../../tools/bank-tables/index.js';
import { parseLayout } from '../../src/modules/statements/formats/csv/layouts/written-layout.js';
import { bookingsOf, codesOf, readAll } from '../../src/modules/statements/formats/fixtures/reading.js';

const page = readFileSync(new URL('../../docs/bank-statements.md', import.meta.url), 'utf8');
const blockAfter = (mark: string): string => new RegExp(`<!-- ${mark} -->\n\`\`\`\\w+\n([^]*?)\`\`\``).exec(page)![1]!;

it('the layout in the documentation reads the file beside it', async () => {
  const layout = parseLayout(blockAfter('layout example'));
  const read = await readAll(blockAfter('file of the layout example'), 'a.csv', undefined, { layout });
  expect(bookingsOf(read)).toEqual(['2026-04-03 -12.50 EUR', '2026-04-04 100.00 EUR']);
  expect(read.lines[0]).toMatchObject({ description: 'Example Books', counterpartyAddress: 'Berlin' });
  expect(codesOf(read)).toEqual([]);
});

it('the documentation names everything that a column can be', () => {
  const [, words = ''] = /<!-- meanings of columns -->([^]*?)<!-- end -->/.exec(page) ?? [];
  expect([...words.matchAll(/`(\w+)`/g)].map(([, word]) => word)).toEqual(LAYOUT_WORDS);
});
