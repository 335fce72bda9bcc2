import { on } from 'node:events';
import type { HeapInfo } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { JobFailure } from '../../kernel/failure.js';
import { filesDeclared } from './declared-files.js';
import { LOOK_EVERY_MS, OUT_OF_MEMORY, type FromThread, type ThreadData, type ToThread, type Trace } from './messages.js';

export interface Assignment {
  readonly file: string;
  readonly input: unknown;
  readonly items: AsyncIterable<unknown>;
  /** How much memory a second thread may have; undefined if there must be none. */
  readonly secondMib?: number | undefined;
  /** Aborts the computation with a reason, wherever it is. */
  readonly stop: AbortController;
}

export class OutOfMemory extends Error {}

/** For values that are soon given up. With the default of V8, a thread takes 30 MB more and computes no faster. */
const YOUNG_MIB = 16;
const MIB = 1024 * 1024;

/** Since Node 22.16 a thread can be asked while it computes; before, it looks itself whenever its computation waits. */
type Asked = Worker & { getHeapStatistics?: () => Promise<HeapInfo> };
const CAN_BE_ASKED = 'getHeapStatistics' in Worker.prototype;

export class ComputeThread {
  private readonly worker: Asked;
  private hasEnded = false;

  constructor(private readonly memoryMib: number) {
    // Without the environment of the process: it has secrets that no computation needs.
    const resourceLimits = { maxOldGenerationSizeMb: memoryMib, maxYoungGenerationSizeMb: YOUNG_MIB };
    const workerData: ThreadData = { files: filesDeclared(), ...(!CAN_BE_ASKED && { memoryMib }) };
    this.worker = new Worker(new URL('./thread.js', import.meta.url), { env: {}, resourceLimits, workerData });
    // A running computation learns of an error by itself. This keeps an idle thread from ending the process.
    this.worker.on('error', () => undefined).once('exit', () => (this.hasEnded = true));
    this.worker.unref();
  }

  get isUsable(): boolean {
    return !this.hasEnded;
  }

  /** Yields the outputs of a computation. A thread whose computation did not come to its own end is not used again. */
  async *compute({ file, input, items, secondMib, stop }: Assignment): AsyncGenerator<unknown, unknown> {
    const source = items[Symbol.asyncIterator]();
    let fed = Promise.resolve();
    const feed = (): void => void (fed = fed.then(() => this.sendNext(source)).catch((error: unknown) => stop.abort(error)));
    // Not at the next message: a computation that is stopped may not send any.
    stop.signal.addEventListener('abort', () => void this.end());
    let [isComplete, isOver] = [false, false];
    const look = async (): Promise<void> => {
      if ((await this.usedBytes()) > this.memoryMib * MIB && !isOver) stop.abort(new OutOfMemory());
    };
    const looking = setInterval(() => void look(), LOOK_EVERY_MS);
    this.worker.ref();
    try {
      stop.signal.throwIfAborted();
      this.post({ kind: 'start', file, input, secondMib });
      for await (const [message] of this.messages(stop.signal)) {
        if (message.kind === 'want') feed();
        else if (message.kind === 'output') {
          yield message.value;
          this.post({ kind: 'taken' });
        } else {
          isComplete = message.kind !== 'error';
          return resultOf(message);
        }
      }
      throw new Error('A thread ended while it was computing.');
    } catch (error) {
      throw stop.signal.aborted ? stop.signal.reason : explained(error);
    } finally {
      clearInterval(looking);
      isOver = true;
      // An item that is still on its way must not arrive in the next computation.
      if (isComplete) await fed;
      else await this.end();
      void fed.then(() => source.return?.()).catch(() => undefined);
      this.worker.unref();
    }
  }

  /** Ends the thread at once, whatever it is doing. */
  async end(): Promise<void> {
    this.hasEnded = true;
    await this.worker.terminate();
  }

  /** V8 bounds the heap of a thread, but not its buffers. */
  private async usedBytes(): Promise<number> {
    const memory = await this.worker.getHeapStatistics?.().catch(() => undefined);
    return memory ? memory.used_heap_size + memory.external_memory : 0;
  }

  private messages(signal: AbortSignal): AsyncIterable<[FromThread]> {
    return on(this.worker, 'message', { signal, close: ['exit'] }) as AsyncIterable<[FromThread]>;
  }

  private async sendNext(source: AsyncIterator<unknown>): Promise<void> {
    const next = await source.next();
    this.post(next.done ? { kind: 'end_of_items' } : { kind: 'item', value: next.value });
  }

  private post(message: ToThread): void {
    this.worker.postMessage(message);
  }
}

function resultOf(message: Extract<FromThread, { kind: 'result' | 'failure' | 'error' }>): unknown {
  if (message.kind === 'result') return message.value;
  if (message.kind === 'failure') throw new JobFailure(message.failure.code, message.failure.message);
  throw errorOf(message.error);
}

/** An error of the thread, to be logged here. */
function errorOf({ name, code, stack }: Trace): Error {
  return Object.assign(new Error('A computation failed.'), { name, code, stack: `${name}\n${stack}` });
}

const explained = (error: unknown): unknown => ((error as { code?: unknown }).code === OUT_OF_MEMORY ? new OutOfMemory() : error);
