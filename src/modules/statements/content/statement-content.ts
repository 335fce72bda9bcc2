import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/time.js';
import type { Tenant } from '../../../kernel/context.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { OrganizationService } from '../../organization/index.js';
import { Threads } from '../../../store/threads/threads.js';
import { LinesRepository } from './lines.repository.js';
import { OriginalsRepository } from './originals.repository.js';
import type readAndRedact from './read-and-redact.computation.js';
import type { FileToRead, ReadFile } from './read-and-redact.computation.js';
import { RedactionKeysRepository } from './redaction-keys.repository.js';

const READ_AND_REDACT = new URL('./read-and-redact.computation.js', import.meta.url);
const ADVICE = 'Split the file into smaller ones.';

/** A file to read. */
export interface StatementSource extends Pick<FileToRead, 'fileName' | 'isRedacted'> {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal;
}

/** The content of statements: original files and redacted lines. */
@Injectable()
export class StatementContent {
  constructor(
    private readonly lines: LinesRepository,
    private readonly originals: OriginalsRepository,
    private readonly keys: RedactionKeysRepository,
    private readonly organizations: OrganizationService,
    private readonly threads: Threads,
    private readonly clock: Clock,
  ) {}

  original(tenant: Tenant, id: string): AsyncIterable<Uint8Array> {
    return this.originals.read(tenant, id);
  }

  keyOf(tenant: Tenant): Promise<Buffer> {
    return this.keys.of(tenant);
  }

  /** Reads a file in a thread, and stores its lines redacted; no line is stored as it was. */
  async storeLines(ctx: WriteContext, id: string, { fileName, isRedacted, bytes, signal }: StatementSource): Promise<ReadFile> {
    const { redactCounterparties } = await this.organizations.byId(ctx.organizationId);
    const options = { today: this.clock.timestamp().slice(0, 10) };
    const input = { fileName, options, isRedacted, redactCounterparties, key: await this.keys.of(ctx) };
    const batches = this.threads.compute<typeof readAndRedact>(READ_AND_REDACT, { input, items: bytes, signal, advice: ADVICE });
    for (;;) {
      const { done, value } = await batches.next();
      if (done) return value;
      await this.lines.insert(ctx, id, value).catch((error: unknown) => batches.throw(error));
    }
  }
}
