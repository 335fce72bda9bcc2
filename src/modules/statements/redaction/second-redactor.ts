import { ComputeThread, OutOfMemory } from '../../../store/threads/compute-thread.js';
import { Mailbox } from '../../../store/threads/mailbox.js';
import { MAX_ON_THE_WAY, OUT_OF_MEMORY } from '../../../store/threads/messages.js';
import type { StatementLine } from '../../../../tools/bank-files/index.js';
import type { LinesToRedact, Masked } from './redact-lines.computation.js';
import type { RedactedLine } from '../../../../tools/personal-data/index.js';

const REDACT_LINES = new URL('./redact-lines.computation.js', import.meta.url);

type Batch = readonly StatementLine[];

/** Another thread that redacts some of the lines that this one reads: half of them, if it is as fast. */
export class SecondRedactor {
  private readonly batches = new Mailbox<Batch | undefined>();
  private readonly waiting: Pick<PromiseWithResolvers<readonly RedactedLine[]>, 'resolve' | 'reject'>[] = [];
  private readonly thread: ComputeThread;
  private readonly masked: Promise<Masked>;

  constructor(input: LinesToRedact, memoryMib: number) {
    this.thread = new ComputeThread(memoryMib);
    this.masked = this.run(input);
    // Whoever waits for a batch learns of an error.
    this.masked.catch((error: unknown) => this.waiting.forEach(({ reject }) => reject(error)));
  }

  /** It has no more batches than it can work on without a pause. */
  get isFree(): boolean {
    return this.waiting.length < MAX_ON_THE_WAY;
  }

  redact(batch: Batch): Promise<readonly RedactedLine[]> {
    this.batches.put(batch);
    return new Promise((resolve, reject) => void this.waiting.push({ resolve, reject }));
  }

  finish(): Promise<Masked> {
    this.batches.put(undefined);
    return this.masked;
  }

  end(): Promise<void> {
    return this.thread.end();
  }

  private async run(input: LinesToRedact): Promise<Masked> {
    const outputs = this.thread.compute({ file: REDACT_LINES.href, input, items: this.given(), stop: new AbortController() });
    try {
      for (;;) {
        const { done, value } = await outputs.next();
        if (done) return value as Masked;
        this.waiting.shift()!.resolve(value as readonly RedactedLine[]);
      }
    } catch (error) {
      throw error instanceof OutOfMemory ? Object.assign(new Error('Too much memory.'), { code: OUT_OF_MEMORY }) : error;
    }
  }

  private async *given(): AsyncGenerator<Batch> {
    for (let batch = await this.batches.take(); batch; batch = await this.batches.take()) yield batch;
  }
}
