import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { isConsistent, split } from '../../tools/transparency-log/fixtures/verify-by-the-book.js';
import { Receiver, type Received } from './receiver.js';

/** A witness as C2SP describes it (tlog-witness, tlog-cosignature), which shares no code with the service. It has an address of its own. */
export class TestWitness {
  private readonly pair = generateKeyPairSync('ed25519');
  private readonly bytes = this.pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  /** By origin: the newest checkpoint that it has signed. */
  readonly seen = new Map<string, { readonly size: number; readonly root: Buffer }>();
  /** What it answers instead, if something is set. */
  instead: { status: number; body: string } | undefined;

  static async start(name = 'witness.example/notary'): Promise<TestWitness> {
    return new TestWitness(name, await Receiver.start());
  }

  private constructor(
    readonly name: string,
    private readonly receiver: Receiver,
  ) {
    receiver.answer = (received, response) => {
      const { status, body } = this.instead ?? this.answerTo(received);
      response.writeHead(status, { 'content-type': 'text/plain' }).end(body);
    };
  }

  get url(): string {
    return this.receiver.url;
  }

  get asked(): readonly Received[] {
    return this.receiver.received;
  }

  private get id(): Buffer {
    const hashed = Buffer.concat([Buffer.from(`${this.name}\n`), Buffer.of(4), this.bytes]);
    return createHash('sha256').update(hashed).digest().subarray(0, 4);
  }

  get verifierKey(): string {
    return `${this.name}+${this.id.toString('hex')}+${Buffer.concat([Buffer.of(4), this.bytes]).toString('base64')}`;
  }

  close(): Promise<void> {
    return this.receiver.close();
  }

  private answerTo({ path, body }: Received): { status: number; body: string } {
    if (path !== '/add-checkpoint') return { status: 404, body: '' };
    const [head, ...rest] = body.split('\n\n');
    const [first, ...hashes] = head!.split('\n');
    const text = `${rest[0]}\n`;
    const [origin, sizeText, rootText] = text.split('\n');
    const [old, size, root] = [Number(first!.replace('old ', '')), Number(sizeText), Buffer.from(rootText!, 'base64')];
    const known = this.seen.get(origin!) ?? { size: 0, root };
    if (old !== known.size) return { status: 409, body: `${known.size}\n` };
    const proof = hashes.flatMap(split);
    if (old > 0 && !isConsistent([old, known.root], [size, root], proof)) return { status: 422, body: '' };
    this.seen.set(origin!, { size, root });
    return { status: 200, body: this.cosignature(text) };
  }

  cosignature(text: string): string {
    const time = Math.floor(Date.now() / 1000);
    const at = Buffer.alloc(8);
    at.writeBigUInt64BE(BigInt(time));
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), this.pair.privateKey);
    return `— ${this.name} ${Buffer.concat([this.id, at, signature]).toString('base64')}\n`;
  }
}
