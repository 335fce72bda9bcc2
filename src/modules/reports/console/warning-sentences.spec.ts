import { expect, it } from 'vitest';
import { inWording } from '../../../api/wording/spoken.js';
import { wordingOf } from '../../../api/wording/wording.js';
import { type Finding, warningOf } from '../engine/checks/findings.js';
import { someFindings } from '../outputs/fixtures/report.js';
import { sentenceOf as sentenceOfDocument } from '../outputs/wording/sentences.js';
import { sentenceOf } from './warning-sentences.js';

const DAYS = { start: '2026-02-03', end: '2026-02-03' };
const FINDINGS: Finding[] = [
  ...someFindings,
  { kind: 'no_statements', areThereAny: true },
  { kind: 'statements_outside_period', count: 3, days: DAYS },
  { kind: 'statements_not_ready', failed: 0, waiting: 2 },
  { kind: 'statements_not_ready', failed: 1, waiting: 0 },
  { kind: 'rate_missing', currency: 'CHF', count: 1, days: DAYS },
  { kind: 'claimed_by_several', count: 1, category: { code: '0042', name: '0042' }, other: { code: 'STAFF: MEALS', name: 'STAFF: MEALS' } },
  {
    kind: 'possible_duplicate',
    later: 'a',
    earlier: 'b',
    lines: [1, 2].map((line) => ({ later: line, earlier: 9 })),
    more: 0,
    once: false,
  },
  { kind: 'reading', statementIds: 'abcdefabc'.split(''), code: 'direction_unknown', message: 'Column 5: "a", and 3 more: b.' },
];

/** Pages name statements by their ids, and categories by their codes: both become links. */
const bare = (finding: Finding): Finding =>
  Object.fromEntries(
    Object.entries(finding).map(([name, value]) => [
      name,
      (value as { code?: string } | null)?.code ? { ...value, name: value.code } : value,
    ]),
  ) as unknown as Finding;

it.each(['de', 'fr', 'es', 'nl'])('a warning says in %s what documents say of its finding', (language) => {
  const wording = wordingOf(language);
  for (const finding of FINDINGS)
    expect(inWording(wording, () => sentenceOf(warningOf(finding)))).toBe(sentenceOfDocument(wording, (id) => id, bare(finding)));
});

it.each(['en-US', 'de'])('a warning that was worded otherwise is shown as it is in %s', (language) => {
  const message = 'Something is negative.';
  for (const code of ['negative_claim', 'something_new', 'toString'])
    expect(inWording(wordingOf(language), () => sentenceOf({ code, message }))).toBe(message);
});

it('a warning is as it is in English', () => {
  for (const finding of FINDINGS) expect(sentenceOf(warningOf(finding))).toBe(warningOf(finding).message);
});
