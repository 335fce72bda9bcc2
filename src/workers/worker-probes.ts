import { createServer, type Server, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { newShortLivedId } from '../kernel/ids.js';
import { Problem, PROBLEM_MEDIA_TYPE, problemBody } from '../kernel/problems.js';
import type { WorkerProcesses } from './worker-processes.js';

/** A probe is answered within a second, also when a worker process hangs. */
const ANSWERED_WITHIN_MS = 900;
/** A killed process stops answering at once, and this one is told of its end a moment later. */
const END_TOLD_WITHIN_MS = 50;

/** Answers probes for all worker processes: each is asked, and a bad answer of one is the answer. */
export function probesOf(workers: WorkerProcesses, baseUrl: string): Server {
  return createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0]!;
    ask(workers, path)
      .catch((error: unknown) => answerTo(error, baseUrl))
      .then((answer) => send(response, answer))
      .catch(() => response.destroy());
  });
}

interface Answer {
  readonly status: number;
  readonly mediaType: string;
  readonly body: string;
}

async function ask(workers: WorkerProcesses, path: string): Promise<Answer> {
  const answers = (await Promise.all(workers.probes.map((address) => askOne(workers, address, path)))).filter(
    (answer) => answer !== undefined,
  );
  // One that was lost is being started again: the process as a whole is alive then, but not ready.
  if (path === '/health/ready' && !workers.isReady) throw unavailable('Not all worker processes are ready.');
  const ok: Answer = { status: 200, mediaType: 'application/json', body: JSON.stringify({ status: 'ok' }) };
  if (answers.length === 0 && path !== '/health/live') throw unavailable('No worker process is ready.');
  return answers.find(({ status }) => status !== 200) ?? answers[0] ?? ok;
}

/** undefined of a process that has ended meanwhile. */
async function askOne(workers: WorkerProcesses, address: string, path: string): Promise<Answer | undefined> {
  try {
    const answer = await fetch(`${address}${path}`, { signal: AbortSignal.timeout(ANSWERED_WITHIN_MS) });
    return { status: answer.status, mediaType: answer.headers.get('content-type') ?? '', body: await answer.text() };
  } catch (cause) {
    await wait(END_TOLD_WITHIN_MS);
    if (!workers.probes.includes(address)) return undefined;
    throw unavailable('A worker process does not answer.', cause);
  }
}

function answerTo(error: unknown, baseUrl: string): Answer {
  const problem = error instanceof Problem ? error : new Problem('internal_error', { cause: error });
  const body = JSON.stringify(problemBody(problem, { baseUrl, requestId: newShortLivedId() }));
  return { status: problem.status, mediaType: PROBLEM_MEDIA_TYPE, body };
}

function send(response: ServerResponse, { status, mediaType, body }: Answer): void {
  // A new connection for each probe, so that none keeps the process from ending.
  response.writeHead(status, { 'Content-Type': mediaType, 'Cache-Control': 'no-store', Connection: 'close' }).end(body);
}

const unavailable = (detail: string, cause?: unknown): Problem =>
  new Problem('unavailable', { detail, headers: { 'Retry-After': '1' }, cause });
