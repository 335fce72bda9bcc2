import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { openEmbeddedDatabase } from '../../tools/embedded-postgres/index.js';
import { Health } from '../api/health/health.js';
import { metricsOf } from '../api/metrics/metrics-listener.js';
import { createLog, type Log } from '../kernel/log.js';
import { type Settings, StartError } from '../kernel/settings/settings.js';
import { requireDeclaredPlans } from '../modules/organization/index.js';
import { migrate, pendingMigrations } from '../store/database/migrate.js';
import { requirePrivileges, requireServer } from '../store/database/requirements.js';
import { Ports, WarmUp } from '../store/discovery/ports.js';
import { MetricsReader } from '../store/metrics/metrics-reader.js';
import { noteEncryptionKey } from '../store/secrets/encryption-key-checks.js';
import { createApp, createContext } from './app.js';
import { connect, connectToMigrate } from './connect.js';
import { demo, demoLink, printDemo, printStep } from './demo.js';
import { explainPort, listenForMetrics, listenForProbes } from './listen.js';
import { readSettings } from './read-settings.js';
import { stopOnSignal, type Stops, drain } from './stop.js';

/** `named` is in each line of its log, if another process has started it. Returns where it listens. */
export async function start(env: NodeJS.ProcessEnv, named?: object): Promise<Listeners> {
  const settings = await readSettings(env);
  const log = createLog(settings).child(named ?? {});
  // With a database of its own the service is tried out, by a person who waits for it.
  const say = settings.databaseUrl === undefined && !settings.isProduction ? printStep : () => undefined;
  say('Starting the database');
  const embedded = settings.databaseUrl === undefined ? await openEmbeddedDatabase({ dataDir: settings.dataDir, mode: 'own' }) : undefined;
  const ready = settings.with({ databaseUrl: settings.databaseUrl ?? embedded!.url });
  const stops: Stops = [async () => embedded?.stop()];
  const draining: Stops = [];
  try {
    say('Bringing its tables up to date');
    await prepareDatabase(ready);
    say('Starting the service');
    const app = ready.role === 'worker' ? await createContext(ready, log) : await createApp(ready, log);
    stops.unshift(() => app.close());
    await app.init();
    const isTrial = embedded !== undefined && !ready.isProduction && ready.role !== 'worker';
    // Before anybody can ask for the documents, whose examples name the records.
    const made = isTrial ? await demo(app, join(ready.dataDir, 'demo.json'), say) : undefined;
    await listenForCalls(app, ready, draining);
    for (const part of app.get(Ports).all(WarmUp)) await part.warmUp(); // before the first request
    const reader = app.get(MetricsReader);
    const metrics = await listenForMetrics(metricsOf(reader), ready, log, stops);
    if (ready.metricsExporter === 'otlp') await sendMetrics(ready, reader, log, stops);
    // The process above it asks.
    const probesAt = named === undefined ? ready : ready.with({ host: '127.0.0.1' });
    const probes = await listenForProbes(app.get(Health), probesAt, stops);
    const listeners = { address: ready.role === 'worker' ? undefined : ready.publicUrl, probes, metrics };
    if (isTrial) printDemo(made, made && (await demoLink(app, made)), ready.publicUrl);
    log.info({ role: ready.role, ...listeners }, 'ready');
    stopOnSignal([...draining, ...stops], log);
    return listeners;
  } catch (error) {
    for (const stop of stops) await (async () => stop())().catch(() => undefined);
    throw error;
  }
}

/** Answers calls, unless the process is a worker, and goes on for a while when it is told to stop. */
export async function listenForCalls(
  app: NestFastifyApplication | INestApplicationContext,
  settings: Settings,
  draining: Stops,
): Promise<void> {
  draining.push(() => app.get(Health).stop());
  if (!('listen' in app)) return;
  const server = app.getHttpServer();
  const { host, port } = settings;
  await app.listen(port, host).catch((error: unknown) => explainPort(error, { host, port, name: 'PORT' }));
  settings.listensOn((server.address() as AddressInfo).port);
  draining.push(() => drain(server, settings.drainDelayMs));
}

async function sendMetrics(settings: Settings, reader: MetricsReader, log: Log, stops: Stops): Promise<void> {
  const { tracesEndpoint, collectorHeaders = {}, metricsIntervalMs } = settings;
  const { MetricsExport } = await import('../store/metrics/metrics-export.js');
  const exporter = new MetricsExport({ endpoint: tracesEndpoint!, headers: collectorHeaders, everyMs: metricsIntervalMs }, reader, log);
  // While the database can still be asked.
  stops.unshift(() => exporter.stop());
}

export interface Listeners {
  /** What callers use. */
  readonly address: string | undefined;
  readonly probes: string | undefined;
  readonly metrics: string | undefined;
}

/** Migrates an embedded or development database. In production, `claims migrate` is a step of its own. */
export async function prepareDatabase(settings: Settings): Promise<void> {
  const source = await connect(settings);
  try {
    await requireServer(source);
    const pending = await pendingMigrations(source);
    if (pending.length > 0) await migrateHere(settings, pending.length);
    await requirePrivileges(source);
    await requireDeclaredPlans(source, settings.plans);
    await noteEncryptionKey(source, settings);
  } finally {
    await source.destroy();
  }
}

async function migrateHere(settings: Settings, pending: number): Promise<void> {
  if (settings.isProduction) throw new StartError(`${pending} migrations are pending: run \`claims migrate\` first.`);
  const source = await connectToMigrate(settings);
  try {
    await migrate(source);
  } finally {
    await source.destroy();
  }
}
