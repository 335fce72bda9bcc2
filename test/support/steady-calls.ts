import { Agent, get } from 'node:http';
import { Worker, parentPort, workerData } from 'node:worker_threads';

interface Wanted {
  readonly url: string;
  readonly key: string;
  readonly perSecond: number;
  readonly seconds: number;
}

interface Timed {
  readonly status: number;
  readonly ms: number;
}

/**
 * Calls at a steady rate, whether or not those before were answered, and tells how long each took. They are made in a thread of their
 * own, so that nothing else the test does is measured with them.
 */
export async function steadyCalls(wanted: Wanted): Promise<Timed[]> {
  const worker = new Worker(new URL('./steady-calls.ts', import.meta.url), { workerData: wanted });
  return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
}

if (parentPort) void callSteadily(workerData as Wanted).then((timed) => parentPort!.postMessage(timed));

async function callSteadily({ url, key, perSecond, seconds }: Wanted): Promise<Timed[]> {
  const agent = new Agent({ keepAlive: true });
  const call = (): Promise<Timed> => {
    const since = performance.now();
    return new Promise((resolve, reject) => {
      get(url, { agent, headers: { 'X-API-Key': key } }, (answer) => {
        answer.on('end', () => resolve({ status: answer.statusCode!, ms: performance.now() - since })).resume();
      }).on('error', reject);
    });
  };
  const calls: Promise<Timed>[] = [];
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      calls.push(call());
      if (calls.length < seconds * perSecond) return;
      clearInterval(timer);
      resolve();
    }, 1000 / perSecond);
  });
  const timed = await Promise.all(calls);
  agent.destroy();
  return timed;
}
