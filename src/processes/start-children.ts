import { fork, type ChildProcess } from 'node:child_process';
import type { Server } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import { okAnswer, type ProbeAnswer, probeListener } from '../api/health/health.js';
import { METRICS_PATH, METRICS_VALUES_PATH, metricsListener } from '../api/metrics/metrics-listener.js';
import { createLog } from '../kernel/log.js';
import { unavailable } from '../kernel/problems.js';
import { type Settings, StartError } from '../kernel/settings/settings.js';
import { listenAt, listenForMetrics } from '../program/listen.js';
import { stopOnSignal, type Stops } from '../program/stop.js';
import type { Metric } from '../store/metrics/metrics-reader.js';
import { WORKER_NUMBER } from './worker-number.js';
import { WorkerProcesses } from './worker-processes.js';

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

const METRICS_WITHIN_MS = 5000;

/** The metrics of all worker processes as those of one. A process that does not answer is left out. */
export function metricsOfWorkers(workers: WorkerProcesses): Server {
  return metricsListener({
    [METRICS_PATH]: async () => {
      const answers = await Promise.allSettled(workers.addressesOf('metrics').map((address) => askForMetrics(address)));
      const metrics = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
      return AggregatorRegistry.aggregate(metrics).metrics();
    },
  });
}

async function askForMetrics(address: string): Promise<Metric[]> {
  const answer = await fetch(`${address}${METRICS_VALUES_PATH}`, { signal: AbortSignal.timeout(METRICS_WITHIN_MS) });
  return (await answer.json()) as Metric[];
}

/** A probe is answered within a second, also when a worker process hangs. */
const PROBE_WITHIN_MS = 900;
/** A killed process stops answering at once, and this one is told of its end a moment later. */
const END_TOLD_WITHIN_MS = 50;

/** Answers probes for all worker processes: each is asked, and a bad answer of one is the answer. */
export const probesOf = (workers: WorkerProcesses, baseUrl: string): Server => probeListener(baseUrl, (path) => askForProbe(workers, path));

async function askForProbe(workers: WorkerProcesses, path: string): Promise<ProbeAnswer> {
  const asked = await Promise.all(workers.addressesOf('probes').map((address) => askOne(workers, address, path)));
  const answers = asked.filter((answer) => answer !== undefined);
  // One that was lost is being started again: the process as a whole is alive then, but not ready.
  if (path === '/health/ready' && !workers.isReady) throw unavailable('Not all worker processes are ready.');
  if (answers.length === 0 && path !== '/health/live') throw unavailable('No worker process is ready.');
  return answers.find(({ status }) => status !== 200) ?? answers[0] ?? okAnswer({ status: 'ok' });
}

/** undefined of a process that has ended meanwhile. */
async function askOne(workers: WorkerProcesses, address: string, path: string): Promise<ProbeAnswer | undefined> {
  try {
    const answer = await fetch(`${address}${path}`, { signal: AbortSignal.timeout(PROBE_WITHIN_MS) });
    return { status: answer.status, mediaType: answer.headers.get('content-type') ?? '', body: await answer.text() };
  } catch (cause) {
    await wait(END_TOLD_WITHIN_MS);
    if (!workers.addressesOf('probes').includes(address)) return undefined;
    throw unavailable('A worker process does not answer.', cause);
  }
}

const NEW_LINE = 10;

/** Passes on what a process writes, line by line: written by several processes to one pipe, long lines would be mixed up. */
export function passOnLines(from: Readable, to: Writable): void {
  let rest: Buffer[] = [];
  from.on('data', (chunk: Buffer) => {
    const end = chunk.lastIndexOf(NEW_LINE) + 1;
    if (end === 0) return void rest.push(chunk);
    to.write(Buffer.concat([...rest, chunk.subarray(0, end)]));
    rest = end < chunk.length ? [chunk.subarray(end)] : [];
  });
  from.once('end', () => {
    if (rest.length > 0) to.write(Buffer.concat(rest));
  });
}
