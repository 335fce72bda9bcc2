import { fork, type ChildProcess } from 'node:child_process';
import { createLog } from '../kernel/log.js';
import type { Settings } from '../kernel/settings/settings.js';
import { StartError } from '../kernel/start-error.js';
import { listenAt, listenForMetrics } from '../program/listen.js';
import { stopOnSignal, type Stops } from '../program/stop.js';
import { passOnLines } from './whole-lines.js';
import { WORKER_NUMBER } from './worker-number.js';
import { metricsOfWorkers } from './worker-metrics.js';
import { WorkerProcesses } from './worker-processes.js';
import { probesOf } from './worker-probes.js';

/** Starts WORKER_PROCESSES workers under this process. It passes on signals, log lines, probes and metrics, and does nothing else. */
export async function startWorkers(settings: Settings, env: NodeJS.ProcessEnv): Promise<void> {
  if (settings.databaseUrl === undefined)
    throw new StartError('WORKER_PROCESSES above 1 needs DATABASE_URL: the embedded database belongs to one process.');
  const log = createLog(settings);
  const giveUp = (): void => {
    log.fatal('no worker process is left');
    log.flush(() => process.exit(1));
  };
  const workers = new WorkerProcesses(settings.workerProcesses, (number) => startWorker(number, settings, env), log, giveUp);
  // Also after a second signal. What is left then must not work on with nobody above it.
  process.once('exit', () => workers.kill());
  const stops: Stops = [() => workers.stop()];
  stopOnSignal(stops, log);
  const { healthPort: port, host } = settings;
  const probes =
    port === undefined ? undefined : await listenAt(probesOf(workers, settings.publicUrl), { port, host, name: 'HEALTH_PORT' }, stops);
  const metrics = await listenForMetrics(metricsOfWorkers(workers), settings, log, stops);
  // Told to stop before that, it is never ready.
  if (!(await workers.start())) return;
  log.info({ role: settings.role, processes: settings.workerProcesses, probes, metrics }, 'ready');
}

/** Another process of the same program. Its probes and metrics are for this process only. */
function startWorker(number: number, settings: Settings, env: NodeJS.ProcessEnv): ChildProcess {
  const own = {
    WORKER_PROCESSES: '1',
    [WORKER_NUMBER]: String(number),
    HOST: '127.0.0.1',
    METRICS_PORT: '0',
    METRICS_HOST: '127.0.0.1',
    HEALTH_PORT: settings.healthPort === undefined ? '' : '0',
    BASE_URL: settings.publicUrl,
    LOG_FORMAT: settings.logFormat === 'auto' && process.stdout.isTTY ? 'pretty' : settings.logFormat,
  };
  const [, program, ...args] = process.argv;
  const child = fork(program!, args, { env: { ...env, ...own }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  passOnLines(child.stdout!, process.stdout);
  passOnLines(child.stderr!, process.stderr);
  return child;
}
