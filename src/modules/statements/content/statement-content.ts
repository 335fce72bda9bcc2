import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Clock } from '../../../kernel/time.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { Threads } from '../../../store/threads/threads.js';
import { OrganizationService } from '../../organization/index.js';
import type { WrittenLayout } from '../formats/csv/layouts/written-layout.js';
import { StatementLayoutsRepository } from '../layouts/statement-layouts.repository.js';
import type { StoredReadingOptions } from '../statement.entity.js';
import { CounterpartyDecisionsRepository } from './counterparty-decisions.repository.js';
import type readAndRedact from './read-and-redact.computation.js';
import type { FileToRead, ReadFile } from './read-and-redact.computation.js';
import { RedactionKeysRepository } from './redaction-keys.repository.js';
import type { StatementFacts } from './statement-facts.js';
import { StoredLines } from './stored-lines.js';

/** What redaction knows of a tenant: its key, and what its organization has decided. */
@Injectable()
export class TenantRedaction {
  constructor(
    private readonly keys: RedactionKeysRepository,
    private readonly organizations: OrganizationService,
    private readonly decisions: CounterpartyDecisionsRepository,
    private readonly layouts: StatementLayoutsRepository,
  ) {}

  async findLayouts(tenant: Tenant): Promise<WrittenLayout[]> {
    return (await this.layouts.all(tenant)).map(({ layout }) => layout);
  }

  async read(tenant: Tenant): Promise<Pick<FileToRead, 'key' | 'redactCounterparties' | 'decisions' | 'keepNames'>> {
    const { redactCounterparties, keepNames } = await this.organizations.byId(tenant.organizationId);
    const decisions = new Map((await this.decisions.list(tenant)).map(({ digest, decidedAs }) => [digest, decidedAs]));
    return { key: await this.keys.findOrMake(tenant), redactCounterparties, decisions, keepNames };
  }
}

const READ_AND_REDACT = new URL('./read-and-redact.computation.js', import.meta.url);
const ADVICE = 'Split the file into smaller ones.';
const MIB = 1024 * 1024;
/** A second thread takes half a second to start. */
const FOR_TWO_BYTES = MIB;

export interface StatementSource extends Pick<FileToRead, 'fileName' | 'isRedacted'> {
  readonly readingOptions: StoredReadingOptions;
  readonly sizeBytes: number;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal;
  /** Nothing is to be stored: no line is kept in memory. */
  readonly isCheck?: boolean;
}

export interface ReadStatement extends ReadFile {
  /** Serialized: as objects, they would be in the way of the garbage collector. */
  readonly batches: readonly Uint8Array[];
}

@Injectable()
export class StatementContent {
  constructor(
    private readonly stored: StoredLines,
    private readonly keys: RedactionKeysRepository,
    private readonly redaction: TenantRedaction,
    private readonly threads: Threads,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  findKey(tenant: Tenant): Promise<Buffer> {
    return this.keys.findOrMake(tenant);
  }

  /** Reads and redacts a file in a thread. Not to be called in a transaction, which would be open for as long as that takes. */
  async read(tenant: Tenant, source: StatementSource): Promise<ReadStatement> {
    const { fileName, sizeBytes, isRedacted, readingOptions, bytes, signal, isCheck = false } = source;
    const { account = null, ...said } = readingOptions;
    const options = { ...said, today: this.clock.timestamp().slice(0, 10), layouts: await this.redaction.findLayouts(tenant) };
    const input = { fileName, options, account, isRedacted, ...(await this.redaction.read(tenant)) };
    const work = {
      organizationId: tenant.organizationId,
      input,
      items: bytes,
      signal,
      isForTwo: sizeBytes >= FOR_TWO_BYTES,
      timeoutMs: this.timeoutMs(sizeBytes),
      advice: ADVICE,
    };
    const outputs = this.threads.compute<typeof readAndRedact>(READ_AND_REDACT, work);
    const batches: Uint8Array[] = [];
    for (;;) {
      const { done, value } = await outputs.next();
      if (done) return { ...value, batches };
      if (!isCheck) batches.push(value.lines);
    }
  }

  /** Stores the redacted lines of a statement, and returns what is known of it then. */
  storeLines(ctx: WriteContext, id: string, read: ReadStatement): Promise<StatementFacts> {
    return this.stored.store(ctx, id, read);
  }

  /** Seconds for a small file, however it was made: everybody with a link may send one. */
  private timeoutMs(sizeBytes: number): number {
    return (this.settings.statementTimeoutMs * (1 + Math.max(1, Math.ceil(sizeBytes / MIB)))) / 2;
  }
}
