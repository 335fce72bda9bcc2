import { JobFailure } from '../../../kernel/failure.js';
import type { ReadableStatement } from '../../statements/index.js';

type Expired = Pick<ReadableStatement, 'lineCount' | 'periodEnd'>;

/** The statements that still have their lines. What was removed is needed, unless the same file was imported again for the same project. */
export function withContent(found: readonly ReadableStatement[]): ReadableStatement[] {
  const isExpired = ({ contentExpiredAt, lineCount }: ReadableStatement): boolean =>
    typeof contentExpiredAt === 'string' && lineCount !== 0;
  const kept = found.filter((statement) => !isExpired(statement));
  const fileOf = ({ sha256, projectId }: ReadableStatement): string => `${sha256} ${projectId}`;
  const files = new Set(kept.map(fileOf));
  requireKept(found.filter((statement) => isExpired(statement) && !files.has(fileOf(statement))));
  return kept;
}

/** Rejects a run that needs lines which are not kept any more: without them the claim would be too small. */
export function requireKept(expired: readonly Expired[]): void {
  const needed = expired.filter(({ lineCount }) => lineCount !== 0);
  if (needed.length === 0) return;
  const last = needed
    .map(({ periodEnd }) => periodEnd ?? '')
    .sort()
    .at(-1)!;
  const statements = needed.length === 1 ? '1 bank statement' : `${needed.length} bank statements`;
  throw new JobFailure(
    'statement_content_removed',
    `The lines of ${statements} are no longer kept, so the claim would be incomplete. ` +
      `Report a period that begins after ${last}, or import the files again.`,
  );
}
