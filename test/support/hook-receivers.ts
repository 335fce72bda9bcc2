import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent, fetch } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import type { Secrets } from '../../client/src/frameworks/receive.js';
import { signedFixture } from '../../client/src/fixtures.js';
import type { ClaimsEvent } from '../../client/src/index.js';
import { EVENT_DATA_MAX_BYTES } from '../../src/kernel/product.js';
import { eventually } from './eventually.js';

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
export const OTHER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const MIB = 1024 * 1024;

export interface RunningReceiver {
  /** Without a path. */
  readonly url: string;
  close(): Promise<unknown>;
}

/** What a receiver is started with. `tenantOf`: the parameter `tenant` of the path, as the framework has it. */
export interface Wanted {
  readonly secrets: Secrets<[tenant: string]>;
  /** Throws to fail; returns a status to answer with that, and nothing to leave the answer to the helper. */
  readonly handle: (event: ClaimsEvent) => number | undefined | Promise<number | undefined>;
}

const open: RunningReceiver[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

/** Closed after the test. */
export async function opened(starting: Promise<RunningReceiver>): Promise<RunningReceiver> {
  const receiver = await starting;
  open.push(receiver);
  return receiver;
}

export interface Delivery {
  readonly body: string;
  readonly headers: Record<string, string>;
}

export async function send({ url }: RunningReceiver, { body, headers }: Delivery, path = '/hooks/berlin'): Promise<[number, string]> {
  const dispatcher = new Agent();
  try {
    const answer = await fetch(url + path, { method: 'POST', headers, body, dispatcher });
    return [answer.status, await answer.text()];
  } finally {
    await dispatcher.close();
  }
}

/** A name whose characters have several bytes. */
export const aDelivery = (secret = SECRET, sentAt = new Date()): Promise<Delivery> =>
  signedFixture('claim_project.created', secret, { data: { name: 'Büro “7” 東京' } }, { timestamp: sentAt });

/** Writes the chunks one after the other, and returns the first answer, whether or not the body has ended. */
function written({ url }: RunningReceiver, headers: Record<string, string>, chunks: Iterable<Uint8Array>, ends: boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    let status: number | undefined;
    const outgoing = httpRequest(`${url}/hooks/berlin`, { method: 'POST', headers, agent: false });
    outgoing.on('response', (answer: IncomingMessage) => {
      status = answer.statusCode!;
      answer.resume();
      resolve(status);
      if (!ends) outgoing.destroy();
    });
    outgoing.on('error', reject);
    const write = async () => {
      for (const chunk of chunks) {
        if (status !== undefined) return;
        await new Promise((done) => outgoing.write(chunk, done));
      }
      if (ends) outgoing.end();
    };
    write().catch(reject);
  });
}

function* endless(): Generator<Uint8Array> {
  // More than any limit; a receiver that reads on never answers.
  for (let count = 0; count < 64; count += 1) yield new Uint8Array(MIB / 8).fill(0x20);
}

/** What holds for the receivers of all frameworks. `start`: listens to POST /hooks/:tenant. */
export function describeReceiver(start: (wanted: Wanted) => Promise<RunningReceiver>): void {
  const received: ClaimsEvent[] = [];
  const keep = (event: ClaimsEvent): undefined => void received.push(event);
  const opening = (wanted: Partial<Wanted> = {}) => {
    received.length = 0;
    return opened(start({ secrets: SECRET, handle: keep, ...wanted }));
  };

  describe('a delivery', () => {
    it('of ours is given to the handler and answered with 204', async () => {
      const delivery = await aDelivery();
      expect(await send(await opening(), delivery)).toEqual([204, '']);
      expect(received).toEqual([JSON.parse(delivery.body)]);
    });

    it('is answered as the handler says', async () => {
      expect((await send(await opening({ handle: () => 202 }), await aDelivery()))[0]).toBe(202);
    });

    it('verifies with the headers of either family', async () => {
      const receiver = await opening();
      const { body, headers } = await aDelivery();
      const family = (prefix: string) =>
        Object.fromEntries(Object.entries(headers).filter(([name]) => /^content/.test(name) || name.startsWith(prefix)));
      for (const prefix of ['webhook-', 'x-service-']) expect(await send(receiver, { body, headers: family(prefix) })).toEqual([204, '']);
      expect(received).toHaveLength(2);
    });

    it('that arrives byte by byte, within characters, verifies', async () => {
      const { body, headers } = await aDelivery();
      const bytes = [...Buffer.from(body)].map((byte) => Uint8Array.of(byte));
      expect(await written(await opening(), headers, bytes, true)).toBe(204);
      expect(received).toEqual([JSON.parse(body)]);
    });

    it('as large as the service sends them verifies', async () => {
      const delivery = await signedFixture('claim_project.created', SECRET, { data: { name: 'x'.repeat(EVENT_DATA_MAX_BYTES) } });
      expect(await send(await opening(), delivery)).toEqual([204, '']);
    });

    it('is refused with 401 and the mistake when it is of another secret or too old', async () => {
      const receiver = await opening();
      expect(await send(receiver, await aDelivery(OTHER))).toEqual([401, expect.stringContaining('signature_wrong: ')]);
      const old = await aDelivery(SECRET, new Date(Date.now() - 301_000));
      expect(await send(receiver, old)).toEqual([401, expect.stringContaining('clock: ')]);
      expect(received).toEqual([]);
    });

    it('without a body or headers is refused with 401', async () => {
      const [status, text] = await send(await opening(), { body: '', headers: {} });
      expect([status, text]).toEqual([401, expect.stringContaining('header_missing: ')]);
    });

    it('whose handler throws is answered with 500, so that it is repeated', async () => {
      const outcomes = [() => Promise.reject(new Error('The database is away.')), () => undefined];
      const receiver = await opening({ handle: () => outcomes.shift()!() });
      const delivery = await aDelivery();
      expect((await send(receiver, delivery))[0]).toBe(500);
      expect((await send(receiver, delivery))[0]).toBe(204);
    });
  });

  describe('the secrets', () => {
    it('can be several', async () => {
      const receiver = await opening({ secrets: [OTHER, SECRET] });
      for (const secret of [SECRET, OTHER]) expect((await send(receiver, await aDelivery(secret)))[0]).toBe(204);
    });

    it('can be those of the tenant in the path, found by an asynchronous function', async () => {
      const known: Record<string, string> = { berlin: SECRET, hamburg: OTHER };
      const receiver = await opening({ secrets: (tenant) => Promise.resolve(known[tenant]) });
      const delivery = await aDelivery(OTHER);
      expect((await send(receiver, delivery, '/hooks/hamburg'))[0]).toBe(204);
      expect((await send(receiver, delivery, '/hooks/berlin'))[0]).toBe(401);
      expect(await send(receiver, delivery, '/hooks/nobody')).toEqual([401, expect.stringContaining('secret_invalid: ')]);
    });
  });

  describe('a body of more than 1 MiB', () => {
    it('is refused with 413 before it has arrived, by its Content-Length', async () => {
      const headers = { ...(await aDelivery()).headers, 'content-length': String(MIB + 1) };
      expect(await written(await opening(), headers, [Uint8Array.of(0x7b)], false)).toBe(413);
    });

    it('is refused with 413 before it has arrived, in chunks', async () => {
      const receiver = await opening();
      const { headers } = await aDelivery();
      // The server closes the connection while we still write to it, which may cost us the answer.
      await eventually(async () => expect(await written(receiver, headers, endless(), false)).toBe(413));
      expect(received).toEqual([]);
    });
  });
}
