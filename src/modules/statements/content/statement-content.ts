import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/time.js';
import type { Tenant } from '../../../kernel/context.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { Threads } from '../../../store/threads/threads.js';
import { LinesRepository } from './lines.repository.js';
import { OriginalsRepository } from './originals.repository.js';
import type readAndRedact from './read-and-redact.computation.js';
import type { FileToRead, ReadFile } from './read-and-redact.computation.js';
import type { StoredReadingOptions } from '../statement.entity.js';
import { TenantRedaction } from './tenant-redaction.js';

const READ_AND_REDACT = new URL('./read-and-redact.computation.js', import.meta.url);
const ADVICE = 'Split the file into smaller ones.';

/** A file to read. */
export interface StatementSource extends Pick<FileToRead, 'fileName' | 'isRedacted'> {
  readonly readingOptions: StoredReadingOptions;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal;
}

/** The content of statements: original files and redacted lines. */
@Injectable()
export class StatementContent {
  constructor(
    private readonly lines: LinesRepository,
    private readonly originals: OriginalsRepository,
    private readonly redaction: TenantRedaction,
    private readonly threads: Threads,
    private readonly clock: Clock,
  ) {}

  original(tenant: Tenant, id: string): Promise<AsyncIterable<Uint8Array>> {
    return this.originals.open(tenant, id);
  }

  keyOf(tenant: Tenant): Promise<Buffer> {
    return this.redaction.keyOf(tenant);
  }

  /** Reads a file in a thread, and stores its lines redacted; no line is stored as it was. */
  async storeLines(
    ctx: WriteContext,
    id: string,
    { fileName, isRedacted, readingOptions, bytes, signal }: StatementSource,
  ): Promise<ReadFile> {
    const { account = null, ...said } = readingOptions;
    const options = { ...said, today: this.clock.timestamp().slice(0, 10), layouts: await this.redaction.layoutsOf(ctx) };
    const input = { fileName, options, account, isRedacted, ...(await this.redaction.of(ctx)) };
    const batches = this.threads.compute<typeof readAndRedact>(READ_AND_REDACT, { input, items: bytes, signal, advice: ADVICE });
    for (;;) {
      const { done, value } = await batches.next();
      if (done) return value;
      await this.lines.insert(ctx, id, value).catch((error: unknown) => batches.throw(error));
    }
  }
}
