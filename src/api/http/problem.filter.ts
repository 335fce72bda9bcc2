import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Settings } from '../../kernel/settings/settings.js';
import { Ports } from '../../store/discovery/ports.js';
import { asProblem, statusOf } from '../call/executor.js';
import { problemBody, PROBLEM_MEDIA_TYPE, Problem, type ProblemCode } from '../../kernel/problems.js';
import { Log } from '../../kernel/log.js';
import { isProbe } from './probes.js';
import { isBelow, isOpenedByBrowser, LostPage, sendLostPage, sendProblemPage } from './pages/lost-page.js';

const LOST: readonly ProblemCode[] = ['route_not_found', 'method_not_allowed'];

/** What callers may know of an error goes to them, as a problem document or a page; the rest goes to the log. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly settings: Settings,
    private readonly ports: Ports,
    private readonly log: Log,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const problem = this.problemOf(error, request);
    if (problem.status >= 500 && !isProbe(request)) this.logFailure(request, problem, error);
    if (LOST.includes(problem.code) && isOpenedByBrowser(request)) return void this.showLostPage(request, reply, problem);
    if (isForPeople(request, problem)) return void sendProblemPage(reply, problem, request.id);
    void sendProblem(reply, problem, { baseUrl: this.settings.publicUrl, requestId: request.id });
  }

  private async showLostPage(request: FastifyRequest, reply: FastifyReply, problem: Problem): Promise<void> {
    const part = this.ports.all(LostPage).find(({ path }) => isBelow(request.url, path));
    const shown = await part?.show(request).catch((error: unknown) => this.logFailure(request, problem, error));
    void sendLostPage(reply, problem, shown ?? undefined);
  }

  private logFailure({ id, trace }: FastifyRequest, { cause, code }: Problem, error: unknown): void {
    this.log.error({ requestId: id, traceId: trace?.traceId, err: cause ?? error, problem: code }, 'call failed');
  }

  private problemOf(error: unknown, request: FastifyRequest): Problem {
    if (error instanceof Problem) return error;
    const status = statusOf(error);
    // We throw neither of these: the router and the static file server do when nothing is found.
    if (status === 404 || status === 403) return this.noRoute(request);
    return asProblem(error);
  }

  /** The router looks for method and path together. A path that has other methods is not missing. */
  private noRoute({ server, url, method }: FastifyRequest): Problem {
    const methods = server.routeTable.methodsAt(url);
    if (methods.length === 0 || methods.includes(method)) {
      const nearest = server.routeTable.nearestTo(url);
      return new Problem('route_not_found', { detail: nearest && `No operation has this path. Did you mean ${nearest}?` });
    }
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
