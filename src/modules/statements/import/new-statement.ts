import { createHash } from 'node:crypto';
import type { Tenant } from '../../../kernel/context.js';
import { newId } from '../../../kernel/ids.js';
import type { BankStatement } from '../statement.entity.js';

export interface NewStatement extends Tenant {
  readonly projectId: string | null;
  readonly fileName: string;
  readonly file: Buffer;
  /** Set by the importer. Then nothing is masked, and a file that still contains personal data is rejected. */
  readonly isRedacted: boolean;
}

/** The record of a file that was not read yet. */
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

/** The last part of a path, without characters that Postgres or JSON cannot store. */
function nameOf(path: string): string {
  const name = path
    .replace(/^.*[/\\]/s, '')
    .toWellFormed()
    .replaceAll('\u0000', '');
  return [...name].slice(0, MAX_NAME_LENGTH).join('');
}
