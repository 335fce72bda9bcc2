import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that the system gives out, so that no other test takes one before its server listens. */
const PORTS = { from: 15_000, to: 30_000 };

/** For a program that must be told its port. */
export async function aFreePort(): Promise<number> {
  return (await freePorts(1))[0]!;
}

export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    await once(server.close(), 'close');
    return true;
  } catch {
    return false;
  }
}
