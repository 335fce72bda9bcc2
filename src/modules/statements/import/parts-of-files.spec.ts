import { expect, it } from 'vitest';
import { partsOf } from './import.service.js';

it('a part of a file that goes to a thread brings nothing of the rest along', () => {
  const parts = [...partsOf(Buffer.alloc(200_000, 'x'))];
  expect(parts.map(({ length }) => length)).toEqual([65_536, 65_536, 65_536, 3392]);
  for (const part of parts) expect(part.buffer.byteLength).toBe(part.length);
});
