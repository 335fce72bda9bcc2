import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A KMS that has one key, gives it to nobody, and asks for a token. */
export class Kms {
  private readonly key = randomBytes(32);
  readonly token = randomBytes(16).toString('hex');
  asked = 0;
  /** Answered in the place of a key. */
  wrongAnswer: object | undefined;
  private server: Server;

  async start(): Promise<string> {
    this.server = createServer((request, response) => {
      void (async () => {
        this.asked += 1;
        if (request.headers.authorization !== `Bearer ${this.token}`) return response.writeHead(403).end();
        const { key } = (await json(request)) as { key: string };
        response.end(
          JSON.stringify(this.wrongAnswer ?? { plaintext: open(this.key, Buffer.from(key, 'base64url')).toString('base64url') }),
        );
      })().catch(() => response.writeHead(400).end());
    });
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<unknown> {
    return new Promise((resolve) => this.server.close(resolve));
  }

  /** What the recipe unwraps, made as an operator makes it: with a data key of its own. */
  wrap(name: string, secret: string): string {
    const dataKey = randomBytes(32);
    return `kms:${seal(this.key, dataKey).toString('base64url')}.${seal(dataKey, Buffer.from(secret), name).toString('base64url')}`;
  }
}

function seal(key: Buffer, text: Buffer, boundTo = ''): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(boundTo));
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

function open(key: Buffer, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAAD(Buffer.from(''));
  decipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
}
