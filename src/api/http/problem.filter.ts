import { Catch, HttpException, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { QueryFailedError } from 'typeorm';
import { Settings } from '../../kernel/settings/settings.js';
import { readError } from '../../store/database/database.js';
import { problemBody, PROBLEM_MEDIA_TYPE, Problem } from '../../kernel/problems.js';
import { Log } from '../../kernel/log.js';
import { sendProblemPage } from './pages/problem-page.js';

/**
 * Turns every error into a problem document, or into a page for people in a browser. What callers may know goes to them, the rest
 * to the log.
 */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly settings: Settings,
    @Inject(Log) private readonly log: Log,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const problem = this.problemOf(error, request);
    request.problemCode = problem.code;
    if (problem.status >= 500) this.logFailure(request, problem, error);
    if (isForPeople(request, problem)) return void sendProblemPage(reply, problem, request.id);
    void sendProblem(reply, problem, { baseUrl: this.settings.publicUrl, requestId: request.id });
  }

  private logFailure({ id, trace }: FastifyRequest, { cause, code }: Problem, error: unknown): void {
    this.log.error({ requestId: id, traceId: trace?.traceId, err: cause ?? error, problem: code }, 'call failed');
  }

  private problemOf(error: unknown, request: FastifyRequest): Problem {
    if (error instanceof Problem) return error;
    const status = statusOf(error);
    // We throw neither of these: the router and the static file server do when nothing is found.
    if (status === 404 || status === 403) return this.noRoute(request);
    if (status === 413) return new Problem('body_too_large', { cause: error });
    if (status === 415) return new Problem('unsupported_media_type', { cause: error });
    if (typeof status === 'number' && status >= 400 && status < 500) return new Problem('bad_request', { cause: error });
    const read = isNetworkError(error) || error instanceof QueryFailedError ? readError(error) : error;
    return read instanceof Problem ? read : new Problem('internal_error', { cause: error });
  }

  /** The router looks for method and path together. A path that has other methods is not missing. */
  private noRoute({ server, url, method }: FastifyRequest): Problem {
    const methods = server.routeTable.methodsAt(url);
    if (methods.length === 0 || methods.includes(method)) return new Problem('route_not_found');
    const allowed = methods.join(', ');
    return new Problem('method_not_allowed', { detail: `This path has ${allowed}, but not ${method}.`, headers: { Allow: allowed } });
  }
}

/** A path that the router took for a page and that is none has the same answer as every other unknown path. */
const isForPeople = ({ routeOptions }: FastifyRequest, { code }: Problem): boolean =>
  routeOptions.config?.isPage === true && code !== 'route_not_found';

export function sendProblem(reply: FastifyReply, problem: Problem, at: { baseUrl: string; requestId: string }): FastifyReply {
  // Sent as text: a serializer, content type or lifetime that the handler has set before it failed must not apply.
  return reply
    .status(problem.status)
    .headers({ ...problem.headers, 'Content-Type': PROBLEM_MEDIA_TYPE, 'Cache-Control': 'no-store' })
    .send(JSON.stringify(problemBody(problem, at)));
}

/** The status that the framework would answer with. */
function statusOf(error: unknown): unknown {
  return error instanceof HttpException ? error.getStatus() : (error as { statusCode?: unknown } | null)?.statusCode;
}

function isNetworkError(error: unknown): boolean {
  return ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(String((error as { code?: unknown } | null)?.code));
}
