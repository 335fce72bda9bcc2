import { describe, expect, it } from 'vitest';
import readAndRedact from '../../src/modules/statements/content/read-and-redact.computation.js';
import { piecesOf, TODAY } from '../../src/modules/statements/formats/fixtures/reading.js';
import { samples } from './corpus.js';

const INPUT = {
  options: TODAY,
  key: Buffer.alloc(32, 7),
  isRedacted: false,
  redactCounterparties: true,
  decisions: new Map(),
  account: null,
};
/** Accounts and addresses in the corpus. Not every name in a free text is found: see docs/bank-statements.md. */
const PERSONAL = /@|DE89370400440532013000|NL91ABNA0417164300|BE68539007547034|CH9300762011623852957/i;

const all = await samples();

describe('the statements of the corpus are redacted, with the texts of columns whose names are not known', () => {
  it.each(all.filter(({ expected }) => expected.lines))('$name', async ({ name, bytes, expected }) => {
    const texts: string[] = [];
    let count = 0;
    for await (const batch of readAndRedact({ ...INPUT, fileName: name }, piecesOf(bytes))) {
      count += batch.length;
      texts.push(JSON.stringify(batch));
    }
    expect(count).toBe(expected.lines!.length);
    expect(PERSONAL.test(texts.join('\n'))).toBe(false);
  });
});
