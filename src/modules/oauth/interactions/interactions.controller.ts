import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Form, type SignedIn } from '../../../api/console/page.js';
import { pageHeaders, readForm, redirect, sendPage } from '../../../api/http/pages/page.js';
import { wordingFor } from '../../../api/wording/page-wording.js';
import { inWording } from '../../../api/wording/spoken.js';
import type { Wording } from '../../../api/wording/wording.js';
import { Protocol } from '../../../api/operation/operation.decorator.js';
import type { Environment } from '../../../kernel/context.js';
import { Problem } from '../../../kernel/problems.js';
import { projectIdsFrom } from '../../projects/index.js';
import { SignInSteps, type UserFacts, UsersService } from '../../users/index.js';
import { errorText } from '../provider/error.page.js';
import { ApplicationConsent, chosenEnvironment, NO_PROJECTS, SharedConsent, type ShownAgain } from './application-consent.js';
import { InteractionsService, isOwnForm, isSignedOut, OpenQuestions, type Question } from './interactions.service.js';

const WHY = 'Sign-in and consent pages of the authorization server.';

@Controller('oauth/interaction')
export class InteractionsController {
  constructor(
    private readonly questions: OpenQuestions,
    private readonly interactions: InteractionsService,
    private readonly users: UsersService,
    private readonly signIns: SignInSteps,
    private readonly ofApplications: ApplicationConsent,
    private readonly ofShared: SharedConsent,
  ) {}

  @Protocol(WHY, 'pages')
  @Get(':uid')
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('uid') uid: string): Promise<void> {
    const question = await this.questions.find(request, reply, uid);
    if (!question) return expired(reply, wordingFor(request));
    if (isSignedOut(question)) return this.beginAgain(request, reply);
    await this.ask(request, reply, question);
  }

  @Protocol(WHY, 'pages')
  @Post(':uid')
  async answer(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('uid') uid: string): Promise<void> {
    const form = await readForm(request);
    const question = await this.questions.find(request, reply, uid);
    if (!question || !isOwnForm(question, form.get('csrf') ?? '')) return expired(reply, wordingFor(request));
    const user = question.userId === undefined ? null : ((await this.users.byId(question.userId)) ?? null);
    const action = form.get('do');
    if (action === 'refuse' || action === NO_PROJECTS)
      return redirect(reply, await this.interactions.refuse(request, reply, question, { user, isMissing: action === NO_PROJECTS }));
    const { prompt, signedIn } = question;
    if (prompt === 'login' && signedIn && action === 'continue')
      return redirect(reply, await this.interactions.signedIn(request, reply, question, signInOf(signedIn)));
    if (prompt === 'login') return this.signIn(request, reply, question, form);
    if (action === 'other-account' || isSignedOut(question)) return this.beginAgain(request, reply);
    const environment = chosenEnvironment(question, action);
    if (!user || !environment) return this.ask(request, reply, question);
    const answer = await this.allow(request, reply, question, { user, environment, form });
    if ('address' in answer) return redirect(reply, answer.address);
    await this.ask(request, reply, question, answer);
  }

  private async allow(request: FastifyRequest, reply: FastifyReply, question: Question, { form, ...decision }: Decision) {
    const fields = new Form(form);
    try {
      const allowed = { ...decision, chosen: form.getAll('scope'), projects: projectIdsFrom(fields) };
      return await this.interactions.allow(request, reply, question, allowed);
    } catch (error) {
      if (!(error instanceof Problem) || error.errors.length === 0) throw error;
      return { projects: fields.refusedWith(error) };
    }
  }

  private async signIn(request: FastifyRequest, reply: FastifyReply, question: Question, form: URLSearchParams): Promise<void> {
    const where = { address: request.ip, requestId: request.id };
    const result = question.shared
      ? await this.signIns.takeAnywhere(form, where)
      : await this.signIns.take(form, { ...where, organizationId: question.application.organizationId });
    if (!('user' in result)) return this.ask(request, reply, question, { ...result, organization: form.get('organization') ?? '' });
    redirect(reply, await this.interactions.signedInByPassword(request, reply, question, result.user.id));
  }

  private async beginAgain(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.interactions.signOut(request, reply);
    redirect(reply, request.url.split('?')[0]!);
  }

  private async ask(request: FastifyRequest, reply: FastifyReply, question: Question, state: ShownAgain = {}): Promise<void> {
    const { csrf, prompt, userId, redirectUri, languages } = question;
    const user = prompt === 'consent' ? await this.users.byId(userId!) : undefined;
    const form = { action: request.url.split('?')[0]!, csrf };
    const shown = { question, form, user, state, wording: wordingFor(request, languages) };
    const { status, page } = await inWording(shown.wording, () =>
      question.shared ? this.ofShared.page(question.shared, shown) : this.ofApplications.page(question.application, shown),
    );
    sendPage(reply, page, status, redirectUri === undefined ? pageHeaders() : pageHeaders(redirectUri));
  }
}

type Decision = { readonly user: UserFacts; readonly environment: Environment; readonly form: URLSearchParams };

const signInOf = ({ user, signedInBy: by, signedInAt }: SignedIn) => ({ userId: user.id, by, atMs: Date.parse(signedInAt) });

const expired = (reply: FastifyReply, wording: Wording): void => sendPage(reply, errorText(wording.say('consent.expired'), wording), 400);
