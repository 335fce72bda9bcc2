import { expect, it } from 'vitest';
import { once } from '../../../../tools/bank-files/fixtures/pieces.js';
import { JobFailure } from '../../../kernel/failure.js';
import { readAll } from './fixtures/reading.js';
import { zipped } from './fixtures/xlsx.js';
import { textsOf } from './texts.js';

async function expectFailure(work: Promise<unknown>, code: string): Promise<void> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(JobFailure);
  expect(error).toMatchObject({ code });
}

it('a file whose text cannot be read fails as a job does, so that the reader of an extension knows the error', async () => {
  await expectFailure(textsOf(once(Buffer.from('<?xml version="1.0" encoding="x-nothing"?>'))).next(), 'encoding_not_supported');
});

it.each([
  ['XML with a DTD', '<!DOCTYPE Document><Document/>', 'dtd_not_allowed'],
  ['a damaged PDF', '%PDF-1.7 and nothing more', 'invalid_pdf'],
  ['a damaged workbook', zipped({ 'xl/workbook.xml': Buffer.from('<') }), 'invalid_markup'],
  ['a statement without a date', ':20:X\n:25:1\n:61:259999C1,\n', 'invalid_date'],
])('%s fails as a job does', async (_what, file, code) => {
  await expectFailure(readAll(file), code);
});
