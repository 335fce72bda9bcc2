import { JobFailure } from '../../../../kernel/failure.js';
import type { Grammar } from '../../../rules/index.js';

/**
 * The parsed form of a stored document. Requests are checked by the same grammar, so only a document that was stored before a
 * release that made it stricter can fail the run. The message has the first place that is wrong, and never a value.
 */
export function parsed<T>(grammar: Grammar<T>, stored: unknown, { code, name }: { code: string; name: string }): T {
  const { parsed: value, findings } = grammar.read(stored);
  const [first] = findings;
  if (first) throw new JobFailure(code, `${name}${first.path} ${first.message}.`);
  return value!;
}
