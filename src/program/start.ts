import 'reflect-metadata';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp, createContext } from './app.js';
import { demo, demoLink, printDemo, printStep } from './demo.js';
import type { Settings } from '../kernel/settings/settings.js';
import { openEmbeddedDatabase } from '../../tools/embedded-postgres/index.js';
import { createLog, type Log } from '../kernel/log.js';
import { listenForCalls, openListeners, type Listeners } from './listeners.js';
import { prepareDatabase } from './prepare-database.js';
import { readSettings } from './read-settings.js';
import { Ports, WarmUp } from '../store/discovery/ports.js';
import { stopOnSignal, type Stops } from './stop.js';

/**
 * Starts the service in its ROLE: finds or starts the database, migrates it where that is safe, listens, and stops on a signal. `named`
 * is in each line of its log. Returns the addresses of HEALTH_PORT and METRICS_PORT.
 */
export async function start(env: NodeJS.ProcessEnv, named: object = {}): Promise<Listeners> {
  const settings = await readSettings(env);
  const log = createLog(settings).child(named);
  // With a database of its own the service is tried out, by a person who waits for it.
  const say = settings.databaseUrl === undefined && !settings.isProduction ? printStep : () => undefined;
  say('Starting the database');
  const embedded = settings.databaseUrl === undefined ? await openEmbeddedDatabase({ dataDir: settings.dataDir, mode: 'own' }) : undefined;
  const ready = settings.with({ databaseUrl: settings.databaseUrl ?? embedded!.url });
  const stops: Stops = [async () => embedded?.stop()];
  const draining: Stops = [];
  let listeners: Listeners;
  try {
    say('Bringing its tables up to date');
    await prepareDatabase(ready);
    say('Starting the service');
    const app = await open(ready, log, stops);
    const isTrial = embedded !== undefined && !ready.isProduction && ready.role !== 'worker';
    // Before anybody can ask for the documents, whose examples name the records.
    const made = isTrial ? await demo(app, join(ready.dataDir, 'demo.json'), say) : undefined;
    await listenForCalls(app, ready, draining);
    for (const part of app.get(Ports).all(WarmUp)) await part.warmUp(); // before the first request
    listeners = await openListeners(app, ready, log, stops);
    if (isTrial) printDemo(made, made && (await demoLink(app, made)), ready.publicUrl);
    log.info({ role: ready.role, address: ready.role === 'worker' ? undefined : ready.publicUrl, ...listeners }, 'ready');
  } catch (error) {
    for (const stop of stops) await (async () => stop())().catch(() => undefined);
    throw error;
  }
  stopOnSignal([...draining, ...stops], log);
  return listeners;
}

/** Opens the application, with HTTP unless it is a worker, and adds what stops it. */
async function open(settings: Settings, log: Log, stops: Stops): Promise<NestFastifyApplication | INestApplicationContext> {
  const isWorker = settings.role === 'worker';
  const app = isWorker ? await createContext(settings, log) : await createApp(settings, log);
  stops.unshift(() => app.close());
  await app.init();
  return app;
}
