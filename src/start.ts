import 'reflect-metadata';
import type { Server } from 'node:http';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import type { INestApplicationContext } from '@nestjs/common';
import { createApp, createContext } from './app.js';
import { healthListener } from './api/health/health-listener.js';
import { Health } from './api/health/health.js';
import { demo, printDemo } from './demo.js';
import { Settings } from './kernel/settings/settings.js';
import { openEmbeddedDatabase } from '../tools/embedded-postgres/index.js';
import { createLog, type Log } from './kernel/log.js';
import { StartError } from './kernel/start-error.js';
import { prepareDatabase } from './prepare-database.js';
import { drain, stopOnSignal, type Stops } from './stop.js';

/** Starts the service in its ROLE: finds or starts the database, migrates it where that is safe, listens, and stops on a signal. */
export async function start(env: NodeJS.ProcessEnv): Promise<void> {
  const settings = Settings.from(env);
  const log = createLog(settings);
  const embedded = settings.databaseUrl === undefined ? await openEmbeddedDatabase({ dataDir: settings.dataDir, mode: 'own' }) : undefined;
  const ready = settings.with({ databaseUrl: settings.databaseUrl ?? embedded!.url });
  const stops: Stops = [async () => embedded?.stop()];
  const draining: Stops = [];
  try {
    await prepareDatabase(ready);
    const app = await open(ready, log, stops, draining);
    const probes = await listenForProbes(app.get(Health), ready, stops);
    if (embedded && !ready.isProduction && ready.role !== 'worker')
      printDemo(await demo(app, join(ready.dataDir, 'demo.json')), ready.publicUrl);
    log.info({ role: ready.role, address: ready.role === 'worker' ? undefined : ready.publicUrl, probes }, 'ready');
  } catch (error) {
    for (const stop of stops) await (async () => stop())().catch(() => undefined);
    throw error;
  }
  stopOnSignal([...draining, ...stops], log);
}

/** Opens the application, with HTTP unless it is a worker, and adds what stops it. */
async function open(settings: Settings, log: Log, stops: Stops, draining: Stops): Promise<INestApplicationContext> {
  const isWorker = settings.role === 'worker';
  const app = isWorker ? undefined : await createApp(settings, log);
  const context = app ?? (await createContext(settings, log));
  stops.unshift(() => context.close());
  draining.push(() => context.get(Health).stop());
  if (!app) return context;
  const server = app.getHttpServer();
  const { host, port } = settings;
  await app.listen(port, host).catch((error: unknown) => explainPort(error, { host, port, name: 'PORT' }));
  settings.listensOn((server.address() as AddressInfo).port);
  draining.push(() => drain(server, settings.drainDelayMs));
  return app;
}

/** The probes on a port of their own, until the very end. Returns their address. */
async function listenForProbes(health: Health, settings: Settings, stops: Stops): Promise<string | undefined> {
  const { host, healthPort: port } = settings;
  if (port === undefined) return undefined;
  const server = healthListener(health, settings.publicUrl);
  await listen(server, port, host).catch((error: unknown) => explainPort(error, { host, port, name: 'HEALTH_PORT' }));
  stops.push(() => void server.close());
  return `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
}

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => server.once('error', reject).listen(port, host, resolve));

function explainPort(error: unknown, { host, port, name }: { host: string; port: number; name: string }): never {
  const { code } = error as { code?: string };
  if (code === 'EADDRINUSE')
    throw new StartError(`Port ${port} of ${host} is taken: stop the process that uses it, or set another ${name}.`);
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL')
    throw new StartError(`Cannot listen on port ${port} of ${host} (${code}): set another ${name} or HOST.`);
  throw error;
}
