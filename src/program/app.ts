import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Tracing } from '../store/tracing/tracing.js';
import { AppModule } from '../app.module.js';
import type { Extension } from '../extension.js';
import { Documents } from '../modules/contracts/index.js';
import type { Settings } from '../kernel/settings/settings.js';
import { nestLogger } from '../api/http/nest-logger.js';
import { loadValidation } from '../api/validation/read-request.js';
import type { Log } from '../kernel/log.js';
import { loadExtensions } from './extensions/load-extensions.js';

const options = (log: Log) => ({ logger: nestLogger(log), abortOnError: false });

/** The HTTP application, ready to listen. Tests give it extensions of their own. */
export async function createApp(settings: Settings, log: Log, extensions?: readonly Extension[]): Promise<NestFastifyApplication> {
  // Loaded here, so that commands and workers need not wait for Fastify.
  const [{ httpAdapter }, { logRequests }, { traceRequests }] = await Promise.all([
    import('../api/http/http-server.js'),
    import('../api/http/answered-requests.js'),
    import('../api/http/trace-requests.js'),
    loadValidation(),
  ]);
  const module = AppModule.with(settings, log, extensions ?? (await loadExtensions()));
  const app = await NestFactory.create<NestFastifyApplication>(module, httpAdapter(settings, log), {
    ...options(log),
    bodyParser: false,
  });
  traceRequests(app.getHttpAdapter().getInstance(), app.get(Tracing));
  logRequests(app.getHttpAdapter().getInstance(), log);
  await app.get(Documents).serve(app, settings);
  return app;
}

export async function createContext(settings: Settings, log: Log, extensions?: readonly Extension[]): Promise<INestApplicationContext> {
  const module = AppModule.with(settings, log, extensions ?? (await loadExtensions()));
  return NestFactory.createApplicationContext(module, options(log));
}
