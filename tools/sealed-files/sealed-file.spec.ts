import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DATA_KEY_BYTES, seal, unseal } from './sealed-file.js';

const KEY = randomBytes(DATA_KEY_BYTES);
const FILE = 'organization/test/kind/file';

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield Promise.resolve(bytes.subarray(start, start + size));
}
const opened = (bytes: Uint8Array, { size = 1000, key = KEY, file = FILE } = {}): Promise<Buffer[]> =>
  collected(unseal(inPieces(bytes, size), key, file));
async function collected<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}
const sealed = async (...parts: string[]): Promise<Buffer> =>
  Buffer.concat(
    await seal(
      parts.map((part) => Buffer.from(part)),
      KEY,
      FILE,
    ),
  );

describe('a sealed file', () => {
  it('is read as it was written, in the same parts, in whatever pieces it arrives', async () => {
    const parts = fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(parts, fc.integer({ min: 1, max: 400 }), async (written, size) => {
        const bytes = Buffer.concat(await seal(written, KEY, FILE));
        expect((await opened(bytes, { size })).map((part) => [...part])).toEqual(written.map((part) => [...part]));
      }),
      { numRuns: 50 },
    );
  });

  it('may be empty', async () => {
    expect(Buffer.concat(await opened(Buffer.concat(await seal([], KEY, FILE))))).toHaveLength(0);
  });

  it('shows nothing of its content', async () => {
    expect((await sealed('Jane Example', 'Jane Example')).includes('Jane')).toBe(false);
  });

  it('is refused if anything of it was changed', async () => {
    const bytes = await sealed('one', 'two');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      await expect(opened(changed), `bit ${bit}`).rejects.toThrow();
    }
  });

  it('is refused if it was cut off, also between two parts, or if its parts are in another order', async () => {
    const bytes = await sealed('one', 'two', 'six');
    for (let length = 0; length < bytes.length; length += 1)
      await expect(opened(bytes.subarray(0, length)), `${length} bytes`).rejects.toThrow();
    const part = (bytes.length - 1) / 3;
    const [first, second, last] = [0, 1, 2].map((index) => bytes.subarray(1 + index * part, 1 + (index + 1) * part));
    await expect(opened(Buffer.concat([bytes.subarray(0, 1), second!, first!, last!]))).rejects.toThrow();
    await expect(opened(Buffer.concat([bytes.subarray(0, 1), first!, last!]))).rejects.toThrow();
  });

  it('is refused under another name or key', async () => {
    const bytes = await sealed('one');
    await expect(opened(bytes, { file: 'organization/live/kind/file' })).rejects.toThrow();
    await expect(opened(bytes, { key: randomBytes(DATA_KEY_BYTES) })).rejects.toThrow();
  });
});
