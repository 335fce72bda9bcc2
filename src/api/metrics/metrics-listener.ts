import { createServer, type Server } from 'node:http';
import type { MetricsReader } from '../../store/metrics/metrics-reader.js';

export const METRICS_PATH = '/metrics';
/** The same for the process that has started this one, which adds up those of all its workers. */
export const METRICS_VALUES_PATH = '/metrics.json';
const TEXT = 'text/plain; version=0.0.4; charset=utf-8';

export function metricsListener(answers: Readonly<Record<string, () => Promise<string>>>): Server {
  return createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0]!;
    const answer = Object.hasOwn(answers, path) ? answers[path] : undefined;
    const isRead = request.method === 'GET';
    if (!answer || !isRead) return void response.writeHead(answer ? 405 : 404, { Connection: 'close' }).end();
    answer().then(
      (text) => response.writeHead(200, { 'Content-Type': path === METRICS_PATH ? TEXT : 'application/json' }).end(text),
      () => response.writeHead(500, { Connection: 'close' }).end(),
    );
  });
}

export function metricsOf(reader: MetricsReader): Server {
  reader.begin();
  return metricsListener({ [METRICS_PATH]: () => reader.text(), [METRICS_VALUES_PATH]: async () => JSON.stringify(await reader.values()) });
}
