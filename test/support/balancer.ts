import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

const PROBED_EVERY_MS = 50;
const PROBE_TIMEOUT_MS = 2000;

interface Backend {
  readonly url: URL;
  isReady: boolean;
}

/** A load balancer: new connections go by turns to the processes that are ready. Connections that are open stay where they are. */
export class Balancer {
  private readonly backends: Backend[] = [];
  private readonly probing: NodeJS.Timeout;
  private turn = 0;

  static async start(): Promise<Balancer> {
    const listener = createServer();
    await once(listener.listen(0, '127.0.0.1'), 'listening');
    return new Balancer(listener);
  }

  private constructor(private readonly listener: Server) {
    this.probing = setInterval(() => void Promise.all(this.backends.map(probe)), PROBED_EVERY_MS);
    listener.on('connection', (client) => {
      const ready = this.backends.filter(({ isReady }) => isReady);
      this.turn = (this.turn + 1) % (ready.length || 1);
      client.setNoDelay(true).on('error', () => undefined);
      join(client, [...ready.slice(this.turn), ...ready.slice(0, this.turn)]);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.listener.address() as AddressInfo).port}`;
  }

  /** Returns once calls are sent to the process. */
  async add(url: string): Promise<void> {
    const backend = { url: new URL(url), isReady: false };
    this.backends.push(backend);
    while (!backend.isReady) await new Promise((resolve) => setTimeout(resolve, PROBED_EVERY_MS));
  }

  remove(url: string): void {
    const index = this.backends.findIndex((backend) => backend.url.href === new URL(url).href);
    this.backends.splice(index, 1);
  }

  /** Asks no process any more whether it is ready: twenty times a second are a small load. */
  rest(): void {
    clearInterval(this.probing);
  }

  async close(): Promise<void> {
    this.rest();
    await new Promise((resolve) => this.listener.close(resolve));
  }
}

async function probe(backend: Backend): Promise<void> {
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  backend.isReady = await fetch(new URL('/health/ready', backend.url), { headers: { Connection: 'close' }, signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** To the first that takes the connection: one may have stopped since it was asked whether it is ready. */
function join(client: Socket, [chosen, ...others]: readonly Backend[]): void {
  if (!chosen) return void client.destroy();
  const server = connect({ host: chosen.url.hostname, port: Number(chosen.url.port), noDelay: true });
  const next = (): void => join(client, others);
  server.once('error', next).once('connect', () => {
    server.off('error', next).on('error', () => undefined);
    client.pipe(server);
    server.pipe(client);
    client.on('close', () => server.destroy());
    // What it still sends is read: its end comes behind that.
    server.on('close', () => client.end().resume());
  });
}
