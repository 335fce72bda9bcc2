import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { pagesOf, unmarkedOperatorsOf } from '../fixtures/pdf-text.js';
import { someAbout, someLine, someReport } from '../fixtures/report.js';
import { pdfFile } from '../fixtures/files.js';

const title = 'Harbour & Finch <2026>';
const report = (more: Parameters<typeof someReport>[0] = {}) =>
  someReport({ about: { ...someAbout, configuration: title }, lines: [someLine], options: { locale: 'nl' }, ...more });
const textOf = async (more?: Parameters<typeof someReport>[0]) => (await pdfFile(report(more))).toString('latin1');

describe('a PDF for archives and screen readers', () => {
  it('declares PDF/A-2b, with title and time in its metadata as in its information', async () => {
    const text = await textOf();
    const metadata = Buffer.from(/\/Subtype \/XML[^]*?stream\n([^]*?)\nendstream/.exec(text)![1]!, 'latin1').toString();
    const found = JSON.stringify(new XMLParser({ removeNSPrefix: true, parseTagValue: false }).parse(metadata));
    expect(found).toContain('"part":"2","conformance":"B"');
    expect(found).toContain('"CreateDate":"2026-07-03T09:41:27Z"');
    expect(found).toContain('Overzicht van gedeclareerde kosten \u2013 Harbour & Finch <2026>');
    expect(text).toContain('(D:20260703094127Z)');
    expect(text).toMatch(/\/OutputIntents \[\d+ 0 R\]/);
    expect(text).not.toContain('/Encrypt');
  });

  it('embeds its fonts, and uses no others', async () => {
    const text = await textOf();
    expect([...text.matchAll(/\/Type \/FontDescriptor/g)]).toHaveLength(2);
    expect([...text.matchAll(/\/FontFile2/g)]).toHaveLength(2);
    expect(text).not.toContain('/Type1');
  });

  it('has a language, a structure of headings, paragraphs, tables and lists, and a text for its chart', async () => {
    const text = await textOf();
    expect(text).toContain('/Lang (nl)');
    expect(text).toContain('/Marked true');
    expect(text).toContain('/DisplayDocTitle true');
    for (const type of ['Document', 'H1', 'H2', 'H3', 'P', 'Table', 'TR', 'TH', 'TD', 'L', 'LI', 'Lbl', 'LBody', 'Figure'])
      expect(text).toMatch(new RegExp(`/S /${type}\\n`));
    expect(await textOf({ options: { locale: 'en-GB' } })).toContain('/Alt (Bar chart of the amount claimed');
  });

  it('marks all that it draws as content or as decoration', async () => {
    const pages = pagesOf(await pdfFile(report()));
    expect(pages.length).toBeGreaterThan(4);
    for (const page of pages) {
      expect(unmarkedOperatorsOf(page)).toEqual([]);
      expect(page.match(/ (BDC|BMC)$/gm)).toHaveLength(page.match(/^EMC$/gm)!.length);
    }
  });

  it('has the same bytes for the same run, and others for another run or time', async () => {
    const first = await textOf();
    expect(await textOf()).toBe(first);
    expect(await textOf({ about: { ...someAbout, configuration: title, startedAt: '2026-07-03T09:41:28.000Z' } })).not.toBe(first);
    expect(await textOf({ about: { ...someAbout, configuration: title, runId: someReport().result.statements[0]!.id } })).not.toBe(first);
  });
});
