import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../kernel/json.js';
import { byCode, type RunInputs } from './inputs.js';

/** Changes with every change of what comes out for the same inputs. */
export const ENGINE_VERSION = '1.0.0';

/**
 * Equal for equal inputs: the lines are in it by the hash of the file and the version of the redaction. Statements stay in their
 * order, since a line that two of them have counts for the first; that of categories says nothing.
 */
export function inputsHashOf(inputs: RunInputs): string {
  const all = { engineVersion: ENGINE_VERSION, ...inputs, categories: [...inputs.categories].sort(byCode) };
  return createHash('sha256').update(canonicalJson(all)).digest('hex');
}
