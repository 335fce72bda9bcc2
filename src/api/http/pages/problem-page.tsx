import type { FastifyReply } from 'fastify';
import { inWords } from '../../../kernel/durations.js';
import { PROBLEMS, type Problem } from '../../../kernel/problems.js';
import { page, PAGE_HEADERS } from './page.js';

/** Answers a person in a browser, to whom a problem document would say little. */
export function sendProblemPage(reply: FastifyReply, problem: Problem, requestId: string): FastifyReply {
  const seconds = Number(problem.headers['Retry-After']);
  const body = (
    <>
      <p class="error" role="alert">
        {problem.detail}
      </p>
      {seconds > 0 ? <p>Wait {inWords(seconds * 1000)}, then try again.</p> : null}
      <p class="hint">Request {requestId}</p>
    </>
  );
  return reply
    .status(problem.status)
    .headers({ ...problem.headers, ...PAGE_HEADERS, 'Cache-Control': 'no-store' })
    .send(page({ title: PROBLEMS[problem.code].title, body }));
}
