import { describe, expect, it } from 'vitest';
import { zipSync } from 'fflate';
import { MAX_RATES_FILE_BYTES, readRatesFile } from './read-file.js';

const read = (file: string | Buffer) => readRatesFile(Buffer.from(file)).map(({ day, currency, rate }) => `${day} ${currency} ${rate}`);
const zipped = (files: Readonly<Record<string, string | Uint8Array>>) =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)]))));

/** In the form of the bank's files. The rates are invented. */
const HISTORY = 'Date,USD,JPY,CYP,\n2026-03-31,1.0855,171.23,N/A,\n2026-03-30,1.0900,171.00,0.5842,\n';
const ONE_DAY = 'Date, USD, JPY, \n31 March 2026, 1.0855, 171.23, \n';
const XML = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
  <gesmes:subject>Reference rates</gesmes:subject>
  <gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>
  <Cube>
    <Cube time='2026-03-31'><Cube currency='USD' rate='1.0855'/><Cube currency='JPY' rate='171.23'/></Cube>
    <Cube time='2026-03-30'><Cube currency='USD' rate='1.0900'/></Cube>
  </Cube>
</gesmes:Envelope>`;

describe('a file of the European Central Bank', () => {
  it('is read as CSV with all days, without the currencies that were not quoted', () => {
    const rates = [
      '2026-03-31 USD 1.0855',
      '2026-03-31 JPY 171.23',
      '2026-03-30 USD 1.0900',
      '2026-03-30 JPY 171.00',
      '2026-03-30 CYP 0.5842',
    ];
    expect(read(HISTORY)).toEqual(rates);
    expect(read(`\ufeff${HISTORY.replaceAll('\n', '\r\n')}`)).toEqual(rates);
  });

  it('is read as CSV of one day, with the date in words', () => {
    expect(read(ONE_DAY)).toEqual(['2026-03-31 USD 1.0855', '2026-03-31 JPY 171.23']);
  });

  it('is read as XML of one or many days', () => {
    const rates = ['2026-03-31 USD 1.0855', '2026-03-31 JPY 171.23', '2026-03-30 USD 1.0900'];
    expect(read(XML)).toEqual(rates);
    expect(read(XML.replace(/<Cube time='2026-03-30'>.*\n/, ''))).toEqual(rates.slice(0, 2));
  });

  it('is read from a ZIP archive', () => {
    expect(read(zipped({ 'eurofxref-hist.csv': HISTORY }))).toHaveLength(5);
    expect(() => read(zipped({ 'a.csv': HISTORY, 'b.csv': HISTORY }))).toThrow('The archive must have one file.');
    expect(() => read(zipped({ 'a.csv': HISTORY }).subarray(0, 40))).toThrow('The archive is incomplete or damaged');
  });

  it.each([
    ['', /^Line 1 is not a heading/],
    ['Date\n', /^Line 1 is not a heading/],
    ['Currency,Rate\nUSD,1.08\n', /^Line 1 is not a heading/],
    ['Date,USD,USD\n2026-03-31,1,2\n', /^Line 1 has "USD" twice/],
    ['Date,Dollar\n2026-03-31,1\n', /^Line 2: "Dollar" is not the code of another currency than the euro/],
    ['Date,EUR\n2026-03-31,1\n', /^Line 2: "EUR" is not the code/],
    ['Date,USD,JPY\n2026-03-31,1.08\n', /^Line 2 has 1 rates for the 2 currencies/],
    ['Date,USD\n2026-03-31,1.08,5\n', /^Line 2 has 2 rates for the 1 currencies/],
    ['Date,USD\n2026-02-30,1.08\n', /^Line 2: "2026-02-30" is not an existing date/],
    ['Date,USD\n31.03.2026,1.08\n', /^Line 2: "31.03.2026" is not an existing date/],
    ['Date,USD\n2026-03-31,0.000\n', /^Line 2: "0.000" is not a rate/],
    ['Date,USD\n2026-03-31,-1.08\n', /^Line 2: "-1.08" is not a rate/],
    ['Date,USD\n2026-03-31,1.08\n2026-03-31,1.09\n', /^Line 3: USD has two rates for 2026-03-31, 1.08 and 1.09/],
    ['Date,USD\n2026-03-31,N/A\n', /^The file has no rates/],
    ['<a>', /^The file is not well-formed XML/],
    ['<a/>', /^The file has no rates/],
    [XML.slice(0, -20), /^The file is not well-formed XML/],
    [XML.replace("time='2026-03-31'", ''), /^Day 1: "" is not an existing date/],
    [XML.replace("rate='1.0855'", "rate='1,0855'"), /^Day 1: "1,0855" is not a rate/],
    // Entities of parameters ended in a stack trace.
    ['<!DOCTYPE x [<!ENTITY a "1"><!ENTITY % b SYSTEM "file:///etc/passwd">]><Envelope/>', /^The file declares a document type/],
    [`<a>${'<b>'.repeat(5_000)}`, /^The file is not well-formed XML/],
    [`Date,USD\n${'x'.repeat(100)},1\n`, /^Line 2: "x{40}…" is not an existing date/],
  ])('that is wrong is refused with the place: %j', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  it('is refused if it is no text in UTF-8, or too large', () => {
    expect(() => read(Buffer.from([0x44, 0xff]))).toThrow('The file is not a text in UTF-8.');
    expect(() => read(Buffer.alloc(MAX_RATES_FILE_BYTES + 1, 'x'))).toThrow('The file is larger than 32 MiB.');
    expect(() => read(zipped({ 'a.csv': new Uint8Array(MAX_RATES_FILE_BYTES + 1) }))).toThrow('The file is larger than 32 MiB.');
  });
});
