import { INVALID_TEXT, isStorableText } from './text.js';

/** Canonical JSON (RFC 8785): one text for all JSON values that are equal. Keys are sorted; there is no white space. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
    // The RFC sorts by UTF-16 code units, and so does `<`.
    entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

/** Whether objects and lists are nested in more than `levels` levels. `{}` and `[]` are one level deep, all other values none. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}

/** A JSON object whose keys are up to the caller. */
export type FreeForm = Record<string, unknown>;

export const FREE_FORM_MAX_BYTES = 32 * 1024;
export const FREE_FORM_MAX_DEPTH = 20;
const MAX_KIB = FREE_FORM_MAX_BYTES / 1024;
/** For the description of a free-form field. */
export const FREE_FORM_FIELD = `At most ${MAX_KIB} KiB as JSON, ${FREE_FORM_MAX_DEPTH} levels deep. Replaced as a whole.`;

interface FreeFormProblem {
  readonly code: string;
  readonly message: string;
}

/** What is wrong with a free-form object; undefined if nothing is. */
export function freeFormProblem(value: unknown): FreeFormProblem | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { code: 'wrong_type', message: 'must be an object' };
  if (isDeeperThan(value, FREE_FORM_MAX_DEPTH))
    return { code: 'too_deep', message: `must be nested at most ${FREE_FORM_MAX_DEPTH} levels` };
  const problem = problemWithin(value);
  if (problem) return problem;
  if (Buffer.byteLength(JSON.stringify(value)) > FREE_FORM_MAX_BYTES)
    return { code: 'too_large', message: `must have at most ${FREE_FORM_MAX_BYTES} bytes as JSON` };
  return undefined;
}

function problemWithin(value: unknown): FreeFormProblem | undefined {
  if (typeof value === 'string' && !isStorableText(value)) return INVALID_TEXT;
  // JSON.parse reads 1e999 as Infinity, which would be returned as null.
  if (typeof value === 'number' && !Number.isFinite(value))
    return { code: 'invalid_number', message: 'must not contain numbers beyond the range of a double' };
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    if (!isStorableText(key)) return INVALID_TEXT;
    const problem = problemWithin(inner);
    if (problem) return problem;
  }
  return undefined;
}
