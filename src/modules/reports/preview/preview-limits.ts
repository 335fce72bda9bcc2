import { inWords } from '../../../kernel/durations.js';
import { FairShare } from '../../../kernel/fair-share.js';
import { JobFailure } from '../../../kernel/failure.js';
import { Problem } from '../../../kernel/problems.js';

/** What a page that computes may read at most: somebody waits for it. */
export const MOST_READ = { statements: 500, lines: 10_000 };
const TIMEOUT_MS = 10_000;
export const ADVICE = 'Choose a project or a shorter period, or use fewer patterns.';

/** An organization computes one page at a time. */
const pages = new FairShare({ what: 'Previews', capacity: 2, share: 1, maxWaiting: 3, maxWaitMs: TIMEOUT_MS });

/** Computes something for a page. What is too much is the caller's input: it is said above the form, which keeps what was entered. */
export async function whileSomebodyWaits<T>(organizationId: string, compute: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const giveBack = await pages.take(organizationId).catch(asInput);
  try {
    return await compute(AbortSignal.timeout(TIMEOUT_MS));
  } catch (error) {
    return asInput(error);
  } finally {
    giveBack();
  }
}

function asInput(error: unknown): never {
  if (error instanceof JobFailure) throw new Problem('validation_failed', { detail: error.message });
  if (error instanceof Problem && error.code === 'rate_limited') throw new Problem('validation_failed', { detail: error.detail });
  if (error instanceof DOMException && error.name === 'TimeoutError')
    throw new Problem('validation_failed', { detail: `The preview took more than ${inWords(TIMEOUT_MS)}. ${ADVICE}` });
  throw error;
}
