import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A store with S3's protocol that checks signatures as Amazon documents them. It shares no code with the service. */
export class S3Store {
  readonly objects = new Map<string, Buffer>();
  /** How often each object was put. */
  readonly puts = new Map<string, number>();
  /** What it answers instead, if something is set. */
  instead: number | undefined;
  readonly region = 'eu-central-1';
  readonly accessKeyId = 'AKIAIOSFODNN7EXAMPLE';
  readonly secretAccessKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';

  private constructor(private readonly server: Server) {}

  static async start(): Promise<S3Store> {
    const server = createServer();
    server.unref();
    const store = new S3Store(server);
    server.on('request', (request: IncomingMessage, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks);
        const status = store.instead ?? (store.isSigned(request, body) ? 200 : 403);
        if (status === 200) {
          store.objects.set(request.url!, body);
          store.puts.set(request.url!, (store.puts.get(request.url!) ?? 0) + 1);
        }
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return store;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private isSigned({ method, url, headers: given }: IncomingMessage, body: Buffer): boolean {
    const headers = given as Readonly<Record<string, string>>;
    const pattern = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/;
    const [, id, day, region, names, signature] = pattern.exec(headers.authorization ?? '') ?? [];
    const hash = createHash('sha256').update(body).digest('hex');
    if (method !== 'PUT' || id !== this.accessKeyId || region !== this.region || headers['x-amz-content-sha256'] !== hash) return false;
    if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => names!.split(';').includes(name))) return false;
    let canonical = `PUT\n${url}\n\n`;
    for (const name of names!.split(';')) canonical += `${name}:${headers[name]}\n`;
    canonical += `\n${names}\n${hash}`;
    const digest = createHash('sha256').update(canonical).digest('hex');
    const toSign = `AWS4-HMAC-SHA256\n${headers['x-amz-date']}\n${day}/${region}/s3/aws4_request\n${digest}`;
    let key: Buffer = Buffer.from(`AWS4${this.secretAccessKey}`);
    for (const part of [day!, region, 's3', 'aws4_request']) key = createHmac('sha256', key).update(part).digest();
    return createHmac('sha256', key).update(toSign).digest('hex') === signature;
  }
}
