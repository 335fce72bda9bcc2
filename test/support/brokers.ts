import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { json } from 'node:stream/consumers';

interface Published {
  readonly id: string;
  readonly kind: string;
  readonly data: { readonly id: string };
}
interface KafkaRecord {
  readonly key: string;
  readonly value: Published;
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Answers as a Kafka REST proxy does (API v2), and keeps what it took. */
export async function startKafkaProxy() {
  const kept = { records: [] as KafkaRecord[], refusals: 0, isDown: false };
  const server = createHttpServer((request, response) => {
    void json(request).then((body) => {
      const { records } = body as { records: KafkaRecord[] };
      if (kept.isDown) kept.refusals += 1;
      else kept.records.push(...records);
      response.writeHead(kept.isDown ? 503 : 200, { 'Content-Type': 'application/vnd.kafka.v2+json' });
      const offsets = records.map((_record, offset) => ({ partition: 0, offset, error_code: null, error: null }));
      response.end(JSON.stringify({ offsets }));
    });
  });
  const url = `http://127.0.0.1:${await portOf(server)}`;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections());
  return Object.assign(kept, { url, close });
}

/** Answers as NATS with JetStream does: keeps a message once for each `Nats-Msg-Id`, and acknowledges it. */
export async function startNats() {
  const messages = new Map<string, { readonly subject: string; readonly message: Published }>();
  const server = createServer((socket) => {
    let pending = Buffer.alloc(0);
    socket.write('INFO {"server_name":"test","headers":true,"jetstream":true}\r\n');
    socket.on('error', () => undefined);
    socket.on('data', (part) => {
      pending = Buffer.concat([pending, part]);
      for (;;) {
        const end = pending.indexOf('\r\n');
        if (end < 0) return;
        const [verb, subject = '', reply = '', head, total] = pending.toString('utf8', 0, end).split(' ');
        const length = verb === 'HPUB' ? Number(total) + 2 : 0;
        if (pending.length < end + 2 + length) return;
        const payload = pending.subarray(end + 2, end + 2 + length);
        pending = pending.subarray(end + 2 + length);
        if (verb !== 'HPUB') continue;
        const id = /^Nats-Msg-Id: (\S+)\r$/m.exec(payload.toString('utf8', 0, Number(head)))![1]!;
        const message = JSON.parse(payload.toString('utf8', Number(head), Number(total))) as Published;
        messages.set(id, { subject, message });
        const answer = JSON.stringify({ stream: 'CLAIMS', seq: messages.size });
        socket.write(`MSG ${reply} 1 ${answer.length}\r\n${answer}\r\n`);
      }
    });
  });
  const url = `nats://127.0.0.1:${await portOf(server)}`;
  return { messages, url, close: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}
