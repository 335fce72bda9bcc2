import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { JobFailure } from '../../kernel/failure.js';
import { LOOK_EVERY_MS, MAX_ON_THE_WAY, OUT_OF_MEMORY } from './messages.js';
import type { AnyComputation, FromThread, ThreadData, ToThread, Trace } from './messages.js';
import { Mailbox } from './mailbox.js';
import { declareInThreads } from './declared-files.js';

// The program of a thread: runs computations for its process, one after the other.

const port = parentPort!;
const post = (message: FromThread, transferred: readonly ArrayBuffer[] = []): void => port.postMessage(message, transferred);

let items = new Mailbox<Extract<ToThread, { kind: 'item' | 'end_of_items' }>>();
let taken = new Mailbox<void>();
const { files, memoryMib } = workerData as ThreadData;

letOthersGoFirst();
if (memoryMib !== undefined) setInterval(endWithTooMuch, LOOK_EVERY_MS, memoryMib * 1024 * 1024).unref();
let declared: Promise<void> | undefined;

port.on('message', (message: ToThread) => {
  if (message.kind === 'taken') return taken.put();
  if (message.kind !== 'start') return items.put(message);
  // What still comes for an earlier computation must not reach this one.
  items = new Mailbox();
  taken = new Mailbox();
  void run(message);
});

/** Requests are answered before anything is computed. Linux gives each thread a priority; elsewhere all are equal. */
function letOthersGoFirst(): void {
  if (process.platform !== 'linux') return;
  try {
    const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(threadId, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Without /proc, or where it is not allowed: then computing takes its turn like everything else.
  }
}

function endWithTooMuch(limitBytes: number): void {
  const { heapUsed, external } = process.memoryUsage();
  if (heapUsed + external > limitBytes) throw Object.assign(new Error('Too much memory.'), { code: OUT_OF_MEMORY });
}

async function loadDeclared(): Promise<void> {
  for (const file of files) {
    await import(file);
    // For a thread of this one.
    declareInThreads(file);
  }
}

async function run({ file, input, secondMib }: Extract<ToThread, { kind: 'start' }>): Promise<void> {
  try {
    await (declared ??= loadDeclared());
    const { default: compute } = (await import(file)) as { default: AnyComputation };
    const outputs = compute(input, arriving(), secondMib);
    for (let ahead = 1; ; ahead += 1) {
      const { done, value } = await outputs.next();
      if (done) return post({ kind: 'result', value });
      post({ kind: 'output', value }, wholeBuffersIn(value));
      if (ahead < MAX_ON_THE_WAY) continue;
      await taken.take();
      ahead -= 1;
    }
  } catch (error) {
    if (error instanceof JobFailure) post({ kind: 'failure', failure: { code: error.code, message: error.message } });
    else post({ kind: 'error', error: traceOf(error) });
  }
}

async function* arriving(): AsyncGenerator<unknown> {
  for (let count = 0; count < MAX_ON_THE_WAY; count += 1) post({ kind: 'want' });
  for (;;) {
    const next = await items.take();
    if (next.kind === 'end_of_items') return;
    post({ kind: 'want' });
    yield next.value;
  }
}

/** Large bytes change hands without being copied. An output must not be used after it was yielded. */
function wholeBuffersIn(value: unknown): ArrayBuffer[] {
  if (typeof value !== 'object' || value === null) return [];
  const bytes = Object.values(value)
    .flat()
    .filter((one): one is Uint8Array => one instanceof Uint8Array);
  return bytes.flatMap(({ buffer, byteLength }) => (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []));
}

function traceOf(error: unknown): Trace {
  const { name = 'Error', code, stack = '' } = error as Partial<Error> & { code?: unknown };
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  return { name, code: typeof code === 'string' ? code : undefined, stack: frames.join('\n') };
}
