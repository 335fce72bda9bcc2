import type { Readable, Writable } from 'node:stream';

const NEW_LINE = 10;

/** Passes on what a process writes, line by line: written by several processes to one pipe, long lines would be mixed up. */
export function passOnLines(from: Readable, to: Writable): void {
  let rest: Buffer[] = [];
  from.on('data', (chunk: Buffer) => {
    const end = chunk.lastIndexOf(NEW_LINE) + 1;
    if (end === 0) return void rest.push(chunk);
    to.write(Buffer.concat([...rest, chunk.subarray(0, end)]));
    rest = end < chunk.length ? [chunk.subarray(end)] : [];
  });
  from.once('end', () => {
    if (rest.length > 0) to.write(Buffer.concat(rest));
  });
}
