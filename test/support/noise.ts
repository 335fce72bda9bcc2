import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker, parentPort, workerData } from 'node:worker_threads';

/** Calls that one tenant makes over and over. `#` in a path or a body becomes another number each time. */
export interface Noise {
  readonly name: string;
  readonly atOnce: number;
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** How often each status was answered, by the name of the noise. 0 is an answer that did not come. */
export type Heard = Readonly<Record<string, Readonly<Record<number, number>>>>;

interface Given {
  readonly url: string;
  readonly noises: readonly Noise[];
}

/** What each caller waits after an answer. Without it, the callers would mostly measure their own machine. */
const PAUSE_MS = 200;

/** Makes noise in a thread of its own, so that it does not delay the test that measures. Call the result to end it. */
export function makeNoise(url: string, noises: readonly Noise[]): () => Promise<Heard> {
  const worker = new Worker(new URL('./noise.ts', import.meta.url), { workerData: { url, noises } satisfies Given });
  const heard = new Promise<Heard>((resolve, reject) => worker.once('message', resolve).once('error', reject));
  return () => {
    worker.postMessage('end');
    return heard;
  };
}

if (parentPort) void callUntilTold(parentPort, workerData as Given);

async function callUntilTold(port: NonNullable<typeof parentPort>, { url, noises }: Given): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const heard: Record<string, Record<number, number>> = {};
  let isOver = false;
  let count = 0;
  port.once('message', () => (isOver = true));
  const callers = noises.flatMap((noise) => {
    const statuses = (heard[noise.name] = {} as Record<number, number>);
    return Array.from({ length: noise.atOnce }, async () => {
      while (!isOver) {
        const status = await statusOf(agent, url, noise, (count += 1));
        statuses[status] = (statuses[status] ?? 0) + 1;
        await pause(PAUSE_MS);
      }
    });
  });
  await Promise.all(callers);
  agent.destroy();
  port.postMessage(heard);
}

function statusOf(agent: Agent, url: string, { method, path, headers, body }: Noise, count: number): Promise<number> {
  const numbered = (text: string): string => text.replaceAll('#', String(count));
  return new Promise((resolve) => {
    const call = request(new URL(numbered(path), url), {
      agent,
      method,
      headers: { ...(method !== 'GET' && { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() }), ...headers },
    });
    call.on('response', (answer) => answer.on('close', () => resolve(answer.statusCode!)).resume());
    call.on('error', () => resolve(0));
    call.end(body === undefined ? undefined : numbered(body));
  });
}
