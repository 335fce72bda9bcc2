import 'reflect-metadata';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { DataSource } from 'typeorm';
import { createApp, createContext } from './app.js';
import { demo, printDemo } from './demo.js';
import { Settings } from './kernel/settings/settings.js';
import { patientConnectionOptions } from './store/database/connection-options.js';
import { openEmbeddedDatabase, type EmbeddedDatabase } from '../tools/embedded-postgres/index.js';
import { migrate, pendingMigrations } from './store/database/migrate.js';
import { createLog, type Log } from './kernel/log.js';
import { StartError } from './kernel/start-error.js';

/** Starts what ROLE says: finds or starts the database, migrates where that is safe, listens, and stops cleanly when told to. */
export async function start(env: NodeJS.ProcessEnv): Promise<void> {
  const settings = Settings.from(env);
  const log = createLog(settings);
  const embedded = settings.databaseUrl === undefined ? await openEmbeddedDatabase({ dataDir: settings.dataDir, mode: 'own' }) : undefined;
  const stopped: (() => Promise<void>)[] = [async () => embedded?.stop()];
  const ready = settings.with({ databaseUrl: settings.databaseUrl ?? embedded!.url });
  try {
    await prepareDatabase(ready);
    const app = ready.role === 'worker' ? await createContext(ready, log) : await listen(ready, log);
    stopped.unshift(() => app.close());
    if (embedded && !ready.isProduction && ready.role !== 'worker')
      printDemo(await demo(app, join(ready.dataDir, 'demo.json')), ready.publicUrl);
    log.info({ role: ready.role, address: ready.role === 'worker' ? undefined : ready.publicUrl }, 'ready');
  } catch (error) {
    for (const stop of stopped) await stop().catch(() => undefined);
    throw error;
  }
  stopOnSignal(stopped, log, embedded);
}

/** An embedded database, or one for development, is migrated in passing; in production that is a step of its own. */
async function prepareDatabase(settings: Settings): Promise<void> {
  const source = await connect(settings);
  try {
    const pending = await pendingMigrations(source);
    if (pending.length === 0) return;
    if (settings.isProduction) throw new StartError(`${pending.length} migrations are pending: run \`claims migrate\` first.`);
    await migrate(source);
  } finally {
    await source.destroy();
  }
}

export async function connect(settings: Settings): Promise<DataSource> {
  try {
    return await new DataSource(patientConnectionOptions(settings.databaseUrl!)).initialize();
  } catch (error) {
    const { host, pathname } = new URL(settings.databaseUrl!);
    throw new StartError(`The database ${host}${pathname} cannot be reached (${reasonOf(error)}): check DATABASE_URL and that it runs.`);
  }
}

async function listen(settings: Settings, log: Log) {
  const app = await createApp(settings, log);
  try {
    await app.listen(settings.port, settings.host);
  } catch (error) {
    await app.close();
    const code = (error as { code?: string }).code;
    if (code === 'EADDRINUSE')
      throw new StartError(`Port ${settings.port} of ${settings.host} is taken: stop what listens there, or set PORT to another.`);
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL')
      throw new StartError(`Port ${settings.port} of ${settings.host} cannot be listened on (${code}): set PORT and HOST to others.`);
    throw error;
  }
  settings.listensOn((app.getHttpServer().address() as AddressInfo).port);
  return app;
}

const reasonOf = (error: unknown): string => {
  const { code, message } = error as { code?: string; message?: string };
  return message || code || String(error);
};

/** In the order given, and once: a second Ctrl-C ends the process at once. */
function stopOnSignal(stops: (() => Promise<void>)[], log: Log, embedded: EmbeddedDatabase | undefined): void {
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) process.exit(1);
    stopping = true;
    // Connections end under commands that nobody waits for any more; that must not end us before the rest has stopped.
    process.on('unhandledRejection', (error) => log.debug({ err: error }, 'A command was cut off by the stop'));
    log.info({ embedded: embedded !== undefined }, 'stopping');
    for (const next of stops) await next().catch((error: unknown) => log.error({ err: error }, 'Not everything stopped cleanly'));
    log.flush(() => process.exit(0));
  };
  process.on('SIGINT', () => void stop());
  process.on('SIGTERM', () => void stop());
}
