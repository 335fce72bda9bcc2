import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { allEntriesOf, entriesOf } from './zip-archive.js';

const LIMITS = { files: 10, unpackedBytes: 1024 * 1024 };
const zipped = (files: Record<string, string | Uint8Array>) =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)]))));

describe('an archive', () => {
  it('has its files with path, size and content, without folders', () => {
    const entries = entriesOf(zipped({ 'a/': '', 'a/b.txt': 'x'.repeat(100), 'é.txt': '' }), LIMITS);
    expect(entries.map(({ path, size, content }) => [path, size, content().toString()])).toEqual([
      ['a/b.txt', 100, 'x'.repeat(100)],
      ['é.txt', 0, ''],
    ]);
  });

  it('shows folders to those who ask, because a folder may have a content that nobody expects', () => {
    const archive = zipped({ 'a/': 'hidden' });
    expect(entriesOf(archive, LIMITS)).toEqual([]);
    expect(allEntriesOf(archive, LIMITS).map(({ path, size }) => [path, size])).toEqual([['a/', 6]]);
  });

  it('is refused before it is unpacked if it has too many files, or if they are too large together', () => {
    expect(() => entriesOf(zipped({ a: '', b: '', c: '' }), { ...LIMITS, files: 2 })).toThrow(
      expect.objectContaining({ code: 'archive_too_large' }),
    );
    const half = new Uint8Array(LIMITS.unpackedBytes / 2 + 1);
    expect(() => entriesOf(zipped({ a: half, b: half }), LIMITS)).toThrow(expect.objectContaining({ code: 'archive_too_large' }));
  });

  it('is refused while it is unpacked if a file is larger than it says, or damaged', () => {
    const archive = zipped({ a: 'x'.repeat(1000) });
    const size = archive.readUInt32LE(archive.length - 22 + 16) + 24;
    const lying = Buffer.from(archive);
    lying.writeUInt32LE(10, size);
    for (const broken of [lying, Buffer.from(archive).fill(1, 35, 38)])
      expect(() => entriesOf(broken, LIMITS)[0]!.content()).toThrow(expect.objectContaining({ code: 'invalid_archive' }));
  });

  it('knows which files are encrypted', () => {
    const archive = zipped({ a: 'x' });
    archive.writeUInt16LE(1, archive.readUInt32LE(archive.length - 22 + 16) + 8);
    expect(entriesOf(archive, LIMITS)[0]!.isEncrypted).toBe(true);
  });
});
