import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, isIPv4, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PORT = 53;
const [TYPE_A, TYPE_CNAME] = [1, 5];
const [NO_ERROR, NO_SUCH_NAME] = [0, 3];
/** What an answer by UDP may have without extensions. A longer one is asked for by TCP. */
const MAX_UDP_BYTES = 512;
const [RESPONSE, RECURSION, TRUNCATED] = [0x8000, 0x0180, 0x0200];

/** The addresses of a name, the name that it stands for, or nothing at all: the resolver stays silent. */
export type Told = readonly string[] | { readonly alias: string } | 'silence';

/** Only root may give a process a resolver of its own: it mounts a file over /etc/resolv.conf, and listens at port 53. */
export const canLie = (): boolean => process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;

/** A name server that tells processes what a test wants. Names that it does not know do not exist. */
export class LyingDns {
  /** By name, in lower case. A function is asked with each look-up, by how often the name was looked up before. */
  readonly names = new Map<string, Told | ((before: number) => Told)>();
  /** How often each name was looked up. */
  readonly asked = new Map<string, number>();
  private readonly folder = mkdtempSync(join(tmpdir(), 'claims-dns-'));

  static async start(): Promise<LyingDns> {
    // Port 53 at an address of its own, so that several can run.
    const address = `127.53.${randomInt(1, 255)}.${randomInt(1, 255)}`;
    const [udp, tcp] = [createSocket('udp4'), createServer()];
    const dns = new LyingDns(udp, tcp);
    writeFileSync(join(dns.folder, 'resolv.conf'), `nameserver ${address}\n`);
    udp.bind(PORT, address);
    tcp.listen(PORT, address);
    await Promise.all([once(udp, 'listening'), once(tcp, 'listening')]);
    return dns;
  }

  private constructor(
    private readonly udp: Socket,
    private readonly tcp: Server,
  ) {
    udp.on('message', (query, { port, address }) => {
      const answer = this.answerTo(query, MAX_UDP_BYTES);
      if (answer) udp.send(answer, port, address);
    });
    tcp.on('connection', (socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (chunk: Buffer) => {
        for (let at = 0; at + 2 <= chunk.length; at += 2 + chunk.readUInt16BE(at)) {
          const answer = this.answerTo(chunk.subarray(at + 2, at + 2 + chunk.readUInt16BE(at)), Infinity);
          if (answer) socket.write(Buffer.concat([numbers(answer.length), answer]));
        }
      });
    });
  }

  /** A command that starts another one whose names this server resolves. */
  get wrap(): readonly [string, ...string[]] {
    const script = 'mount --bind "$0" /etc/resolv.conf && exec "$@"';
    return ['unshare', '--mount', 'sh', '-c', script, join(this.folder, 'resolv.conf')];
  }

  async close(): Promise<void> {
    this.udp.close();
    this.tcp.close();
    await once(this.tcp, 'close');
    rmSync(this.folder, { recursive: true });
  }

  private answerTo(query: Buffer, maxBytes: number): Buffer | undefined {
    const { name, type, end } = questionOf(query);
    const told = this.tell(name, type, maxBytes);
    if (told === 'silence') return undefined;
    const records = told === undefined ? [] : 'alias' in told ? [record(TYPE_CNAME, labels(told.alias))] : recordsOf(told, type);
    const fits = end + records.reduce((sum, { length }) => sum + length, 0) <= maxBytes;
    const flags = RESPONSE | RECURSION | (fits ? 0 : TRUNCATED) | (told === undefined ? NO_SUCH_NAME : NO_ERROR);
    const head = Buffer.concat([query.subarray(0, 2), numbers(flags, 1, fits ? records.length : 0, 0, 0)]);
    return Buffer.concat([head, query.subarray(12, end), ...(fits ? records : [])]);
  }

  private tell(name: string, type: number, maxBytes: number): Told | undefined {
    const known = this.names.get(name);
    const before = this.asked.get(name) ?? 0;
    // A look-up asks for both kinds of addresses, and may ask again by TCP.
    if (type === TYPE_A && maxBytes === MAX_UDP_BYTES) this.asked.set(name, before + 1);
    return typeof known === 'function' ? known(type === TYPE_A && maxBytes === MAX_UDP_BYTES ? before : Math.max(0, before - 1)) : known;
  }
}

const numbers = (...values: number[]): Buffer => Buffer.from(values.flatMap((value) => [value >> 8, value & 255]));
const labels = (name: string): Buffer =>
  Buffer.concat([...name.split('.').map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)), Buffer.of(0)]);

/** An answer about the name of the question, which begins at byte 12, and is not to be kept. */
const record = (type: number, data: Buffer): Buffer => Buffer.concat([numbers(0xc00c, type, 1, 0, 0, data.length), data]);

const recordsOf = (addresses: readonly string[], type: number): Buffer[] =>
  addresses.filter((address) => isIPv4(address) === (type === TYPE_A)).map((address) => record(type, bytesOf(address)));

function bytesOf(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const { hostname } = new URL(`http://[${address}]`);
  const [start, rest] = hostname.slice(1, -1).split('::') as [string, string?];
  const groups = (text = ''): number[] =>
    text
      .split(':')
      .filter(Boolean)
      .map((group) => parseInt(group, 16));
  const [first, last] = [groups(start), groups(rest)];
  return numbers(...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last);
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const parts: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    parts.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: parts.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}
