import { describe, expect, it } from 'vitest';
import { zipped } from '../fixtures/xlsx.js';
import { MAX_UNPACKED_BYTES } from '../limits.js';
import { entriesOf } from './zip-archive.js';

describe('an archive', () => {
  it('has its files with path, size and content, without folders', () => {
    const entries = entriesOf(zipped({ 'a/': '', 'a/b.txt': 'x'.repeat(100), 'é.txt': '' }), 10);
    expect(entries.map(({ path, size, content }) => [path, size, content().toString()])).toEqual([
      ['a/b.txt', 100, 'x'.repeat(100)],
      ['é.txt', 0, ''],
    ]);
  });

  it('is refused before it is unpacked if it has too many files, or if they are too large together', () => {
    expect(() => entriesOf(zipped({ a: '', b: '', c: '' }), 2)).toThrow(expect.objectContaining({ code: 'archive_too_large' }));
    const half = new Uint8Array(MAX_UNPACKED_BYTES / 2 + 1);
    expect(() => entriesOf(zipped({ a: half, b: half }), 10)).toThrow(expect.objectContaining({ code: 'archive_too_large' }));
  });

  it('is refused while it is unpacked if a file is larger than it says, or damaged', () => {
    const archive = zipped({ a: 'x'.repeat(1000) });
    const size = archive.readUInt32LE(archive.length - 22 + 16) + 24;
    const lying = Buffer.from(archive);
    lying.writeUInt32LE(10, size);
    for (const broken of [lying, Buffer.from(archive).fill(1, 35, 38)])
      expect(() => entriesOf(broken, 10)[0]!.content()).toThrow(expect.objectContaining({ code: 'invalid_archive' }));
  });

  it('knows which files are encrypted', () => {
    const archive = zipped({ a: 'x' });
    archive.writeUInt16LE(1, archive.readUInt32LE(archive.length - 22 + 16) + 8);
    expect(entriesOf(archive, 10)[0]!.isEncrypted).toBe(true);
  });
});
