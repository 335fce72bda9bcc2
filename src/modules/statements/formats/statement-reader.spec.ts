import { expect, it } from 'vitest';
import { STATEMENT_FORMATS } from './statement-reading.js';
import { declareStatementReader, statementFormats } from './statement-reader.js';

it.each([
  ['csv', 'exists already'],
  ['Toy Bank', 'no name of a format'],
])('a reader for the format %s is not declared: it %s', (format, message) => {
  const reader = { format, recognizes: () => true, read: () => ({ lines: none(), balances: () => [], period: () => null }) };
  expect(() => declareStatementReader(import.meta.url, reader)).toThrow(message);
  expect(statementFormats()).toHaveLength(STATEMENT_FORMATS.length);
});

async function* none(): AsyncGenerator<never> {}
