import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { randomInt } from 'node:crypto';

const group = (): string => randomInt(1, 0xffff).toString(16);

/** A network of an IPv6 caller, of its own: limits by address count a /64 together. */
export const aNetwork = (): string => `2001:db8:${group()}:${group()}`;

export const anAddress = (): string => `${aNetwork()}::${group()}`;

/** Calls from another address of this machine: all of 127.0.0.0/8 is. */
export async function getFrom(localAddress: string, url: string, headers: Readonly<Record<string, string>>) {
  const [answer] = (await once(get(url, { headers, localAddress }), 'response')) as [IncomingMessage];
  return { status: answer.statusCode, body: (await json(answer)) as object };
}
