import { describe, expect, it } from 'vitest';
import type { Finding } from '../engine/checks/findings.js';
import { pdfFile, xlsxFile } from './fixtures/files.js';
import { textsOfPdf } from './fixtures/pdf-text.js';
import { someFindings, someReport, someResult } from './fixtures/report.js';
import { sheetsOf } from './fixtures/workbook.js';
import { namesOf, sentenceOf } from './wording/sentences.js';
import { wordingOf } from '../../../api/wording/wording.js';

const KINDS: readonly Finding['kind'][] = [
  'no_statements',
  'statements_of_other_projects',
  'statements_outside_period',
  'statements_not_ready',
];
const none = { count: 0, gross: '0.00', refunds: '0.00', net: '0.00', claimable: '0.00', uncategorised: '0.00' };
const empty = (locale: string) =>
  someReport({
    options: { locale },
    statements: [],
    findings: [...KINDS.map((kind) => someFindings.find((finding) => finding.kind === kind)!), { kind: 'no_categories' }],
    result: {
      ...someResult,
      totals: none,
      categories: [],
      months: [],
      statements: [],
      controls: [],
      otherCurrencies: [],
      warnings: [{ code: 'no_statements', message: 'No bank statement was read.' }],
    },
  });
const sentencesIn = (locale: string) =>
  empty(locale)
    .findings.slice(0, KINDS.length)
    .map((finding) => sentenceOf(wordingOf(locale), namesOf([]), finding));
const plain = (text: string): string => text.replace(/\s+/g, '');

describe.each(['en-GB', 'en-US', 'de', 'fr', 'es', 'nl'])('the files of a report that read no statement, in %s', (locale) => {
  it('say on the first page of the PDF, before any amount, that the claim is none and where statements are', async () => {
    const [cover] = textsOfPdf(await pdfFile(empty(locale)));
    const text = plain(cover!.map((one) => one.text).join(''));
    const places = sentencesIn(locale).map((sentence) => text.indexOf(plain(sentence)));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(text).not.toContain('0.00');
  });

  it('say it on the first sheet of the workbook, above the amount', async () => {
    const [first] = [...sheetsOf(await xlsxFile(empty(locale))).values()];
    expect([2, 3, 4, 5].map((row) => first![`A${row}`]?.value)).toEqual(sentencesIn(locale));
    expect(first!.B7).toMatchObject({ kind: 'number', value: '0.00' });
  });
});

it('the warnings of a report with lines stay where they were', async () => {
  const [cover] = textsOfPdf(await pdfFile(someReport({ options: { locale: 'en-GB' } })));
  expect(cover!.map(({ text }) => text).join(' ')).not.toContain('No bank statement was read');
});
