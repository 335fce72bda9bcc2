import 'reflect-metadata';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { createApp, createContext } from './app.js';
import { connect } from './connect.js';
import { demo, printDemo } from './demo.js';
import { Settings } from './kernel/settings/settings.js';
import { openEmbeddedDatabase, type EmbeddedDatabase } from '../tools/embedded-postgres/index.js';
import { migrate, pendingMigrations } from './store/database/migrate.js';
import { createLog, type Log } from './kernel/log.js';
import { StartError } from './kernel/start-error.js';

/** Starts the service in its ROLE: finds or starts the database, migrates it where that is safe, listens, and stops on a signal. */
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

/** Migrates an embedded or development database. In production, `claims migrate` is a step of its own. */
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

async function listen(settings: Settings, log: Log) {
  const app = await createApp(settings, log);
  try {
    await app.listen(settings.port, settings.host);
  } catch (error) {
    await app.close();
    const code = (error as { code?: string }).code;
    if (code === 'EADDRINUSE')
      throw new StartError(`Port ${settings.port} of ${settings.host} is taken: stop the process that uses it, or set another PORT.`);
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL')
      throw new StartError(`Cannot listen on port ${settings.port} of ${settings.host} (${code}): set another PORT or HOST.`);
    throw error;
  }
  settings.listensOn((app.getHttpServer().address() as AddressInfo).port);
  return app;
}

/** Calls the stops in their order. A second signal ends the process at once. */
function stopOnSignal(stops: (() => Promise<void>)[], log: Log, embedded: EmbeddedDatabase | undefined): void {
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) process.exit(1);
    stopping = true;
    // Closing a connection rejects the queries still on it. That must not end the process before the rest has stopped.
    process.on('unhandledRejection', (error) => log.debug({ err: error }, 'query cut off by the stop'));
    log.info({ embedded: embedded !== undefined }, 'stopping');
    for (const next of stops) await next().catch((error: unknown) => log.error({ err: error }, 'stop failed'));
    log.flush(() => process.exit(0));
  };
  process.on('SIGINT', () => void stop());
  process.on('SIGTERM', () => void stop());
}
