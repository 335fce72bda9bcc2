import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { FileBytes } from './file-bytes.js';

const PARTS = ['Date,', 'Description', '', ',Amount\n'].map((text) => Buffer.from(text));
const WHOLE = PARTS.join('');

it.each([0, 5, WHOLE.length, 1000])('a file whose sender has announced %i bytes has all of its bytes and their hash', (announced) => {
  const bytes = new FileBytes(announced);
  for (const part of PARTS) bytes.add(part);
  const { content, sha256 } = bytes.taken();
  expect([content.toString(), bytes.size, sha256]).toEqual([WHOLE, WHOLE.length, createHash('sha256').update(WHOLE).digest('hex')]);
});

it('a file whose size was announced is in memory once', () => {
  const part = Buffer.alloc(64 * 1024, 'x');
  const before = process.memoryUsage().arrayBuffers;
  const bytes = new FileBytes(8 << 20);
  for (let added = 0; added < 8 << 20; added += part.length) bytes.add(part);
  expect(bytes.taken().content).toHaveLength(8 << 20);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(9 << 20);
});
