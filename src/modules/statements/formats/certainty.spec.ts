import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { certaintyOf, DOUBTS } from './certainty.js';

const SAID: Readonly<Record<string, string>> = { always: 'always', 'unless proven': 'unproven', no: 'never' };

it('the documentation says of each warning whether it makes a statement doubtful', () => {
  const page = readFileSync(new URL('../../../../docs/bank-statements.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| .* \| (always|unless proven|no) \|$/gm)].map(
    ([, code, said]) => [code, SAID[said!]] as const,
  );
  expect(Object.fromEntries(rows.filter(([code]) => code !== 'more_warnings'))).toEqual(DOUBTS);
});

it.each([
  [[], true, 'proven'],
  [[], false, 'plausible'],
  [['not_booked'], false, 'plausible'],
  [['interim_report'], true, 'plausible'],
  [['status_unknown'], true, 'proven'],
  [['status_unknown'], false, 'doubtful'],
  [['unlikely_year'], true, 'doubtful'],
  [['of_an_extension'], false, 'doubtful'],
] as const)('with %j, and proven: %s, it is %s', (codes, isProven, certainty) => {
  expect(
    certaintyOf(
      codes.map((code) => ({ code, message: '' })),
      isProven,
    ),
  ).toBe(certainty);
});
