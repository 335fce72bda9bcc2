import { expect } from 'vitest';
import { PROBLEMS, type FieldError, type ProblemCode } from '../../src/kernel/problems.js';
import { readAnswer } from './raw.js';

export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ProblemCode;
  readonly requestId: string;
  readonly retry: string;
  readonly errors: readonly FieldError[];
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Expects a problem document whose members match each other. */
export function problemOf({ status, headers, body }: Answer): ProblemDocument {
  expect(headers['content-type']).toMatch(/^application\/problem\+json\b/);
  const problem = body as ProblemDocument;
  expect(Object.keys(PROBLEMS)).toContain(problem.code);
  expect(problem).toMatchObject({ status, title: PROBLEMS[problem.code].title, requestId: headers['x-request-id'] });
  expect(PROBLEMS[problem.code].status).toBe(status);
  expect(problem.detail.replace(/\.$/, ''), 'detail').not.toBe(problem.title);
  expect(problem.type.endsWith(`/problems/${problem.code}`)).toBe(true);
  return problem;
}

/** Expects a problem with this code. */
export function expectProblem(answer: Answer, code: ProblemCode): ProblemDocument {
  const problem = problemOf(answer);
  expect(problem.code, problem.detail).toBe(code);
  return problem;
}

/** Expects a 400 with exactly these field errors, such as `body name` or `query page wrong_type`. */
export function expectFieldErrors(answer: Answer, ...expected: readonly string[]): void {
  const { errors } = expectProblem(answer, 'validation_failed');
  const found = errors.map(({ location, field, code }, index) =>
    expected[index]?.split(' ').length === 3 ? `${location} ${field} ${code}` : `${location} ${field}`,
  );
  expect(found).toEqual(expected);
}

/** Expects success or a problem with a status below 500, for tests that send random input. */
export function expectAnswered(answer: Answer): void {
  if (answer.status >= 200 && answer.status < 300) return;
  expect(problemOf(answer).status).toBeLessThan(500);
}

/** Parses the text that a raw connection received. */
export function answerOf(text: string): Answer {
  const { status, headers, body } = readAnswer(text);
  return { status, headers: Object.fromEntries(headers), body: JSON.parse(body) as unknown };
}
