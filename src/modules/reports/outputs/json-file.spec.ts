import { describe, expect, it } from 'vitest';
import { listedLine, someLine, someReport, someResult } from './fixtures/report.js';
import { jsonFile } from './fixtures/files.js';

describe('a JSON file', () => {
  it('is the result, indented', async () => {
    expect((await jsonFile(someReport())).toString()).toBe(`${JSON.stringify(someResult, null, 2)}\n`);
  });

  it('has the lines, one per row, if the options ask for them', async () => {
    const lines = [someLine, { ...someLine, lineNumber: 2, description: 'Zürich "Süd" 💶' }];
    const text = (await jsonFile(someReport({ lines, options: { detail: 'lines' } }))).toString();
    expect(JSON.parse(text)).toEqual({
      ...someResult,
      lines: [listedLine, { ...listedLine, lineNumber: 2, description: 'Zürich "Süd" 💶' }],
    });
    expect(text.split('\n').filter((row) => row.includes('lineNumber'))).toHaveLength(2);
  });

  it('is valid without lines', async () => {
    expect(JSON.parse((await jsonFile(someReport({ options: { detail: 'lines' } }))).toString())).toEqual({ ...someResult, lines: [] });
  });

  it('shows the declared fields of a line and no others', async () => {
    const line = { fingerprint: 'not for others', ...someLine };
    const { lines } = JSON.parse((await jsonFile(someReport({ lines: [line], options: { detail: 'lines' } }))).toString()) as {
      lines: object[];
    };
    expect(lines).toEqual([listedLine]);
    expect(Object.keys(lines[0]!)).toEqual(Object.keys(listedLine));
  });

  it('leaves out uncategorised lines if the options say so, but not their sum', async () => {
    const read = JSON.parse(
      (
        await jsonFile(
          someReport({ lines: [someLine, { ...someLine, category: null }], options: { detail: 'lines', includeUncategorised: false } }),
        )
      ).toString(),
    ) as object;
    expect(read).toEqual({ ...someResult, lines: [listedLine] });
  });

  it('claims nothing of a line in another currency, which is not in the totals', async () => {
    const lines = [someLine, { ...someLine, currency: 'USD' }, { ...someLine, currency: null }];
    const read = JSON.parse((await jsonFile(someReport({ lines, options: { detail: 'lines' } }))).toString()) as { lines: object[] };
    expect(read.lines).toEqual([
      listedLine,
      { ...listedLine, currency: 'USD', claimable: null },
      { ...listedLine, currency: null, claimable: null },
    ]);
  });

  it('claims lines without a currency if the report has none', async () => {
    const report = someReport({
      lines: [{ ...someLine, currency: null }],
      result: { ...someResult, currency: null },
      options: { detail: 'lines' },
    });
    expect(JSON.parse((await jsonFile(report)).toString())).toMatchObject({ lines: [{ ...listedLine, currency: null }] });
  });
});
