import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

interface Record {
  readonly documentOf: (text: string, record: object) => string;
}

it('the tables of docs/performance.md are those of the record that the benchmarks keep', async () => {
  const { documentOf } = (await import(pathToFileURL('test/bench/record.js').href)) as Record;
  const [text, record] = ['docs/performance.md', 'test/bench/record.json'].map((file) => readFileSync(file, 'utf8'));
  expect(text!.match(/<!-- record: /g)!.length).toBeGreaterThan(3);
  expect(documentOf(text!, JSON.parse(record!) as object)).toBe(text);
});
