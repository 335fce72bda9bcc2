import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { passOnLines } from './start-children.js';

it('passes on lines as a whole, however they arrive, and what has no end at the end', async () => {
  const [from, to] = [new PassThrough(), new PassThrough()];
  const written: string[] = [];
  to.on('data', (chunk: Buffer) => written.push(chunk.toString()));
  passOnLines(from, to);
  const euro = Buffer.from('€');
  for (const chunk of ['one', ' line\ntwo\nthr', euro.subarray(0, 1), euro.subarray(1), 'ee\n', 'the end']) from.write(chunk);
  from.end();
  await new Promise((resolve) => from.once('end', () => setImmediate(resolve)));
  expect(written).toEqual(['one line\ntwo\n', 'thr€ee\n', 'the end']);
});
