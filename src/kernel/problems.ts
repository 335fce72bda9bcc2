import type { FieldCode } from './field-codes.js';
import { isUuid } from './ids.js';
import { declareProblem, ERRORS_MAX, PROBLEMS, type ProblemCode, type ProblemKind, type Retry } from './problem-table.js';

export { declareProblem, PROBLEMS, type ProblemCode, type ProblemKind, type Retry };

export interface FieldError {
  readonly location: 'body' | 'query' | 'path' | 'header';
  readonly field: string;
  readonly code: FieldCode;
  readonly message: string;
}

interface ProblemOptions {
  detail?: string;
  errors?: readonly FieldError[];
  retry?: Retry;
  headers?: Readonly<Record<string, string>>;
  /** The record of the same tenant that is in the way. */
  conflictingId?: string | undefined;
  cause?: unknown;
}

/** How the reader of a problem knows a field of the API. */
export type NameOf = (field: string) => string;

/** The first sentence of the page, as plain text. A sentence that states a setting cannot be used: problems are made without settings. */
export const detailOf = ({ about }: ProblemKind): string => /^.+?\.(?= |$)/.exec(about)![0].replaceAll('`', '');

/** The only error that callers get to see. `cause` goes to the log, never to the caller. */
export class Problem extends Error {
  readonly detail: string;
  readonly errors: readonly FieldError[];
  readonly retry: Retry;
  readonly headers: Readonly<Record<string, string>>;
  readonly conflictingId: string | undefined;
  private write: ((nameOf: NameOf) => Problem) | undefined;

  constructor(
    readonly code: ProblemCode,
    options: ProblemOptions = {},
  ) {
    super(options.detail ?? detailOf(PROBLEMS[code]), { cause: options.cause });
    this.detail = this.message;
    this.errors = options.errors ?? [];
    this.retry = options.retry ?? PROBLEMS[code].retry;
    this.headers = options.headers ?? {};
    this.conflictingId = options.conflictingId;
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }

  /** A problem whose texts name fields. Each door has it written with the names that its readers know. */
  static naming(write: (nameOf: NameOf) => Problem): Problem {
    const problem = write((field) => field);
    problem.write = write;
    return problem;
  }

  named(nameOf: NameOf): Problem {
    return this.write?.(nameOf) ?? this;
  }

  /** One or more values of the request are not valid. */
  static validation(given: readonly FieldError[]): Problem {
    return Problem.naming((nameOf) => Problem.ofErrors(given.map((error) => ({ ...error, field: pathNamed(error.field, nameOf) }))));
  }

  private static ofErrors(errors: readonly FieldError[]): Problem {
    const shown = errors.slice(0, 3).map((error) => `${error.field} ${error.message}`);
    const rest = errors.length > 3 ? `; and ${errors.length - 3} more` : '';
    const all = `${shown.join('; ')}${rest}`;
    return new Problem('validation_failed', { detail: all.endsWith('?') ? all : `${all}.`, errors: errors.slice(0, ERRORS_MAX) });
  }

  /** Fields of the body in which no two records may be the same. `id` is that of the record that is there already. */
  static alreadyUsed(fields: readonly string[], record: string, id: string | undefined, cause: unknown): Problem {
    const existing = id === undefined ? `another ${record}` : `${record} ${id}`;
    return Problem.naming((nameOf) => {
      const names = fields.map(nameOf);
      const errors = names.map((field): FieldError => {
        const others = names.filter((other) => other !== field);
        const message = `is already used by ${existing}${others.length > 0 ? `, with the same ${namesIn(others)}` : ''}`;
        return { location: 'body', field, code: 'already_exists', message };
      });
      const detail = `${namesIn(names)} ${names.length > 1 ? 'are' : 'is'} already used by ${existing}.`;
      return new Problem('already_exists', { detail, errors, conflictingId: id, cause });
    });
  }

  /** A problem with one field of the body, of another code than `validation_failed`. */
  static atField(code: ProblemCode, error: Omit<FieldError, 'location'>, detail: (field: string) => string): Problem {
    return Problem.naming((nameOf) => {
      const field = pathNamed(error.field, nameOf);
      return new Problem(code, { detail: detail(field), errors: [{ location: 'body', ...error, field }] });
    });
  }

  /** A field of the body that has the id of no record of this kind, or none that fits. */
  static relatedMissing(field: string, what: string, message = `must be the id of ${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what}`): Problem {
    const error = { field, code: 'related_record_missing', message } as const;
    return Problem.atField('related_record_missing', error, (named) => `There is no ${what} with the id in ${named}.`);
  }

  /** One value of the body that is not valid. The message continues the name of the field: "must be at most 7d". */
  static invalidField(field: string, code: FieldCode, message: string): Problem {
    return Problem.validation([{ location: 'body', field, code, message }]);
  }

  /** `what` is the kind of record, with its id if the caller gave one: "user 018f…". */
  static notFound(what: string): Problem {
    return new Problem('not_found', { detail: `There is no ${what}.` });
  }
}

/** For what is looked up: `(await find()) ?? notFound('There is no such thing.')`. */
export function notFound(detail: string): never {
  throw new Problem('not_found', { detail });
}

/** The record that has this id. `what` names its kind in the problem that there is none, such as "API key". */
export async function existing<Row>(what: string, id: string, find: () => Promise<Row | undefined>): Promise<Row> {
  const found = isUuid(id) ? await find() : undefined;
  if (!found) throw Problem.notFound(`${what} ${id}`);
  return found;
}

/** Something that every call needs is away for a moment. */
export const unavailable = (detail: string, cause?: unknown): Problem =>
  new Problem('unavailable', { detail, headers: { 'Retry-After': '1' }, cause });

/** Of a path such as `rules[0].name` only the first name is a field. */
export function pathNamed(path: string, nameOf: NameOf): string {
  const [field] = /^\w*/.exec(path)!;
  return nameOf(field) + path.slice(field.length);
}

/** The body of every answer that is not 2xx (RFC 9457). */
export function problemBody(problem: Problem, at: { baseUrl: string; requestId: string }) {
  return {
    type: `${at.baseUrl}/problems/${problem.code}`,
    title: PROBLEMS[problem.code].title,
    status: problem.status,
    detail: problem.detail,
    code: problem.code,
    requestId: at.requestId,
    retry: problem.retry,
    errors: problem.errors,
    ...(problem.conflictingId !== undefined && { conflictingId: problem.conflictingId }),
  };
}

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** "code, name and projectId" */
const namesIn = (names: readonly string[]): string => names.join(', ').replace(/, (?=[^,]*$)/, ' and ');
