import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import type { WriteContext } from '../../../store/database/transaction.js';
import type { StatementLine } from '../formats/statement-line.js';
import { LinesRepository } from './lines.repository.js';
import { OriginalsRepository } from './originals.repository.js';
import { ownAccountToken } from '../redaction/tokens/own-account.js';
import type { RedactedLine } from '../redaction/redacted-line.js';
import { tokenOf } from '../redaction/tokens/tokens.js';
import { RedactionKeysRepository } from './redaction-keys.repository.js';
import { StatementFactsBuilder, type StatementFacts } from './statement-facts.js';

/** A file to read, and how to redact its lines. */
export interface StatementSource {
  readonly fileName: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The tenant's redaction key. */
  readonly key: Buffer;
  readonly redact: (line: StatementLine) => RedactedLine;
  readonly signal?: AbortSignal;
}

/** The content of statements: original files and redacted lines. */
@Injectable()
export class StatementContent {
  constructor(
    private readonly lines: LinesRepository,
    private readonly originals: OriginalsRepository,
    private readonly keys: RedactionKeysRepository,
  ) {}

  original(tenant: Tenant, id: string): AsyncIterable<Uint8Array> {
    return this.originals.read(tenant, id);
  }

  keyOf(tenant: Tenant): Promise<Buffer> {
    return this.keys.of(tenant);
  }

  /** Reads a file, and stores its lines redacted; no line is stored as it was. */
  async storeLines(ctx: WriteContext, id: string, { fileName, bytes, key, redact, signal }: StatementSource): Promise<StatementFacts> {
    // Loaded on demand: API processes and commands start faster without it.
    const { readStatement } = await import('../formats/read-statement.js');
    const reading = await readStatement(bytes, fileName);
    const facts = new StatementFactsBuilder();
    for await (const batch of reading.lines) {
      signal?.throwIfAborted();
      const redacted = batch.map(redact);
      facts.add(redacted);
      await this.lines.insert(ctx, id, redacted);
    }
    return facts.build(reading, (account) => ownAccountToken(account, (own) => tokenOf(key, 'account', own)));
  }
}
