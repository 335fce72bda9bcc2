import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JobFailure } from '../../../kernel/failure.js';
import { MAX_FILE_BYTES } from '../../../../tools/bank-files/index.js';
import { MAX_LINES, readStatement } from './read-statement.js';
import * as camt from './fixtures/camt.js';
import * as csv from './fixtures/csv.js';
import * as mt940 from './fixtures/mt940.js';
import * as ofx from './fixtures/ofx.js';
import * as qif from './fixtures/qif.js';
import { piecesOf } from '../../../../tools/bank-files/fixtures/pieces.js';
import { readAll, TODAY, type Read } from './fixtures/reading.js';

const FIXTURES = Object.entries({ ...csv, ...ofx, ...mt940, ...camt, ...qif });

/** What is read, or the failure. Any other error is rethrown. */
async function outcomeOf(content: string | Uint8Array, pieceSize?: number): Promise<Read | { code: string; message: string }> {
  try {
    return await readAll(content, 'statement', pieceSize);
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    return { code: error.code, message: error.message };
  }
}

describe('a statement', () => {
  it('is read the same however its bytes are split into pieces', async () => {
    for (const [, content] of FIXTURES) expect(await outcomeOf(content, 1)).toEqual(await readAll(content));
  });

  it('is read the same with a byte order mark, in UTF-16, with other line ends, and in Latin-1 if it has no euro sign', async () => {
    for (const [name, content] of FIXTURES) {
      const { lines } = await readAll(content);
      const undeclared = content.replace(' encoding="UTF-8"', '');
      const utf16 = Buffer.from(`\ufeff${undeclared}`, 'utf16le');
      const variants: (string | Uint8Array)[] = [`\ufeff${content}`, content.replaceAll('\n', '\r\n'), utf16, Buffer.from(utf16).swap16()];
      // The euro sign is a different byte in each single-byte encoding.
      if (!/[€]/.test(content)) variants.push(Buffer.from(undeclared, 'latin1'));
      for (const variant of variants) expect((await readAll(variant)).lines, name).toEqual(lines);
    }
  });

  it('is read in the encoding that its XML declares', async () => {
    const latin = Buffer.from(camt.CAMT_2.replace('UTF-8', 'ISO-8859-1'), 'latin1');
    expect((await readAll(latin)).lines[1]!.counterparty).toBe('Tom & Töchter');
    await expect(readAll(camt.CAMT_2.replace('UTF-8', 'EBCDIC-17'))).rejects.toMatchObject({ code: 'encoding_not_supported' });
  });

  it('is read in Windows-1252 even if its first non-ASCII letter comes late', async () => {
    const content = `Date,Description,Amount\n${'2024-01-31,plain,1.50\n'.repeat(4000)}2024-01-31,Café,1.50\n`;
    expect((await readAll(Buffer.from(content, 'latin1'))).lines.at(-1)!.description).toBe('Café');
    expect((await readAll(content)).lines.at(-1)!.description).toBe('Café');
    expect((await readAll(Buffer.from(content, 'latin1'), 'a', content.length)).lines.at(-1)!.description).toBe('Café');
  });

  it('is returned in batches, before all of it has arrived', async () => {
    let taken = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('Date,Description,Amount\n');
      for (;;) {
        taken += 1;
        yield await Promise.resolve(Buffer.from('2024-01-31,x,1.50\n'.repeat(1000)));
      }
    }
    const { lines } = await readStatement(endless(), 'a.csv', TODAY);
    for await (const batch of lines) {
      expect(batch.length).toBeGreaterThan(100);
      break;
    }
    expect(taken).toBeLessThan(100);
  });

  it('closes its source, whether it is read, abandoned or refused', async () => {
    for (const content of [csv.PLAIN, '%PDF-1.7', `${csv.PLAIN}soon,x,1\n`]) {
      let isClosed = false;
      async function* source(): AsyncGenerator<Uint8Array> {
        try {
          yield* piecesOf(Buffer.from(content), 10);
        } finally {
          isClosed = true;
        }
      }
      await readStatement(source(), 'a', TODAY)
        .then(async ({ lines }) => {
          for await (const _batch of lines) break;
        })
        .catch(() => undefined);
      expect(isClosed).toBe(true);
    }
  });

  it('fails with the error of its source, and not as a bad file', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.alloc(70_000, 'Date,Description,Amount\n2024-01-31,x,1.50\n'));
      throw new Error('connection lost');
    }
    const read = async (): Promise<void> => {
      for await (const _batch of (await readStatement(broken(), 'a', TODAY)).lines);
    };
    await expect(read()).rejects.toThrow('connection lost');
  });
});

describe('an unreadable file is refused', () => {
  it.each([
    ['empty_file', ''],
    ['empty_file', ' \r\n\t'],
    ['empty_file', '\ufeff'],
    ['invalid_pdf', '%PDF-1.7'],
    ['format_not_supported', '{\\rtf1 Dear all'],
    ['incomplete_file', 'PK\x03\x04'],
    ['format_not_supported', '!Type:Invst\nD1/2/24\n^\n'],
    ['dtd_not_allowed', '<!DOCTYPE x [<!ENTITY a "b">]><Document/>'],
    ['format_unknown', '<html><body>Log in</body></html>'],
    ['format_unknown', '<!DOCTYPE html><html>'],
    ['format_unknown', 'Dear all, the bank is closed.'],
    ['format_unknown', '{"a":1}'],
    ['format_unknown', 'a\0b'],
  ])('as %s', async (code, content) => {
    await expect(readAll(content)).rejects.toMatchObject({ code });
  });

  it('as too large, before it is read to its end', async () => {
    const rows = Buffer.from(`${'x'.repeat(1000)}\n`.repeat(1000));
    let taken = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(mt940.FREE.slice(0, mt940.FREE.indexOf(':62F:')));
      for (;;)
        for await (const piece of piecesOf(rows)) {
          taken += piece.length;
          yield piece;
        }
    }
    const { lines } = await readStatement(endless(), 'a.sta', TODAY);
    await expect(
      (async () => {
        for await (const _batch of lines);
      })(),
    ).rejects.toMatchObject({ code: 'file_too_large' });
    expect(taken).toBeLessThan(MAX_FILE_BYTES + 100_000);
  });

  it('as having too many lines', async () => {
    await expect(readAll(`:20:X\n:25:1\n${':61:240131C1,\n'.repeat(MAX_LINES + 1)}`)).rejects.toMatchObject({ code: 'too_many_lines' });
  });
});

describe('any content is either read or fails with a code:', () => {
  const check = async (content: string | Uint8Array): Promise<void> => {
    const outcome = await outcomeOf(content);
    if ('code' in outcome) return;
    for (const { lineNumber, bookedOn, amount } of outcome.lines) {
      expect(lineNumber).toBeGreaterThan(0);
      expect(bookedOn).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(amount).toMatch(/^-?\d{1,16}\.\d{2,17}$/);
    }
  };

  it('random bytes', async () => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), check), { numRuns: 300 });
  });

  it('a statement cut at any place; if the format has an end mark, no cut goes unnoticed', async () => {
    for (const [name, content] of FIXTURES) {
      const { format, lines } = await readAll(content);
      for (let end = 0; end < content.length; end += 7) {
        await check(content.slice(0, end));
        // MT940 and CSV have no end mark, so a missing last message or row goes unnoticed.
        const outcome = await outcomeOf(content.slice(0, end));
        if (/^(ofx|camt)/.test(format) && 'lines' in outcome) expect(outcome.lines, name).toEqual(lines);
      }
    }
  });

  it('a statement with changed, removed or inserted bytes', async () => {
    const pieces = fc.oneof(
      fc.uint8Array({ maxLength: 3 }),
      fc
        .constantFrom(
          '<',
          '>',
          '</',
          '"',
          ';',
          ',',
          '\n',
          '\0',
          '-',
          '0',
          ':61:',
          ':86:',
          '<Ntry>',
          '</Stmt>',
          '<STMTTRN>',
          '<![CDATA[',
          '<!--',
          '__proto__',
        )
        .map((text) => Buffer.from(text)),
    );
    const changes = fc.array(fc.record({ at: fc.nat(), removed: fc.nat({ max: 6 }), put: pieces }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...FIXTURES), changes, async ([, content], all) => {
        let bytes = Buffer.from(content);
        for (const { at, removed, put } of all) {
          const place = at % bytes.length;
          bytes = Buffer.concat([bytes.subarray(0, place), put, bytes.subarray(place + removed)]);
        }
        await check(bytes);
      }),
      { numRuns: 500 },
    );
  });

  it('damaged statements, whose failures repeat nothing from the file', async () => {
    const words = /Kranz|Bloem|Linde|Müllerberg|Tulpen|DE\d{20}|NL\d\d[A-Z]{4}/;
    for (const [, content] of FIXTURES) {
      for (let at = 0; at < content.length; at += 11) {
        const outcome = await outcomeOf(`${content.slice(0, at)}#9,9.9"${content.slice(at + 3)}`);
        if ('code' in outcome) expect(outcome.message).not.toMatch(words);
      }
    }
  });
});

describe('balances that the lines do not lead to', () => {
  const DOES_NOT_TIE = /do not lead from the opening to the closing balance/;
  it.each([
    ['an MT940', mt940.DUTCH],
    ['a CAMT.053', camt.CAMT_2],
  ])('are a warning in %s', async (_name, content) => {
    const changed = content.replace(/(:61:.*?[CD]R?)\d+,\d+/, '$11,23').replace(/(<Ntry><Amt Ccy="EUR">)[\d.]+/, '$11.23');
    const codes = async (file: string) => (await readAll(file)).warnings.map(({ code }) => code);
    expect(await codes(content)).not.toContain('balances_do_not_tie');
    const { warnings } = await readAll(changed);
    expect(warnings).toContainEqual({ code: 'balances_do_not_tie', message: expect.stringMatching(DOES_NOT_TIE) as string });
  });
});
