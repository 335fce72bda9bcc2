import { describe, expect, it } from 'vitest';
import { BOOK, zipped } from '../formats/fixtures/xlsx.js';
import { MAX_FILE_BYTES } from '../../../../tools/bank-files/index.js';
import { membersIn } from './archive.js';

const shown = (file: Buffer) => membersIn(file)?.map(({ path, file: content }) => [path, content.toString()]);

describe('an archive of statements', () => {
  it('has its files, without what computers put beside them', () => {
    const archive = zipped({
      '2026/': '',
      '2026/january.csv': 'a',
      'b.sta': 'b',
      '__MACOSX/2026/._january.csv': 'x',
      '2026/.DS_Store': 'x',
    });
    expect(shown(archive)).toEqual([
      ['2026/january.csv', 'a'],
      ['b.sta', 'b'],
    ]);
  });

  it('is neither a workbook nor any other file', () => {
    for (const file of [BOOK, Buffer.from('Date,Description,Amount'), zipped({ mimetype: 'x', 'content.xml': 'x' })])
      expect(membersIn(file)).toBeNull();
  });

  it('may have workbooks, but no archives', () => {
    expect(membersIn(zipped({ 'a.xlsx': BOOK }))?.[0]?.file.equals(BOOK)).toBe(true);
    expect(() => membersIn(zipped({ 'a.csv': 'a', 'b.zip': zipped({ c: 'c' }) }))).toThrow('File 2 of the archive is an archive itself.');
    expect(() => membersIn(zipped({ 'a.csv': 'a', 'b.pdf': 'b' }))).toThrow(
      'File 2 of the archive is not what the ending of its name says.',
    );
  });

  it('is refused without files, with too many, or with one that is too large or encrypted', () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`${index}.csv`, 'x']));
    const encrypted = zipped({ 'a.csv': 'x' });
    encrypted.writeUInt16LE(1, encrypted.readUInt32LE(encrypted.length - 22 + 16) + 8);
    for (const [archive, why] of [
      [zipped({ 'a/': '' }), 'empty_file'],
      [zipped(many), 'too_many_files'],
      [zipped({ a: new Uint8Array(MAX_FILE_BYTES + 1) }), 'file_too_large'],
      [encrypted, 'encrypted_file'],
      [zipped({ 'a.csv': 'x' }).subarray(0, 60), 'incomplete_file'],
    ] as const)
      expect(() => membersIn(archive)).toThrow(expect.objectContaining({ why }));
  });
});
