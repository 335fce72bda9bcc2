import 'reflect-metadata';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import type { INestApplicationContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp, createContext } from './app.js';
import { Health } from './api/health/health.js';
import { demo, demoLink, printDemo } from './demo.js';
import { Settings } from './kernel/settings/settings.js';
import { openEmbeddedDatabase } from '../tools/embedded-postgres/index.js';
import { createLog, type Log } from './kernel/log.js';
import { explainPort, listenForProbes } from './listen.js';
import { prepareDatabase } from './prepare-database.js';
import { Ports, WarmUp } from './store/discovery/ports.js';
import { drain, stopOnSignal, type Stops } from './stop.js';

/**
 * Starts the service in its ROLE: finds or starts the database, migrates it where that is safe, listens, and stops on a signal. `named`
 * is in each line of its log. Returns the address of HEALTH_PORT.
 */
export async function start(env: NodeJS.ProcessEnv, named: object = {}): Promise<{ readonly probes: string | undefined }> {
  const settings = Settings.from(env);
  const log = createLog(settings).child(named);
  const embedded = settings.databaseUrl === undefined ? await openEmbeddedDatabase({ dataDir: settings.dataDir, mode: 'own' }) : undefined;
  const ready = settings.with({ databaseUrl: settings.databaseUrl ?? embedded!.url });
  const stops: Stops = [async () => embedded?.stop()];
  const draining: Stops = [];
  let probes: string | undefined;
  try {
    await prepareDatabase(ready);
    const app = await open(ready, log, stops);
    const isTrial = embedded !== undefined && !ready.isProduction && ready.role !== 'worker';
    // Before anybody can ask for the documents, whose examples name the records.
    const made = isTrial ? await demo(app, join(ready.dataDir, 'demo.json')) : undefined;
    await listen(app, ready, draining);
    for (const part of app.get(Ports).all(WarmUp)) await part.warmUp(); // before the first request
    probes = await listenForProbes(app.get(Health), ready, stops);
    if (isTrial) printDemo(made, made && (await demoLink(app, made)), ready.publicUrl);
    log.info({ role: ready.role, address: ready.role === 'worker' ? undefined : ready.publicUrl, probes }, 'ready');
  } catch (error) {
    for (const stop of stops) await (async () => stop())().catch(() => undefined);
    throw error;
  }
  stopOnSignal([...draining, ...stops], log);
  return { probes };
}

/** Opens the application, with HTTP unless it is a worker, and adds what stops it. */
async function open(settings: Settings, log: Log, stops: Stops): Promise<NestFastifyApplication | INestApplicationContext> {
  const isWorker = settings.role === 'worker';
  const app = isWorker ? await createContext(settings, log) : await createApp(settings, log);
  stops.unshift(() => app.close());
  await app.init();
  return app;
}

async function listen(app: NestFastifyApplication | INestApplicationContext, settings: Settings, draining: Stops): Promise<void> {
  draining.push(() => app.get(Health).stop());
  if (!('listen' in app)) return;
  const server = app.getHttpServer();
  const { host, port } = settings;
  await app.listen(port, host).catch((error: unknown) => explainPort(error, { host, port, name: 'PORT' }));
  settings.listensOn((server.address() as AddressInfo).port);
  draining.push(() => drain(server, settings.drainDelayMs));
}
