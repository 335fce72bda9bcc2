import type { FieldCode } from './field-codes.js';
import { INVALID_TEXT, isStorableText } from './text.js';

/** Canonical JSON (RFC 8785): one text for all JSON values that are equal. Keys are sorted; there is no white space. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    let text = '';
    // The RFC sorts by UTF-16 code units, and so does `sort`.
    for (const key of Object.keys(value).sort()) {
      const inner = (value as FreeForm)[key];
      if (inner !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(inner)}`;
    }
    return `{${text}}`;
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

/** What a text says in JSON; if it is none, what `otherwise` makes of what is wrong with it. */
export function parsedJson(text: string, otherwise: (wrong: string) => unknown): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return otherwise((error as Error).message);
  }
}

export const isObject = (value: unknown): value is FreeForm => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object as a JSON Merge Patch (RFC 7396) changes it: key by key, objects within it as well, and null removes a key. */
export function mergePatch(target: unknown, patch: FreeForm): FreeForm {
  const kept = Object.entries(isObject(target) ? target : {}).filter(([key]) => !Object.hasOwn(patch, key));
  const changed = Object.entries(patch).flatMap(([key, value]): [string, unknown][] => {
    if (value === null) return [];
    return [[key, isObject(value) ? mergePatch(isObject(target) && Object.hasOwn(target, key) ? target[key] : {}, value) : value]];
  });
  return Object.fromEntries([...kept, ...changed]);
}

export const FREE_FORM_MAX_BYTES = 32 * 1024;
export const FREE_FORM_MAX_DEPTH = 20;
const MAX_KIB = FREE_FORM_MAX_BYTES / 1024;
export const FREE_FORM_FIELD = `At most ${MAX_KIB} KiB as JSON, ${FREE_FORM_MAX_DEPTH} levels. Replaced as a whole.`;

export interface FreeFormProblem {
  /** Where within the object: `.rules[0].value`. Omitted for the value as a whole. */
  readonly path?: string;
  readonly code: FieldCode;
  readonly message: string;
}

export type PathPart = string | number;

/** How much of a path, and of one name in it, an error shows. */
const PATH_MAX_LENGTH = 200;
const NAME_MAX_LENGTH = 100;

/** A path as people write it: `rules[0].all[1].op`; names that are no identifiers are quoted: `labels["a b"]`. */
export function pathText(path: readonly PathPart[]): string {
  const text = path.map(partText).join('').replace(/^\./, '');
  return text.length > PATH_MAX_LENGTH ? `${text.slice(0, PATH_MAX_LENGTH).toWellFormed()}…` : text;
}

function partText(part: PathPart): string {
  if (typeof part === 'number') return `[${part}]`;
  if (/^[A-Za-z_$][\w$]{0,99}$/.test(part)) return `.${part}`;
  const shown = part.length > NAME_MAX_LENGTH ? `${part.slice(0, NAME_MAX_LENGTH)}…` : part;
  return `[${JSON.stringify(shown)}]`;
}

export function freeFormProblem(value: unknown): FreeFormProblem | undefined {
  if (!isObject(value)) return { code: 'wrong_type', message: 'must be an object' };
  if (isDeeperThan(value, FREE_FORM_MAX_DEPTH))
    return { code: 'too_deep', message: `must be nested at most ${FREE_FORM_MAX_DEPTH} levels` };
  const path: PathPart[] = [];
  const problem = problemWithin(value, path);
  if (problem) return { ...problem, path: pathBelow(path) };
  if (Buffer.byteLength(JSON.stringify(value)) > FREE_FORM_MAX_BYTES)
    return { code: 'too_large', message: `must have at most ${FREE_FORM_MAX_BYTES} bytes as JSON` };
  return undefined;
}

/** A path that continues the name of a field. */
export function pathBelow(path: readonly PathPart[]): string {
  const text = pathText(path);
  return typeof path[0] === 'string' && !text.startsWith('[') ? `.${text}` : text;
}

/** The first problem within a value. `path` then leads to it. */
function problemWithin(value: unknown, path: PathPart[]): FreeFormProblem | undefined {
  if (typeof value === 'string') return isStorableText(value) ? undefined : INVALID_TEXT;
  // JSON.parse reads 1e999 as Infinity, which would be returned as null.
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : { code: 'invalid_number', message: 'must not be a number beyond the range of a double' };
  if (typeof value !== 'object' || value === null) return undefined;
  for (const name of Object.keys(value)) {
    const part = Array.isArray(value) ? Number(name) : name;
    path.push(part);
    const problem = isStorableText(name) ? problemWithin((value as Record<string, unknown>)[name], path) : INVALID_TEXT;
    if (problem) return problem;
    path.pop();
  }
  return undefined;
}

/** So that what others are shown stays as it is. */
export function deepFrozen<Value>(value: Value): Value {
  if (!isObject(value) && !Array.isArray(value)) return value;
  if (!Object.isFrozen(value)) Object.values(Object.freeze(value)).forEach(deepFrozen);
  return value;
}
