import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable, StreamableFile, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lastValueFrom, of, type Observable } from 'rxjs';
import { ENVIRONMENTS, type Environment } from '../../kernel/context.js';
import { PLANS } from '../../kernel/plans.js';
import { Problem, PROBLEMS } from '../../kernel/problems.js';
import { isAtLeast } from '../../kernel/roles.js';
import { Ports } from '../../store/discovery/ports.js';
import { Registry } from '../operation/registry.js';
import { readForm } from '../http/pages/read-form.js';
import { Form } from './form.js';
import { Frame } from './frame.js';
import { clearNotice, noticeIn, setNotice } from './notices.js';
import { ConsoleSessions, type PageContext, type SignedIn } from './page-context.js';
import { page, pageOf, PageRefusal, type Answer, type PageDeclaration } from './page.js';
import { requireIds } from './path-ids.js';
import { ProblemBody } from './parts/problem-body.js';
import { CONSOLE_HEADERS } from './console-headers.js';

/** A form may hold the rules of a category. */
const FORM_MAX_BYTES = 1024 * 1024;

/**
 * Around every page of the console: who looks, is the form ours, may they, what do they ask for; then the handler, and its answer
 * within the frame.
 */
@Injectable()
export class ConsoleCall implements NestInterceptor {
  constructor(
    private readonly ports: Ports,
    private readonly registry: Registry,
    private readonly frame: Frame,
  ) {}

  async intercept(execution: ExecutionContext, handler: CallHandler): Promise<Observable<unknown>> {
    const request = execution.getArgByIndex<FastifyRequest>(0);
    const reply = execution.getArgByIndex<FastifyReply>(1);
    const declaration = pageOf(execution.getHandler())!;
    const sessions = this.ports.only(ConsoleSessions);
    const signedIn = await sessions?.of(request);
    if (!sessions || !signedIn) return of(askToSignIn(request, reply, sessions)); // who looks
    const form = declaration.isAction ? await readForm(request, FORM_MAX_BYTES) : new URLSearchParams();
    const ctx = this.contextOf(request, declaration, signedIn, form);
    request.pageContext = ctx;
    return of(this.send(reply, ctx, await this.answer(request, declaration, handler)));
  }

  private async answer(request: FastifyRequest, declaration: PageDeclaration, handler: CallHandler): Promise<Answer> {
    const ctx = request.pageContext!;
    try {
      if (declaration.isAction) requireOwnForm(request.headers, ctx); // is the form ours
      requireAccess(ctx, declaration); // may they
      requireIds(request.params as Record<string, string>); // what do they ask for
      return (await lastValueFrom(handler.handle())) as Answer;
    } catch (error) {
      if (error instanceof PageRefusal) return page(error.title, <p>{error.message}</p>, 403);
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      return page(PROBLEMS[error.code].title, <ProblemBody problem={error} />, error.status);
    }
  }

  private contextOf(request: FastifyRequest, { operation }: PageDeclaration, signedIn: SignedIn, form: URLSearchParams): PageContext {
    const { user, organization, sessionId, csrf } = signedIn;
    const { environment } = request.params as { environment?: string };
    const [path, query = ''] = request.url.split('?');
    return {
      organizationId: organization.id,
      environment: environmentOf(environment),
      actor: { type: 'user', id: user.id, name: user.name },
      requestId: request.id,
      ipAddress: request.ip,
      emits: [],
      user,
      organization,
      sessionId,
      csrf,
      can: (id) => isAtLeast(user.role, this.registry.operationCalled(id).role ?? 'member'),
      operation: operation === undefined ? undefined : this.registry.operationCalled(operation),
      path: path!,
      query: new URLSearchParams(query),
      form: new Form(form),
      notice: noticeIn(request),
    };
  }

  private send(reply: FastifyReply, ctx: PageContext, answer: Answer): unknown {
    if ('location' in answer) {
      if (answer.notice !== undefined) setNotice(reply, answer.notice);
      reply.status(303).header('Location', answer.location);
      return '';
    }
    if ('content' in answer) {
      const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(answer.fileName)}`;
      reply.headers({ 'Content-Type': answer.mediaType, 'Content-Disposition': disposition });
      return answer.content instanceof Uint8Array ? Buffer.from(answer.content) : new StreamableFile(answer.content as never);
    }
    if (ctx.notice !== undefined) clearNotice(reply);
    reply.status(answer.status).headers(CONSOLE_HEADERS);
    return this.frame.render(ctx, answer);
  }
}

function askToSignIn({ method, url }: FastifyRequest, reply: FastifyReply, sessions: ConsoleSessions | undefined): string {
  if (!sessions) throw new Problem('route_not_found');
  reply.status(303).header('Location', sessions.signInPath(method === 'GET' ? url : ''));
  return '';
}

/** Browsers say when a form of another site was sent; the token covers those that do not. */
function requireOwnForm(headers: FastifyRequest['headers'], { csrf, form }: PageContext): void {
  const [expected, given] = [csrf, form.text('csrf')].map((text) => createHash('sha256').update(text).digest());
  const isOwn = timingSafeEqual(expected!, given!) && ['same-origin', undefined].includes(headers['sec-fetch-site']);
  if (!isOwn) throw new PageRefusal('This page has expired', 'Nothing was changed. Go back, load the page again, and repeat what you did.');
}

function environmentOf(name = 'test'): Environment {
  const found = ENVIRONMENTS.find((environment) => environment === name);
  if (!found) throw new Problem('route_not_found');
  return found;
}

function requireAccess({ operation, organization, user }: PageContext, declaration: PageDeclaration): void {
  if (organization.status === 'suspended') throw new Problem('organization_suspended');
  const role = declaration.role ?? operation?.role ?? 'member';
  if (!isAtLeast(user.role, role)) throw new PageRefusal('You may not do this', `This takes the role ${role}.`);
  if (operation?.plan && PLANS.indexOf(organization.plan) < PLANS.indexOf(operation.plan))
    throw new Problem('plan_required', { detail: `This needs the plan ${operation.plan}.` });
}
