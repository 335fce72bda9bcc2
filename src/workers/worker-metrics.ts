import type { Server } from 'node:http';
import { AggregatorRegistry } from 'prom-client';
import { METRICS_PATH, METRICS_VALUES_PATH, metricsListener } from '../api/metrics/metrics-listener.js';
import type { Metric } from '../store/metrics/metrics-reader.js';
import type { WorkerProcesses } from './worker-processes.js';

const ANSWERED_WITHIN_MS = 5000;

/** The metrics of all worker processes as those of one. A process that does not answer is left out. */
export function metricsOfWorkers(workers: WorkerProcesses): Server {
  return metricsListener({
    [METRICS_PATH]: async () => {
      const answers = await Promise.allSettled(workers.metrics.map((address) => ask(address)));
      const metrics = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
      return AggregatorRegistry.aggregate(metrics).metrics();
    },
  });
}

async function ask(address: string): Promise<Metric[]> {
  const answer = await fetch(`${address}${METRICS_VALUES_PATH}`, { signal: AbortSignal.timeout(ANSWERED_WITHIN_MS) });
  return (await answer.json()) as Metric[];
}
