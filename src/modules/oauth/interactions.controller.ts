import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageHeaders } from '../../api/http/pages/page.js';
import { readForm } from '../../api/http/pages/read-form.js';
import { Protocol } from '../../api/operation/operation.decorator.js';
import { Registry } from '../../api/operation/registry.js';
import { OrganizationService } from '../organization/index.js';
import { SignInService, UsersService, type SignIn } from '../users/index.js';
import { InteractionsService, type Question } from './interactions.service.js';
import { consentPage } from './pages/consent.page.js';
import { notPossible } from './pages/error.page.js';
import { signInPage } from './pages/sign-in.page.js';
import { scopeTexts } from './scope-texts.js';

const WHY = 'Pages of the authorization server: somebody signs in, and allows or refuses.';

/** Asks people: who they are, and whether an application may act for them. */
@Controller('oauth/interaction')
export class InteractionsController {
  constructor(
    private readonly interactions: InteractionsService,
    private readonly users: UsersService,
    private readonly signIns: SignInService,
    private readonly organizations: OrganizationService,
    private readonly registry: Registry,
  ) {}

  @Protocol(WHY)
  @Get(':uid')
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('uid') uid: string): Promise<void> {
    const question = await this.interactions.open(request, reply, uid);
    if (!question) return gone(reply);
    await this.ask(request, reply, question);
  }

  @Protocol(WHY)
  @Post(':uid')
  async answer(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('uid') uid: string): Promise<void> {
    const form = await readForm(request);
    const question = await this.interactions.open(request, reply, uid);
    if (!question || !this.interactions.isOwnForm(question, form.get('csrf') ?? '')) return gone(reply);
    const user = question.userId === undefined ? null : ((await this.users.byId(question.userId)) ?? null);
    if (form.get('do') === 'refuse') return goOn(reply, await this.interactions.refuse(request, reply, question, user));
    if (question.prompt === 'login') return this.signIn(request, reply, question, form);
    if (!user || form.get('do') !== 'allow') return this.ask(request, reply, question);
    goOn(reply, await this.interactions.allow(request, reply, question, user));
  }

  private async signIn(request: FastifyRequest, reply: FastifyReply, question: Question, form: URLSearchParams): Promise<void> {
    const [email = '', password = '', code = ''] = ['email', 'password', 'code'].map((name) => form.get(name) ?? '');
    const { organizationId } = question.application;
    const result = await this.signIns.signIn({
      organizationId,
      email,
      password,
      code: code.replaceAll(' ', ''),
      address: request.ip,
      requestId: request.id,
    });
    if ('user' in result) return goOn(reply, await this.interactions.signedIn(request, reply, result.user.id));
    await this.ask(request, reply, { ...question, loginHint: email }, REASONS[result.refused]);
  }

  private async ask({ url }: FastifyRequest, reply: FastifyReply, question: Question, problem?: string): Promise<void> {
    const { application, csrf, prompt, userId, scopes, redirectUri, loginHint: email } = question;
    const { name: organizationName } = await this.organizations.byId(application.organizationId);
    const common = { action: url.split('?')[0]!, csrf, applicationName: application.name, organizationName };
    const user = prompt === 'consent' ? await this.users.byId(userId!) : undefined;
    const allowed = scopeTexts(this.registry, [...new Set(Object.values(scopes).flat())]);
    const { origin: destination } = new URL(redirectUri);
    const page = user
      ? consentPage({ ...common, environment: application.environment, userName: user.name, destination, allowed })
      : signInPage({ ...common, email, problem });
    await reply
      .status(problem === undefined ? 200 : 400)
      .headers(pageHeaders(destination))
      .send(page);
  }
}

type Refused = Exclude<SignIn, { user: unknown }>['refused'];

const REASONS: Record<Refused, string> = {
  credentials: 'The e-mail or the password is not right.',
  code_needed: 'Please enter the code of your authenticator, too.',
  code_wrong: 'This code is not valid any more, or never was. Please enter a new one.',
  throttled: 'There were too many attempts. Please wait a few minutes and try again.',
};

function goOn(reply: FastifyReply, address: string): void {
  void reply.status(303).header('Location', address).send();
}

function gone(reply: FastifyReply): void {
  void reply
    .status(400)
    .headers(pageHeaders())
    .send(notPossible('This page was open for too long, or it was opened in another browser than the one that asked.'));
}
