import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { healthListener, type Health } from '../api/health/health.js';
import type { Log } from '../kernel/log.js';
import { type Settings, StartError } from '../kernel/settings/settings.js';
import type { Stops } from './stop.js';

/** The probes on a port of their own, until the very end. Returns their address. */
export async function listenForProbes(health: Health, settings: Settings, stops: Stops): Promise<string | undefined> {
  const { host, healthPort: port } = settings;
  return port === undefined ? undefined : listenAt(healthListener(health, settings.publicUrl), { host, port, name: 'HEALTH_PORT' }, stops);
}

/** Where Prometheus looks for a service that was told nothing else. */
const METRICS_PORT = 9464;

/** The metrics on a port of their own, until the very end. Returns their address; undefined if the usual port is taken and no other set. */
export async function listenForMetrics(server: Server, settings: Settings, log: Log, stops: Stops): Promise<string | undefined> {
  const { metricsHost: host, metricsPort } = settings;
  try {
    return await listenAt(server, { host, port: metricsPort ?? METRICS_PORT, name: 'METRICS_PORT' }, stops);
  } catch (error) {
    if (metricsPort !== undefined || !(error instanceof StartError)) throw error;
    log.warn({ reason: error.message }, 'no metrics');
    return undefined;
  }
}

interface Place {
  readonly host: string;
  readonly port: number;
  readonly name: string;
}

/** Listens until the very end. Returns the address. */
export async function listenAt(server: Server, { host, port, name }: Place, stops: Stops): Promise<string> {
  // Of several processes, which share the port of the API, each has its own.
  await once(server.listen({ port, host, exclusive: true }), 'listening').catch((error: unknown) =>
    explainPort(error, { host, port, name }),
  );
  stops.push(() => {
    server.close();
    // Prometheus keeps its connection.
    server.closeAllConnections();
  });
  return `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
}

export function explainPort(error: unknown, { host, port, name }: Place): never {
  const { code } = error as { code?: string };
  if (code === 'EADDRINUSE')
    throw new StartError(`Port ${port} of ${host} is taken: stop the process that uses it, or set another ${name}.`);
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL')
    throw new StartError(`Cannot listen on port ${port} of ${host} (${code}): set another ${name} or HOST.`);
  throw error;
}
