import { afterAll, expect, inject, it } from 'vitest';
import { createDatabase } from '../support/database.js';
import { startDocumentedApp } from '../support/documented-app.js';
import { startProcess } from '../support/process.js';
import { sendRequests } from './send-requests.js';
import { makeWorld, NO_LIMITS } from './world.js';

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 100_000);
const SEED = Number(process.env.FUZZ_SEED ?? 1);
const CONNECTIONS = Number(process.env.FUZZ_CONNECTIONS ?? 8);
const PATIENCE_MS = 3_600_000;

const database = await createDatabase();
const redisUrl = inject('redisUrl');
const env = { ...NO_LIMITS, DATABASE_URL: database.url, ...(redisUrl && { REDIS_URL: redisUrl }) };
const app = await startDocumentedApp(env);
const service = await startProcess({ ...env, DATABASE_POOL_SIZE: '10', REQUEST_TIMEOUT_MS: '10000' });
afterAll(async () => {
  await service.kill();
  await app.close();
  await database.drop();
});

it(`answers ${REQUESTS} generated requests without a 5xx`, { timeout: PATIENCE_MS }, async () => {
  const world = await makeWorld(app, service.url);
  const started = Date.now();
  let shown = 0;
  const report = await sendRequests(world, {
    requests: REQUESTS,
    seed: SEED,
    connections: CONNECTIONS,
    onProgress: ({ sent, findings }) => {
      for (const finding of findings.slice(shown)) console.log(JSON.stringify(finding));
      shown = findings.length;
      if (sent % 10_000 === 0) console.log(`${sent} sent, ${shown} findings, ${Math.round((Date.now() - started) / 1000)} s`);
    },
  });
  console.log(report.statuses, report.routes);
  const { stdout } = await service.stop();
  const errors = stdout.split('\n').filter((line) => /^\{"level":(?:50|60|"error"|"fatal")/.test(line));
  console.log(`Errors in the log: ${errors.length}`, errors.slice(0, 5));
  expect(report.findings).toEqual([]);
  expect(errors).toEqual([]);
});
