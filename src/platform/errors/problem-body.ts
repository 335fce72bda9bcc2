import { PROBLEMS, type Problem } from './problems.js';

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
  };
}

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';
