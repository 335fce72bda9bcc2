import { fork, type ChildProcess, type StdioOptions } from 'node:child_process';
import cluster from 'node:cluster';
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
import { type Child, ChildProcesses } from './child-processes.js';
import { PROCESS_NUMBER } from './processes.js';

/**
 * Starts API_PROCESSES and WORKER_PROCESSES under this process. It shares out connections, passes on signals, log lines, probes and
 * metrics, and does nothing else.
 */
export async function startChildren(settings: Settings, env: NodeJS.ProcessEnv): Promise<void> {
  requireShared(settings);
  const { role, apiProcesses, workerProcesses, healthPort: port, host } = settings;
  const log = createLog(settings);
  const giveUp = (of: Child['role']): void => {
    log.fatal(`no process of the ${of} is left`);
    log.flush(() => process.exit(1));
  };
  const wanted = [...several('api', role === 'worker' ? 0 : apiProcesses), ...several('worker', role === 'api' ? 0 : workerProcesses)];
  const children = new ChildProcesses(wanted, (child) => startChild(child, settings, env), log, giveUp);
  // Also after a second signal. What is left then must not work on with nobody above it.
  process.once('exit', () => children.kill());
  const stops: Stops = [() => children.stop()];
  stopOnSignal(stops, log);
  const probes =
    port === undefined ? undefined : await listenAt(probesOf(children, settings.publicUrl), { port, host, name: 'HEALTH_PORT' }, stops);
  const metrics = await listenForMetrics(metricsOfAll(children), settings, log, stops);
  // Told to stop before that, it is never ready.
  if (!(await children.start())) return;
  log.info({ role, processes: wanted.length, address: children.addressesOf('address')[0], probes, metrics }, 'ready');
}

const several = (role: Child['role'], count: number): Child[] =>
  Array.from({ length: count }, (_none, index) => ({ role, number: index + 1 }));

function requireShared({ role, apiProcesses, databaseUrl, redisUrl }: Settings): void {
  const name = role !== 'worker' && apiProcesses > 1 ? 'API_PROCESSES' : 'WORKER_PROCESSES';
  if (databaseUrl === undefined) throw new StartError(`${name} above 1 needs DATABASE_URL: the embedded database belongs to one process.`);
  if (name === 'API_PROCESSES' && redisUrl === undefined)
    throw new StartError('API_PROCESSES above 1 needs REDIS_URL: without it each process would count the limits of a key by itself.');
}

/** Another process of the same program. Its probes and metrics are for this process only. */
function startChild({ role, number }: Child, settings: Settings, env: NodeJS.ProcessEnv): ChildProcess {
  const own = {
    ROLE: role,
    API_PROCESSES: '1',
    WORKER_PROCESSES: '1',
    [PROCESS_NUMBER]: String(number),
    METRICS_PORT: '0',
    METRICS_HOST: '127.0.0.1',
    HEALTH_PORT: settings.healthPort === undefined ? '' : '0',
    ...(role === 'worker' && { HOST: '127.0.0.1', BASE_URL: settings.publicUrl }),
    LOG_FORMAT: settings.logFormat === 'auto' && process.stdout.isTTY ? 'pretty' : settings.logFormat,
  };
  const [, program, ...args] = process.argv;
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', 'ipc'];
  cluster.setupPrimary({ exec: program!, args, stdio });
  const child = role === 'api' ? cluster.fork({ ...env, ...own }).process : fork(program!, args, { env: { ...env, ...own }, stdio });
  passOnLines(child.stdout!, process.stdout);
  passOnLines(child.stderr!, process.stderr);
  return child;
}

const METRICS_WITHIN_MS = 5000;

/** The metrics of all processes as those of one. A process that does not answer is left out. */
export function metricsOfAll(children: ChildProcesses): Server {
  return metricsListener({
    [METRICS_PATH]: async () => {
      const answers = await Promise.allSettled(children.addressesOf('metrics').map((address) => askForMetrics(address)));
      const metrics = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
      return AggregatorRegistry.aggregate(metrics).metrics();
    },
  });
}

async function askForMetrics(address: string): Promise<Metric[]> {
  const answer = await fetch(`${address}${METRICS_VALUES_PATH}`, { signal: AbortSignal.timeout(METRICS_WITHIN_MS) });
  return (await answer.json()) as Metric[];
}

/** A probe is answered within a second, also when a process hangs. */
const PROBE_WITHIN_MS = 900;
/** A killed process stops answering at once, and this one is told of its end a moment later; on a busy machine, some moments. */
const END_TOLD_WITHIN_MS = 500;
const LOOK_MS = 25;

/** Answers probes for all processes: each is asked, and a bad answer of one is the answer. */
export const probesOf = (children: ChildProcesses, baseUrl: string): Server =>
  probeListener(baseUrl, (path) => askForProbe(children, path));

async function askForProbe(children: ChildProcesses, path: string): Promise<ProbeAnswer> {
  const asked = await Promise.all(children.addressesOf('probes').map((address) => askOne(children, address, path)));
  const answers = asked.filter((answer) => answer !== undefined);
  // One that was lost is being started again: the process as a whole is alive then, but not ready.
  if (path === '/health/ready' && !children.isReady) throw unavailable('Not all processes are ready.');
  if (answers.length === 0 && path !== '/health/live') throw unavailable('No process is ready.');
  return answers.find(({ status }) => status !== 200) ?? answers[0] ?? okAnswer({ status: 'ok' });
}

/** undefined of a process that has ended meanwhile. */
async function askOne(children: ChildProcesses, address: string, path: string): Promise<ProbeAnswer | undefined> {
  try {
    const answer = await fetch(`${address}${path}`, { signal: AbortSignal.timeout(PROBE_WITHIN_MS) });
    return { status: answer.status, mediaType: answer.headers.get('content-type') ?? '', body: await answer.text() };
  } catch (cause) {
    const isThere = () => children.addressesOf('probes').includes(address);
    const isSilent = (cause as Error).name === 'TimeoutError';
    for (let waited = 0; waited < END_TOLD_WITHIN_MS && isThere() && !isSilent; waited += LOOK_MS) await wait(LOOK_MS);
    if (!isThere()) return undefined;
    throw unavailable('A process does not answer.', cause);
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
