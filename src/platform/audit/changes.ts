import { canonicalJson } from '../validation/canonical-json.js';

export type Changes = Record<string, { from: unknown; to: unknown }>;

/** Facts about a record rather than parts of it: they change with every change, or never. */
const NOT_CONTENT = new Set(['id', 'environment', 'createdAt', 'updatedAt']);

/** The fields that differ between a record before and after, as REST names them; before is null for a new one. */
export function changesBetween(before: object | null, after: object): Changes {
  const changes: Changes = {};
  for (const [field, to] of Object.entries(after)) {
    if (NOT_CONTENT.has(field)) continue;
    const from: unknown = before === null ? null : ((before as Record<string, unknown>)[field] ?? null);
    if (before === null || canonicalJson(from) !== canonicalJson(to)) changes[field] = { from, to };
  }
  return changes;
}
