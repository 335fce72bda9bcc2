import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the network can do to a request. */
export const FAULTS = {
  /** The connection ends before the request arrives. */
  drop: (_forward: Forward, response: ServerResponse) => void response.destroy(),
  /** The request is carried out, and its answer is lost. */
  reset: async (forward: Forward, response: ServerResponse) => {
    await forward();
    response.destroy();
  },
  /** The answer ends in the middle. */
  cut: async (forward: Forward, response: ServerResponse) => {
    const { status, headers, body } = await forward();
    response.writeHead(status, headers);
    response.write(body.subarray(0, body.length / 2), () => response.destroy());
  },
  delay: async (forward: Forward, response: ServerResponse) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    answer(response, await forward());
  },
  /** The request is carried out, and there is never an answer. */
  silence: (forward: Forward) => forward(),
  double: async (forward: Forward, response: ServerResponse) => {
    const [first] = await Promise.all([forward(), forward()]);
    answer(response, first);
  },
} as const;

export type Fault = keyof typeof FAULTS;

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
}
type Forward = () => Promise<Answer>;

export interface FaultyProxy {
  readonly url: string;
  /** How often each fault was made. */
  readonly made: Readonly<Record<Fault, number>>;
  close(): Promise<void>;
}

async function textOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function forwarded(target: string, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(url!, target), { method, headers, agent: false }, (response) => {
      textOf(response).then((text) => resolve({ status: response.statusCode!, headers: response.headers, body: text }), reject);
    });
    sent.on('error', reject).end(body);
  });
}

function answer(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers).end(body);
}

/** A network between a client and the service. `choose` says what happens to each request, by its number from 0. */
export async function startFaultyProxy(target: string, choose: (number: number) => Fault | undefined): Promise<FaultyProxy> {
  let count = 0;
  const made = Object.fromEntries(Object.keys(FAULTS).map((name) => [name, 0])) as Record<Fault, number>;
  const pass = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const fault = choose(count++);
    const body = await textOf(incoming);
    const forward = (): Promise<Answer> => forwarded(target, incoming, body);
    if (!fault) return answer(response, await forward());
    made[fault] += 1;
    await FAULTS[fault](forward, response);
  };
  const server = createServer((incoming, response) => void pass(incoming, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, made, close };
}
