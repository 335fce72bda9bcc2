import { describe, expect, it } from 'vitest';
import { JobFailure } from '../../src/kernel/failure.js';
import { readAll } from '../../src/modules/statements/formats/fixtures/reading.js';
import { samples } from './corpus.js';
import { isNeverWrongSilently, readOrRefused } from './mutants.js';

const proven = (await samples()).filter(({ name, expected }) => expected.lines && /\.(cod|n43|bai)$/.test(name));
/** Neither bookings nor counted: a communication of the bank to all. */
const FREE = /^4 /;

const codeOf = (content: string, name: string): Promise<string> =>
  readAll(content, name).then(
    () => 'read',
    (error: unknown) => (error instanceof JobFailure ? error.code : String(error)),
  );

describe('a format with control totals', () => {
  it('has a sample each', () => expect(proven).toHaveLength(3));

  it.each(proven)('is refused without any of its records, or with one twice: $name', async ({ name, bytes }) => {
    const lines = bytes.toString().trimEnd().split('\n');
    for (const [index, line] of lines.entries()) {
      if (FREE.test(line)) continue;
      expect(await codeOf(lines.toSpliced(index, 1).join('\n'), name), `line ${index + 1} missing`).not.toBe('read');
      expect(await codeOf(lines.toSpliced(index, 0, line).join('\n'), name), `line ${index + 1} twice`).not.toBe('read');
    }
  });

  it.each(proven)('is refused if the file ends anywhere before its last record: $name', async ({ name, bytes }) => {
    const text = bytes.toString();
    const last = text.trimEnd().lastIndexOf('\n');
    for (let end = text.indexOf('\n', text.indexOf('\n') + 1); end < last; end += 7)
      expect(await codeOf(text.slice(0, end), name), `cut after ${end} characters`).not.toBe('read');
  });

  it.each(proven)('never has other sums without a warning when a character is changed: $name', async ({ name, bytes }) => {
    const text = bytes.toString();
    const whole = await readAll(text, name);
    for (let at = 0; at < text.length; at += 1) {
      if (/\s/.test(text[at]!)) continue;
      const changed = text.slice(0, at) + (text[at] === '1' ? '2' : '1') + text.slice(at + 1);
      expect(isNeverWrongSilently(await readOrRefused(changed, name), whole), `character ${at + 1} changed`).toBe(true);
    }
  });
});
