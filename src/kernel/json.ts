import { isStorableText } from './text.js';

/** One text for all JSON documents that mean the same (RFC 8785): keys in order, no white space. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
    // Comparing by UTF-16 code units is what the RFC asks for and what `<` does.
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

export const FREE_FORM_MAX_BYTES = 32 * 1024;
export const FREE_FORM_MAX_DEPTH = 20;

export type FreeForm = Record<string, unknown>;

/** What is wrong with a free-form object, as a code and a message; undefined when nothing is. */
export function freeFormProblem(value: unknown): { code: string; message: string } | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { code: 'wrong_type', message: 'must be an object' };
  if (isDeeperThan(value, FREE_FORM_MAX_DEPTH))
    return { code: 'too_deep', message: `must be nested at most ${FREE_FORM_MAX_DEPTH} levels` };
  const problem = problemWithin(value);
  if (problem) return problem;
  if (Buffer.byteLength(JSON.stringify(value)) > FREE_FORM_MAX_BYTES)
    return { code: 'too_large', message: `must have at most ${FREE_FORM_MAX_BYTES} bytes as JSON` };
  return undefined;
}

function problemWithin(value: unknown): { code: string; message: string } | undefined {
  if (typeof value === 'string' && !isStorableText(value))
    return { code: 'invalid_text', message: 'must not hold NUL characters or lone surrogates' };
  // JSON.parse reads 1e999 as Infinity, which would come back as null.
  if (typeof value === 'number' && !Number.isFinite(value))
    return { code: 'invalid_number', message: 'must not hold numbers beyond the range of a double' };
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    if (!isStorableText(key)) return { code: 'invalid_text', message: 'must not hold NUL characters or lone surrogates' };
    const problem = problemWithin(inner);
    if (problem) return problem;
  }
  return undefined;
}
