import { Readable } from 'node:stream';
import { Injectable, NotFoundException, type OnModuleInit, Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FairShare, type GiveBack } from '../../kernel/fair-share.js';
import { Log } from '../../kernel/log.js';
import { problemBody, PROBLEM_MEDIA_TYPE, Problem, type ProblemCode } from '../../kernel/problems.js';
import { channelOfUserAgent } from '../../kernel/product.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Ports } from '../../store/discovery/ports.js';
import { Authenticator } from '../access/authenticator.js';
import { lengthOf, refused, Executor, asProblem, statusOf } from '../call/executor.js';
import { AnsweredCalls, type Answer, type Asked, type Call } from '../call/call.js';
import { isNamedBy } from '../call/record-versions.js';
import { placesOf } from '../limits/calls-at-once.js';
import { deprecationHeaders } from '../operation/deprecation.js';
import type { FileForm, RegisteredOperation } from '../operation/operation.js';
import { Registry } from '../operation/registry.js';
import { isFile, isForm, mibOf, readFileBody, readFileForm } from '../validation/read-file-form.js';
import { readRequest } from '../validation/read-request.js';
import { onAnswered, pathOf } from './answered-requests.js';
import { isBelow, isOpenedByBrowser, LostPage, sendLostPage, sendProblemPage } from './pages/lost-page.js';
import { isProbe } from './probes.js';

type Serve = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

declare module 'fastify' {
  interface FastifyInstance {
    restDoor: RestDoor | null;
  }
  interface FastifyRequest {
    /** The operation that the request calls, who calls, and what became of it: for what watches requests. The doors note them. */
    operation: RegisteredOperation | null;
    principal: Call['caller'] | null;
    answer: Answer | null;
  }
}

/** Gives the routes of operations to the door. Nest makes them before it has started its providers. Call it before routes are added. */
export function openRestDoor(fastify: FastifyInstance): void {
  fastify.decorate('restDoor', null);
  for (const noted of ['operation', 'principal', 'answer']) fastify.decorateRequest(noted, null);
  fastify.addHook('onRoute', (route) => {
    const byNest = route.handler;
    let serve: typeof byNest | undefined;
    route.handler = function (request, reply) {
      serve ??= fastify.restDoor?.serving(String(route.method), route.url) ?? byNest;
      return serve.call(this, request, reply);
    };
  });
}

@Injectable()
export class RestDoor implements OnModuleInit {
  private readonly direct = new Map<string, Serve>();
  /** Files are in memory until their call has its answer. */
  private readonly fileMib = new FairShare({ what: 'MiB of sent files', capacity: 100, share: 50, maxWaiting: 20, maxWaitMs: 30_000 });

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly registry: Registry,
    private readonly authenticator: Authenticator,
    private readonly executor: Executor,
    private readonly answered: AnsweredCalls,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    // Workers and commands have no HTTP server.
    const fastify = this.host.httpAdapter?.getInstance<FastifyInstance | undefined>();
    if (!fastify) return;
    fastify.restDoor = this;
    onAnswered(fastify, (request, reply) => this.tell(request, reply));
  }

  /** Lets a route of a protocol be served without Nest, too, such as `POST /mcp`. Call it while providers are made. */
  serveDirectly(route: string, serve: Serve): void {
    this.direct.set(route, serve);
  }

  /** What serves a route, if Nest does not. */
  serving(method: string, url: string): ((...given: Parameters<Serve>) => void) | undefined {
    const operation = this.registry.operationAt(method === 'HEAD' ? 'GET' : method, url);
    // A reply is a promise of its own end, so nothing waits for one.
    const serve = operation ? this.serve.bind(this, operation) : this.direct.get(`${method} ${url}`);
    return serve && ((request, reply) => void serve(request, reply).catch((error: unknown) => reply.send(error)));
  }

  private async serve(operation: RegisteredOperation, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // The router takes an address that ends where a parameter would begin.
    if (Object.values(request.params as object).includes('')) throw new NotFoundException();
    request.operation = operation;
    if (operation.deprecated) reply.headers(deprecationHeaders(operation.deprecated));
    const answer = (request.answer = await this.answerTo(operation, request, reply));
    this.show(answer, request, reply);
  }

  private async answerTo(operation: RegisteredOperation, request: FastifyRequest, reply: FastifyReply): Promise<Answer> {
    let caller: Call['caller'];
    try {
      caller = request.principal = await this.authenticator.findPrincipal(request, reply); // who calls: 401
    } catch (error) {
      return refused(error);
    }
    let giveBack: GiveBack | undefined;
    const { takesFile } = operation;
    const askWithFile = async (form: FileForm): Promise<Asked> => {
      giveBack = await this.fileMib.take(caller.organization.id, mibOf(request, form));
      return isFile(request) ? readFileBody(request, operation, form) : readFileForm(request, operation, form);
    };
    const answer = this.executor.execute({
      operation,
      caller,
      door: 'api',
      actor: this.authenticator.actorOf(caller, channelOfUserAgent(request.headers['user-agent'])),
      requestId: request.id,
      ipAddress: request.ip,
      trace: request.trace,
      isDryRun: false,
      arrival: { places: placesOf(operation, request.query as Record<string, unknown>), request, reply },
      ask: () => (takesFile && (isForm(request) || isFile(request)) ? askWithFile(takesFile) : readRequest(request, operation)),
    });
    return answer.finally(() => giveBack?.());
  }

  private show({ status, headers, body, file, problem }: Answer, request: FastifyRequest, reply: FastifyReply): unknown {
    reply.status(status).headers(headers);
    if (problem) {
      this.answered.tellFailure({ requestId: request.id, trace: request.trace }, { problem });
      return sendProblem(reply, problem, { baseUrl: this.settings.publicUrl, requestId: request.id });
    }
    if (headers.ETag !== undefined && request.method === 'GET' && isNamedBy(request.headers['if-none-match'], headers.ETag))
      return reply.status(304).send();
    if (file) {
      const { type, disposition, length } = file.getHeaders();
      for (const [name, value] of Object.entries({ 'Content-Type': type, 'Content-Disposition': disposition, 'Content-Length': length }))
        if (value !== undefined) reply.header(name, value);
      return reply.send(file.getStream());
    }
    if (body !== undefined) reply.header('Content-Type', 'application/json; charset=utf-8');
    if (typeof body !== 'object') return reply.send(body);
    // Slice by slice: as a whole, a large list would be copied once more, and handed over in one long turn.
    return reply.header('Content-Length', lengthOf(body)).send(Readable.from(body));
  }

  private tell(request: FastifyRequest, reply: FastifyReply): void {
    const { operation, principal, answer } = request;
    if (!operation) return;
    this.answered.tell({
      surface: 'api',
      operation,
      caller: principal ?? undefined,
      requestId: request.id,
      traceId: request.trace?.traceId,
      ipAddress: request.ip,
      path: pathOf(request),
      status: reply.statusCode,
      problem: answer?.problem?.code,
      durationMs: reply.elapsedTime,
      isDryRun: false,
      isCounted: answer?.isCounted ?? false,
      isReplay: answer?.isReplay ?? false,
    });
  }
}

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
    this.log.error({ requestId: id, traceId: trace?.keep(), err: cause ?? error, problem: code }, 'call failed');
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
