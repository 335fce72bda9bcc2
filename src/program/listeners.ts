import type { AddressInfo } from 'node:net';
import type { INestApplicationContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Health } from '../api/health/health.js';
import { metricsOf } from '../api/metrics/metrics-listener.js';
import type { Log } from '../kernel/log.js';
import type { Settings } from '../kernel/settings/settings.js';
import { explainPort, listenForMetrics, listenForProbes } from './listen.js';
import { drain, type Stops } from './stop.js';
import { MetricsReader } from '../store/metrics/metrics-reader.js';

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

export interface Listeners {
  readonly probes: string | undefined;
  readonly metrics: string | undefined;
}

/** Answers probes and metrics on ports of their own, until the very end. */
export async function openListeners(app: INestApplicationContext, settings: Settings, log: Log, stops: Stops): Promise<Listeners> {
  return {
    metrics: await listenForMetrics(metricsOf(app.get(MetricsReader)), settings, log, stops),
    probes: await listenForProbes(app.get(Health), settings, stops),
  };
}
