import { createHash } from 'node:crypto';
import type { Tenant } from '../../../kernel/context.js';
import { newId } from '../../../kernel/ids.js';
import type { BankStatement } from '../statement.entity.js';

export const MAX_FILE_BYTES = 20 * 1024 * 1024;

export interface NewStatement extends Tenant {
  readonly projectId: string | null;
  readonly fileName: string;
  readonly file: Buffer;
  /** Whoever imports it says so; then nothing is masked, and what should have been is refused. */
  readonly isRedacted: boolean;
}

/** The record of a file that nobody has looked into yet. */
export function pendingStatement({ organizationId, environment, projectId, fileName, file }: NewStatement, now: string): BankStatement {
  const unknown = {
    format: null,
    accountLabel: null,
    currency: null,
    periodStart: null,
    periodEnd: null,
    lineCount: null,
    redaction: null,
    failure: null,
    balances: [],
  };
  const known = { projectId, fileName: nameOf(fileName), sizeBytes: file.length, sha256: createHash('sha256').update(file).digest('hex') };
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

const MAX_NAME_LENGTH = 255;

/** The last part of a path, as far as the database and every reader of JSON can hold it. */
function nameOf(path: string): string {
  const name = path
    .replace(/^.*[/\\]/s, '')
    .toWellFormed()
    .replaceAll('\u0000', '');
  return [...name].slice(0, MAX_NAME_LENGTH).join('');
}
