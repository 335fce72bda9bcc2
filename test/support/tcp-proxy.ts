import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** One connection through the proxy: the two halves of it. */
export interface Link {
  readonly client: Socket;
  readonly server: Socket;
  /** When true, what the server says goes no further. */
  muted?: boolean;
}

type State = 'open' | 'cut' | 'silent';

/**
 * Stands between the application and a server it depends on, so that a test can take that server away without stopping it
 * for everyone else, or look at what passes.
 */
export class TcpProxy {
  /** The server's address, by way of this proxy. */
  readonly url: string;
  /** Takes the place of passing on what clients send. */
  intercept: ((chunk: Buffer, link: Link) => void) | undefined;
  private readonly links = new Set<Link>();
  private state: State = 'open';

  static async to(target: string): Promise<TcpProxy> {
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    return new TcpProxy(listener, new URL(target));
  }

  private constructor(
    private readonly listener: Server,
    private readonly target: URL,
  ) {
    const url = new URL(target);
    url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
    this.url = url.href;
    listener.on('connection', (client) => this.accept(client));
  }

  /** As when the server is stopped: connections end, and new ones are not taken. */
  cut(): void {
    this.state = 'cut';
    for (const link of this.links) end(link);
  }

  /** As when the network is broken: connections stay, and nothing arrives any more. */
  silence(): void {
    this.state = 'silent';
  }

  /** What was said while it was silent is lost with its connections. */
  restore(): void {
    if (this.state === 'silent') for (const link of this.links) end(link);
    this.state = 'open';
  }

  /** Connections that the server has not ended yet. */
  get connections(): number {
    return this.links.size;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.listener.close(resolve));
  }

  private accept(client: Socket): void {
    if (this.state === 'cut') return void client.destroy();
    const link: Link = { client, server: connect({ host: this.target.hostname, port: Number(this.target.port), noDelay: true }) };
    client.setNoDelay(true);
    this.links.add(link);
    for (const half of [client, link.server]) half.on('error', () => undefined);
    // What was passed on before one side hung up is still read by the other, as it is without a proxy.
    client.on('close', () => link.server.end());
    link.server.on('close', () => {
      this.links.delete(link);
      client.end();
    });
    client.on('data', (chunk: Buffer) => {
      if (this.state === 'silent') return;
      if (this.intercept) this.intercept(chunk, link);
      else link.server.write(chunk);
    });
    link.server.on('data', (chunk: Buffer) => {
      if (this.state !== 'silent' && !link.muted) client.write(chunk);
    });
  }
}

function end({ client, server }: Link): void {
  client.destroy();
  server.destroy();
}
