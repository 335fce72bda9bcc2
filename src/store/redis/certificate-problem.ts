import { connect } from 'node:tls';
import type { RedisAddress } from '../../kernel/settings/redis-url.js';

const TIMEOUT_MS = 2000;

/** Why the certificate of a server is refused: what ioredis reports may only be that the connection was closed. */
export function certificateProblem({ isEncrypted, nodes, ca }: RedisAddress): Promise<string | undefined> {
  const [node] = nodes;
  if (!isEncrypted || node === undefined) return Promise.resolve(undefined);
  const { host, port } = node;
  const socket = connect({ host, port, timeout: TIMEOUT_MS, ...(ca !== undefined && { ca }) });
  return new Promise<string | undefined>((resolve) => {
    // Not once: an error that nobody listens for would end the process, and a server that speaks no TLS may cause several.
    socket.on('error', ({ message }: Error) => resolve(message));
    for (const event of ['secureConnect', 'timeout', 'close']) socket.once(event, () => resolve(undefined));
  }).finally(() => socket.destroy());
}
