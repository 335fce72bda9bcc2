import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../kernel/json.js';
import { byCode, type RunInputs } from './inputs.js';

/** Must change whenever the engine computes another result from the same inputs. */
export const ENGINE_VERSION = '1.1.0';

/**
 * Equal for equal inputs. The hash of the file and the redaction version stand for the lines. The order of statements matters,
 * since a line in two statements counts for the first one; the order of categories does not.
 */
export function inputsHashOf(inputs: RunInputs): string {
  const all = { engineVersion: ENGINE_VERSION, ...inputs, categories: [...inputs.categories].sort(byCode) };
  return createHash('sha256').update(canonicalJson(all)).digest('hex');
}
