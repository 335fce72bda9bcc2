import type own from '../../codes/problems.json';
import { BODY_MAX_BYTES, HEADERS_MAX_BYTES, KEY_MAX_LENGTH, MS_FOR_EACH_MIB, SLOWEST_BODY } from './product.js';
import { packageJson } from './package-folder.js';

/** What a program should do after a failed call. */
export type Retry = 'never' | 'same_key' | 'later';

export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  readonly retry: Retry;
  /** The text of the page /problems/{code}: what happened, and what to do about it. May state settings. */
  readonly about: string;
}

/** At most this many field errors are listed in one answer: a small request must not cause a large answer. */
export const ERRORS_MAX = 100;

/** What the texts of `codes/problems.json` state of limits that are no settings. */
const LIMITS: Readonly<Record<string, number>> = {
  errorsMax: ERRORS_MAX,
  keyMaxLength: KEY_MAX_LENGTH,
  secondsForEachMib: MS_FOR_EACH_MIB / 1000,
  slowestBodySeconds: SLOWEST_BODY.inMs / 1000,
  slowestBodyKib: SLOWEST_BODY.bytes / 1024,
  bodyMaxMib: BODY_MAX_BYTES / 1024 ** 2,
  headersMaxKib: HEADERS_MAX_BYTES / 1024,
};

/** A code that is declared below is one as well. One never changes its meaning; new ones are added. */
export type ProblemCode = keyof typeof own;

const table = packageJson<Record<string, ProblemKind>>('codes/problems.json');
for (const [code, kind] of Object.entries(table))
  table[code] = { ...kind, about: kind.about.replace(/(?<!\{)\{(\w+)\}/g, (_all, name: string) => String(LIMITS[name])) };

/** The one table of errors. List them when asked, not while files are loaded: more may be declared until the start. */
export const PROBLEMS: Readonly<Record<ProblemCode, ProblemKind>> = table as Record<ProblemCode, ProblemKind>;

/**
 * Declares a problem that an extension answers with; a code is declared once in the whole program. It has its page, and is in the
 * documents of the operations that name it. `about` is one or more sentences, of which the first is the default `detail`.
 */
export function declareProblem(code: string, kind: ProblemKind): ProblemCode {
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/.test(code)) throw new Error(`${code} is no problem code: words_with_underscores are expected.`);
  if (Object.hasOwn(table, code)) throw new Error(`The problem ${code} is declared twice.`);
  if (kind.status < 400 || kind.status > 499 || kind.status === 401)
    throw new Error(`The problem ${code} has the status ${kind.status}: 400 to 499 is expected, but not 401.`);
  if (!/^[A-Z].*\.$/s.test(kind.about)) throw new Error(`The problem ${code} is described by no sentence.`);
  table[code] = kind;
  return code as ProblemCode;
}
