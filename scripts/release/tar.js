/** Archives whose bytes depend on nothing but names, modes and contents: no clock, no user, no order of a file system. */
import { gunzipSync, gzipSync } from 'node:zlib';

const BLOCK = 512;
/** What `npm pack` writes, too: Node cannot say later than when a file that has the time zero was changed. */
const CHANGED_AT = Date.UTC(1985, 9, 26, 8, 15) / 1000;
const [NAME_MAX, PREFIX_MAX] = [100, 155];
const FILE = '0';

/** A name of more than 100 bytes is in two fields, which a slash divides. */
function fieldsOf(name) {
  if (Buffer.byteLength(name) <= NAME_MAX) return { name, prefix: '' };
  const at = name.lastIndexOf('/', PREFIX_MAX);
  const fields = { name: name.slice(at + 1), prefix: name.slice(0, at) };
  if (at < 0 || Buffer.byteLength(fields.name) > NAME_MAX) throw new Error(`The path is too long for an archive: ${name}`);
  return fields;
}

function headerOf({ name: path, mode, content }) {
  const { name, prefix } = fieldsOf(path);
  const header = Buffer.alloc(BLOCK);
  const octal = (value, length) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  header.write(name, 0);
  header.write(octal(mode, 8) + octal(0, 8) + octal(0, 8) + octal(content.length, 12) + octal(CHANGED_AT, 12), 100);
  header.write('        ', 148);
  header.write(FILE, 156);
  header.write('ustar\x0000', 257);
  header.write(prefix, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** An archive (tar.gz) of `{ name, mode, content }`, in the order of their names. */
export function packed(files) {
  const sorted = files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const blocks = sorted.flatMap((file) => [headerOf(file), file.content, Buffer.alloc((BLOCK - (file.content.length % BLOCK)) % BLOCK)]);
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 });
}

/** The files of an archive as `name → content`. Refuses what could write outside of the folder into which it is unpacked. */
export function unpacked(archive) {
  const bytes = gunzipSync(archive);
  const files = new Map();
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0;) {
    const text = (from, length) => bytes.toString('utf8', at + from, at + from + length).replace(/\0[^]*$/, '');
    const name = [text(345, PREFIX_MAX), text(0, NAME_MAX)].filter(Boolean).join('/');
    const [size, type] = [Number.parseInt(text(124, 12), 8), text(156, 1)];
    if (type !== FILE) throw new Error(`${name} is not a file (type ${type})`);
    if (name.startsWith('/') || name.split('/').includes('..')) throw new Error(`${name} leads out of the archive`);
    if (files.has(name)) throw new Error(`${name} is there twice`);
    files.set(name, bytes.subarray(at + BLOCK, at + BLOCK + size));
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}
