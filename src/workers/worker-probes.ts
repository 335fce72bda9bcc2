import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { okAnswer, type ProbeAnswer, probeListener } from '../api/health/health-listener.js';
import { unavailable } from '../kernel/problems.js';
import type { WorkerProcesses } from './worker-processes.js';

/** A probe is answered within a second, also when a worker process hangs. */
const ANSWERED_WITHIN_MS = 900;
/** A killed process stops answering at once, and this one is told of its end a moment later. */
const END_TOLD_WITHIN_MS = 50;

/** Answers probes for all worker processes: each is asked, and a bad answer of one is the answer. */
export const probesOf = (workers: WorkerProcesses, baseUrl: string): Server => probeListener(baseUrl, (path) => ask(workers, path));

async function ask(workers: WorkerProcesses, path: string): Promise<ProbeAnswer> {
  const asked = await Promise.all(workers.probes.map((address) => askOne(workers, address, path)));
  const answers = asked.filter((answer) => answer !== undefined);
  // One that was lost is being started again: the process as a whole is alive then, but not ready.
  if (path === '/health/ready' && !workers.isReady) throw unavailable('Not all worker processes are ready.');
  if (answers.length === 0 && path !== '/health/live') throw unavailable('No worker process is ready.');
  return answers.find(({ status }) => status !== 200) ?? answers[0] ?? okAnswer({ status: 'ok' });
}

/** undefined of a process that has ended meanwhile. */
async function askOne(workers: WorkerProcesses, address: string, path: string): Promise<ProbeAnswer | undefined> {
  try {
    const answer = await fetch(`${address}${path}`, { signal: AbortSignal.timeout(ANSWERED_WITHIN_MS) });
    return { status: answer.status, mediaType: answer.headers.get('content-type') ?? '', body: await answer.text() };
  } catch (cause) {
    await wait(END_TOLD_WITHIN_MS);
    if (!workers.probes.includes(address)) return undefined;
    throw unavailable('A worker process does not answer.', cause);
  }
}
