import { JobFailure } from '../../src/kernel/failure.js';
import { sumOf } from '../../tools/bank-files/index.js';
import { readAll, type Read } from '../../src/modules/statements/formats/fixtures/reading.js';

/** A statement with one thing missing, doubled or moved. */
export interface Mutant<Content> {
  readonly how: string;
  readonly content: Content;
}

/** null if it is refused. */
export const readOrRefused = (content: string | Uint8Array, fileName: string): Promise<Read | null> =>
  readAll(content, fileName).catch((error: unknown) => {
    if (error instanceof JobFailure) return null;
    throw error;
  });

/** By currency. */
function sumsOf({ lines }: Read): Record<string, string | null> {
  const sums: Record<string, string | null> = {};
  for (const { currency, amount } of lines) sums[`${currency}`] = sumOf([sums[`${currency}`] ?? '0.00', amount]);
  return sums;
}

/** Whether it is refused, has the sums of the whole, or says that they may be others: it is not proven, or has another warning. */
export function isNeverWrongSilently(found: Read | null, whole: Read): boolean {
  if (!found || JSON.stringify(sumsOf(found)) === JSON.stringify(sumsOf(whole))) return true;
  const known = new Set(whole.warnings.map(({ code }) => code));
  return found.certainty !== 'proven' || found.warnings.some(({ code }) => !known.has(code));
}
