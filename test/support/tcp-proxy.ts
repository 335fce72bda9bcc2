import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** One connection through the proxy: its two sockets. */
export interface Link {
  readonly client: Socket;
  readonly server: Socket;
  /** If true, data from the server is dropped. */
  muted?: boolean;
}

type State = 'open' | 'cut' | 'silent';

/** A proxy between the application and a server, so that a test can cut the connection without stopping the server for others. */
export class TcpProxy {
  /** The server's URL with the proxy's host and port. */
  readonly url: string;
  /** Called with what clients send, instead of passing it on. */
  intercept: ((chunk: Buffer, link: Link) => void) | undefined;
  /** What comes from either side is passed on this much later. */
  delayMs = 0;
  /** Changes what the server answers. */
  change: ((chunk: Buffer) => Buffer) | undefined;
  private readonly links = new Set<Link>();
  private state: State = 'open';

  /** At an address of this machine, and a free port unless one is given. */
  static async to(target: string, { host = '127.0.0.1', port = 0 } = {}): Promise<TcpProxy> {
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(port, host, resolve));
    return new TcpProxy(listener, new URL(target));
  }

  private constructor(
    private readonly listener: Server,
    private target: URL,
  ) {
    const url = new URL(target);
    const { address, port } = listener.address() as AddressInfo;
    url.host = `${address}:${port}`;
    this.url = url.href;
    listener.on('connection', (client) => this.accept(client));
  }

  /** Acts like a stopped server: ends connections, and refuses new ones. */
  cut(): void {
    this.state = 'cut';
    for (const link of this.links) end(link);
  }

  /** Acts like a broken network: connections stay open, but no data arrives. */
  silence(): void {
    this.state = 'silent';
  }

  /** Connections from the silent time are ended, because their data is lost. */
  restore(): void {
    if (this.state === 'silent') for (const link of this.links) end(link);
    this.state = 'open';
  }

  /** From now on connections lead to another server. Those that are open are ended. */
  leadTo(target: string): void {
    this.target = new URL(target);
    this.cut();
    this.restore();
  }

  /** How many connections the server has not ended yet. */
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
    // After one side disconnects, the other can still read what was passed on, as without a proxy.
    client.on('close', () => link.server.end());
    link.server.on('close', () => {
      this.links.delete(link);
      client.end();
    });
    const [toServer, toClient] = [this.passingTo(link.server), this.passingTo(client)];
    client.on('data', (chunk: Buffer) => {
      if (this.state === 'silent') return;
      if (this.intercept) this.intercept(chunk, link);
      else toServer(chunk);
    });
    link.server.on('data', (chunk: Buffer) => {
      if (this.state !== 'silent' && !link.muted) toClient(this.change?.(chunk) ?? chunk);
    });
  }

  /** Writes at once, or after the delay and what came before. */
  private passingTo(socket: Socket): (chunk: Buffer) => void {
    let late = 0;
    let before = Promise.resolve();
    return (chunk) => {
      if (this.delayMs === 0 && late === 0) return void socket.write(chunk);
      late += 1;
      const passed = new Promise((resolve) => setTimeout(resolve, this.delayMs));
      before = Promise.all([before, passed]).then(() => {
        late -= 1;
        socket.write(chunk);
      });
    };
  }
}

function end({ client, server }: Link): void {
  client.destroy();
  server.destroy();
}
