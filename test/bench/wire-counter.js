// A proxy in front of Postgres that counts the statements and round trips of a call.
import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { middle, sendOne } from './load.js';

const [QUERY, EXECUTE] = [0x51, 0x45];
const CALLS = 41;

export class WireCounter {
  statements = 0;
  roundTrips = 0;

  static async to(databaseUrl) {
    const counter = new WireCounter(new URL(databaseUrl));
    counter.server.listen(0, '127.0.0.1');
    await once(counter.server, 'listening');
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${counter.server.address().port}`;
    counter.url = url.href;
    return counter;
  }

  constructor({ hostname, port }) {
    this.server = createServer((client) => {
      const server = connect(Number(port || 5432), hostname);
      const read = this.reader();
      client.on('data', (chunk) => (read(chunk), server.write(chunk)));
      server.on('data', (chunk) => (read.answered(), client.write(chunk)));
      for (const [one, other] of [
        [client, server],
        [server, client],
      ])
        one.on('close', () => other.destroy()).on('error', () => undefined);
    });
  }

  /** Counts messages, which may be spread over chunks. What is sent before an answer has arrived is one round trip. */
  reader() {
    let rest = Buffer.alloc(0);
    let isStarted = false;
    let hasAnswer = true;
    const read = (chunk) => {
      if (hasAnswer) this.roundTrips += 1;
      hasAnswer = false;
      rest = Buffer.concat([rest, chunk]);
      for (;;) {
        // The first message has no type byte before its length.
        const head = isStarted ? 1 : 0;
        if (rest.length < head + 4) return;
        const length = head + rest.readInt32BE(head);
        if (rest.length < length) return;
        if (isStarted && (rest[0] === QUERY || rest[0] === EXECUTE)) this.statements += 1;
        isStarted = true;
        rest = rest.subarray(length);
      }
    };
    return Object.assign(read, { answered: () => (hasAnswer = true) });
  }

  /** Medians of calls one after the other: look-ups of the credential and jobs in between do not count. */
  async perCall(url, call) {
    const counts = [];
    for (let index = 0; index < CALLS; index += 1) {
      const before = { statements: this.statements, roundTrips: this.roundTrips };
      await sendOne(url, call);
      counts.push({ statements: this.statements - before.statements, roundTrips: this.roundTrips - before.roundTrips });
    }
    const median = (what) => middle(counts.map((count) => count[what]));
    return { statements: median('statements'), roundTrips: median('roundTrips') };
  }

  close() {
    this.server.close();
  }
}
