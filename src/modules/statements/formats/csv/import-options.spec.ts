import { describe, expect, it } from 'vitest';
import { bookingsOf, readAll } from '../fixtures/reading.js';
import type { ImportOptions } from '../statement-reader.js';

const read = (content: string, options: ImportOptions) => readAll(content, 'a.csv', undefined, options);
const codesOf = async (content: string, options: ImportOptions) => (await read(content, options)).warnings.map(({ code }) => code);

describe('the currency of an import', () => {
  const content = 'Date,Description,Amount,Currency\n2026-03-02,a,-1.00,\n2026-03-03,b,-2.00,USD\n';

  it('is that of the lines that name none; what the file names wins, with a warning', async () => {
    expect(bookingsOf(await read(content, { currency: 'EUR' }))).toEqual(['2026-03-02 -1.00 EUR', '2026-03-03 -2.00 USD']);
    expect(await codesOf(content, { currency: 'EUR' })).toEqual(['currency_differs']);
    expect(await codesOf(content, {})).toEqual(['currency_unknown']);
  });
});

describe('an inverted import', () => {
  const charges = 'Date,Description,Amount,Currency\n2026-03-02,Tea,1.00,EUR\n2026-03-03,Payment received - thank you,-2.00,EUR\n';

  it('reads amounts without a sign as money out, and those with a minus sign as money in', async () => {
    expect(bookingsOf(await read(charges, { isInverted: true }))).toEqual(['2026-03-02 -1.00 EUR', '2026-03-03 2.00 EUR']);
    expect(await codesOf(charges, { isInverted: true })).toEqual([]);
    expect(await codesOf(charges, {})).toEqual(['signs_may_be_inverted']);
  });

  it('is read the same if its header says already that it is inverted', async () => {
    const discover = 'Trans. Date,Post Date,Description,Amount,Category\n03/30/2026,03/31/2026,Tea,4.20,Food\n';
    expect(bookingsOf(await read(discover, {}))).toEqual(['2026-03-31 -4.20']);
    expect(bookingsOf(await read(discover, { isInverted: true }))).toEqual(['2026-03-31 -4.20']);
    expect(bookingsOf(await read(discover, { isInverted: false }))).toEqual(['2026-03-31 4.20']);
  });
});
