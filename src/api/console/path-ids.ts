import { isUuid } from '../../kernel/ids.js';
import { Problem } from '../../kernel/problems.js';
import { isIdParameter } from '../operation/operation.js';

/** Whether the ids of an address can be ids of anything. The database would fail with others. */
export function requireIds(params: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(params))
    if (isIdParameter(name) && !isUuid(value)) throw Problem.notFound('record with this id');
}
