import { Readable } from 'node:stream';
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor, StreamableFile } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lastValueFrom, of, type Observable } from 'rxjs';
import type { Environment } from '../../kernel/context.js';
import { Problem, PROBLEMS } from '../../kernel/problems.js';
import { Clock } from '../../kernel/time.js';
import { Ports } from '../../store/discovery/ports.js';
import { SensitiveReads } from '../call/sensitive-reads.js';
import { Registry } from '../operation/registry.js';
import { wordingFor } from '../wording/page-wording.js';
import { inWording, say, told } from '../wording/spoken.js';
import { environmentOf, requireAccess, requireIds, mayDo, OwnForms } from './own-form.js';
import { CONSOLE_HEADERS } from './open-pages.js';
import { Form, ConsoleSessions, page, pageOf, PageRefusal, sectionOf } from './page.js';
import type { PageContext, SignedIn, Answer, PageDeclaration } from './page.js';
import { Frame } from './frame.js';
import { Detail, ProblemBody, wordsOf } from './error-words.js';
import { Way } from './parts/facts.js';
import { isShown } from './shown.js';

const FRESH_MINUTES = 10;

/** Instead of a page: somebody who is signed in has to sign in once more. */
const askAgain = (ctx: PageContext): Answer =>
  page(
    say('console.fresh.title'),
    <>
      <p>{say('console.fresh.about', { minutes: FRESH_MINUTES })}</p>
      <form method="post" action={`/console/sign-out?next=${encodeURIComponent(ctx.path)}`} class="fields">
        <input type="hidden" name="csrf" value={ctx.csrf} />
        <p class="buttons">
          <button>{say('console.fresh.again')}</button>
        </p>
      </form>
    </>,
    403,
  );

/** Instead of a page that shows what is hidden from somebody: what that is, who else can open it, and a way back. */
function notOpen(ctx: PageContext, title: string, frame: Frame): Answer {
  const { hidden, organization, user } = ctx;
  const up = ctx.path.split('/');
  do up.pop();
  while (up.length > 3 && !frame.isOpen(ctx, up.join('/')));
  return page(
    title,
    <>
      <p>{say('console.hidden.about', { fields: hidden!.fieldNames.map(wordsOf).join(', ') })}</p>
      {user.role === 'owner' ? null : <p>{say('console.hidden.owner', { organization: organization.name })}</p>}
      <Way to={up.join('/')} label={say('console.hidden.back')} />
    </>,
    403,
  );
}

/** Around every page: who looks, may they, is the form ours, what do they ask for; then the handler, and its answer in the frame. */
@Injectable()
export class ConsoleCall implements NestInterceptor {
  constructor(
    private readonly ports: Ports,
    private readonly registry: Registry,
    private readonly frame: Frame,
    private readonly forms: OwnForms,
    private readonly clock: Clock,
    private readonly reads: SensitiveReads,
  ) {}

  intercept(execution: ExecutionContext, handler: CallHandler): Promise<Observable<unknown>> {
    return inWording(wordingFor(execution.getArgByIndex<FastifyRequest>(0)), () => this.call(execution, handler));
  }

  private async call(execution: ExecutionContext, handler: CallHandler): Promise<Observable<unknown>> {
    const request = execution.getArgByIndex<FastifyRequest>(0);
    const reply = execution.getArgByIndex<FastifyReply>(1);
    const declaration = pageOf(execution.getHandler())!;
    const sessions = this.ports.only(ConsoleSessions);
    const isExact = declaration.isAction || declaration.needsFreshSignIn;
    const signedIn = await (isExact ? sessions?.find(request) : sessions?.findBriefly(request));
    if (!sessions || !signedIn) return of(askToSignIn(request, reply, sessions)); // who looks
    if (signedIn.lacksSecondFactor && !declaration.isForEveryone) return of(goOnTo(reply, sessions.secondFactorPath));
    const ctx = this.contextOf(request, declaration, signedIn);
    request.pageContext = ctx;
    const isTooOld = [true, signedIn.signedInBy].includes(declaration.needsFreshSignIn!) && this.isOld(signedIn);
    const section = sectionOf(execution.getClass());
    const answer = isTooOld
      ? askAgain(ctx)
      : await this.answer(request, { ...declaration, shows: declaration.shows ?? section?.shows }, handler, section?.label);
    if ('body' in answer) reply.header('Refresh', leaving(request, sessions));
    return of(sendAnswer(reply, answer, ctx, this.frame));
  }

  private isOld({ signedInAt }: SignedIn): boolean {
    return this.clock.now().getTime() - Date.parse(signedInAt) > FRESH_MINUTES * 60_000;
  }

  private async answer(request: FastifyRequest, declaration: PageDeclaration, handler: CallHandler, label = ''): Promise<Answer> {
    const ctx = request.pageContext!;
    try {
      requireAccess(ctx, declaration); // may they
      await ctx.operation?.checkPolicies?.(ctx);
      if (!isShown(ctx, declaration.shows)) throw new Problem('fields_hidden'); // what is hidden from them
      requireIds(request.params as Record<string, string>); // what do they ask for
      const handle = async (form = ctx.form): Promise<Answer> => {
        request.pageContext = { ...ctx, form };
        return (await lastValueFrom(handler.handle())) as Answer;
      };
      const { isAction, takesFiles } = declaration;
      const answer = await (isAction ? this.forms.withOwn(request, ctx, takesFiles, handle) : handle()); // is the form ours
      const reads = declaration.reads ?? ctx.operation?.reads;
      const opened = 'content' in answer && answer.content instanceof Readable ? answer.content : undefined;
      if (!reads || 'location' in answer) return answer;
      await this.reads.note(ctx, { userId: ctx.user.id, reads, params: request.params as Record<string, string>, opened });
      return answer;
    } catch (error) {
      if (error instanceof PageRefusal) return page(told(error.title), <Detail text={error.message} />, 403);
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      if (error.code === 'fields_hidden' && ctx.hidden) return notOpen(ctx, told(label), this.frame);
      return page(told(PROBLEMS[error.code].title), <ProblemBody problem={error} />, error.status);
    }
  }

  private contextOf(request: FastifyRequest, { operation }: PageDeclaration, signedIn: SignedIn): PageContext {
    const { environment } = request.params as { environment?: string };
    const ctx = contextOf(request, environmentOf(environment), signedIn, this.registry);
    return operation === undefined ? ctx : { ...ctx, operation: this.registry.operationCalled(operation) };
  }
}

function goOnTo(reply: FastifyReply, location: string): string {
  reply.status(303).header('Location', location);
  return '';
}

function askToSignIn(request: FastifyRequest, reply: FastifyReply, sessions: ConsoleSessions | undefined): string {
  if (!sessions) throw new Problem('route_not_found');
  return goOnTo(reply, signInFor(request, sessions));
}

const signInFor = ({ method, url }: FastifyRequest, sessions: ConsoleSessions): string => sessions.signInPath(method === 'GET' ? url : '');

/** A page that is left open shows nothing once its session has ended. If another page has kept the session, the sign-in leads back. */
const leaving = (request: FastifyRequest, sessions: ConsoleSessions): string =>
  `${sessions.idleSeconds}; url=${signInFor(request, sessions)}`;

/** Sends what a handler answers: another address, a file, or a page within the frame. Returns the body. */
function sendAnswer(reply: FastifyReply, answer: Answer, ctx: PageContext, frame: Frame): unknown {
  if ('location' in answer) {
    if (answer.notice !== undefined) setNotice(reply, answer.notice);
    return goOnTo(reply, answer.location);
  }
  if ('content' in answer) {
    const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(answer.fileName)}`;
    // From a form, too: Nest would answer it with 201.
    reply.status(200).headers({ 'Content-Type': answer.mediaType, 'Content-Disposition': disposition });
    return answer.content instanceof Uint8Array ? Buffer.from(answer.content) : new StreamableFile(answer.content as never);
  }
  if (ctx.notice !== undefined) clearNotice(reply);
  reply.status(answer.status).headers(CONSOLE_HEADERS);
  // Written once as bytes: a text is gone through for its length, and again to be sent.
  return Buffer.from(frame.render(ctx, answer));
}

/** The context of a page, of which the operation is known later. */
export function contextOf(
  request: FastifyRequest,
  environment: Environment,
  { user, organization, signedInBy, others, sessionId, csrf }: SignedIn,
  registry: Registry,
): PageContext {
  const [path, query = ''] = request.url.split('?');
  const hidden = registry.hidden.from({ organization, application: null, user });
  return {
    organizationId: organization.id,
    environment,
    actor: { type: 'user', id: user.id, name: user.name, call: { requestId: request.id, ipAddress: request.ip } },
    requestId: request.id,
    ipAddress: request.ip,
    trace: request.trace,
    emits: [],
    user,
    organization,
    signedInBy,
    others,
    sessionId,
    csrf,
    can: (id) => mayDo(user, registry.operationCalled(id), hidden),
    operation: undefined,
    hidden,
    path: path!,
    query: new URLSearchParams(query),
    form: Form.empty,
    notice: noticeIn(request),
  };
}

const cookieOf = ({ isSecure }: Pick<FastifyRequest, 'isSecure'>): string => (isSecure ? '__Host-claims_notice' : 'claims_notice');
/** As long as a redirect may take. */
const SECONDS = 30;
const MAX_LENGTH = 500;

// After a form the browser is sent to another page, which says once what was done. The page shows it as text: a cookie that somebody
// else wrote does no harm.

const setNotice = (reply: FastifyReply, notice: string): void => set(reply, encodeURIComponent(notice.slice(0, MAX_LENGTH)), SECONDS);

const clearNotice = (reply: FastifyReply): void => set(reply, '', 0);

function noticeIn(request: FastifyRequest): string | undefined {
  const value = new RegExp(`(?:^|; )${cookieOf(request)}=([^;]+)`).exec(request.headers.cookie ?? '')?.[1];
  try {
    return value && decodeURIComponent(value).slice(0, MAX_LENGTH);
  } catch {
    return undefined;
  }
}

function set(reply: FastifyReply, value: string, seconds: number): void {
  const secure = reply.request.isSecure ? '; Secure' : '';
  void reply.header('Set-Cookie', `${cookieOf(reply.request)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`);
}
