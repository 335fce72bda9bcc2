import { createHash } from 'node:crypto';
import type { Tenant } from '../../../kernel/context.js';
import { newId } from '../../../kernel/ids.js';
import { Problem } from '../../../kernel/problems.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import type { SaidLayout } from '../layouts/statement-layouts.service.js';
import { MAX_FILE_BYTES, MAX_FILE_SIZE } from '../formats/limits.js';
import type { ImportOptions } from '../formats/reading-options.js';
import type { BankStatement, StoredReadingOptions } from '../statement.entity.js';

export interface NewStatement extends Tenant {
  readonly projectId: string | null;
  readonly fileName: string;
  readonly file: Buffer;
  /** Set by the importer. Then nothing is masked, and a file that still contains personal data is rejected. */
  readonly isRedacted: boolean;
  readonly readingOptions?: Omit<ImportOptions, 'layout'>;
  /** How to read its tables. One that is given as a text is kept for the next time. */
  readonly layout?: SaidLayout;
  /** The number of the account, if the file does not name it. It is not stored. */
  readonly account?: string;
  /** Called first in the transaction of the import, with how many statements it makes. It refuses the import by a problem. */
  readonly within?: (ctx: WriteContext, statements: number) => Promise<void>;
}

export function refuseLargeFile({ file }: NewStatement): void {
  if (file.length > MAX_FILE_BYTES) throw new Problem('validation_failed', { detail: `The file is larger than ${MAX_FILE_SIZE}.` });
}

/** The record of a file that was not read yet. Its name is already redacted. */
export function pendingStatement(
  { organizationId, environment, projectId, file }: NewStatement,
  readingOptions: StoredReadingOptions,
  fileName: string,
  now: string,
): BankStatement {
  const unknown = {
    format: null,
    accountLabel: null,
    currency: null,
    periodStart: null,
    periodEnd: null,
    lineCount: null,
    redaction: null,
    failure: null,
    contentRemovedAt: null,
    warnings: [],
    balances: [],
  };
  const known = { projectId, readingOptions, fileName, sizeBytes: file.length, sha256: createHash('sha256').update(file).digest('hex') };
  return {
    id: newId(),
    organizationId,
    environment,
    createdAt: now,
    updatedAt: now,
    ...unknown,
    ...known,
    redactionStatus: 'pending',
    lostWorkers: 0,
  };
}

/** The last part of a path, without characters that Postgres or JSON cannot store. */
export const nameOfPath = (path: string): string =>
  path
    .replace(/^.*[/\\]/s, '')
    .toWellFormed()
    .replaceAll('\u0000', '');
