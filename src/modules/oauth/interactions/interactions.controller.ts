import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageHeaders } from '../../../api/http/pages/page.js';
import { readForm } from '../../../api/http/pages/read-form.js';
import { Protocol } from '../../../api/operation/operation.decorator.js';
import { Registry } from '../../../api/operation/registry.js';
import { OrganizationService } from '../../organization/index.js';
import { SignInService, UsersService, type SignIn } from '../../users/index.js';
import { InteractionsService, type Question } from './interactions.service.js';
import { consentPage } from './consent.page.js';
import { errorText } from '../provider/error.page.js';
import { signInPage } from './sign-in.page.js';
import { scopeTexts } from './scope-texts.js';

const WHY = 'Sign-in and consent pages of the authorization server.';

/** The pages on which a user signs in and decides whether an application may act for them. */
@Controller('oauth/interaction')
export class InteractionsController {
  constructor(
    private readonly interactions: InteractionsService,
    private readonly users: UsersService,
    private readonly signIns: SignInService,
    private readonly organizations: OrganizationService,
    private readonly registry: Registry,
  ) {}

  @Protocol(WHY, 'pages')
  @Get(':uid')
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('uid') uid: string): Promise<void> {
    const question = await this.interactions.open(request, reply, uid);
    if (!question) return expired(reply);
    await this.ask(request, reply, question);
  }

  @Protocol(WHY, 'pages')
  @Post(':uid')
  async answer(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('uid') uid: string): Promise<void> {
    const form = await readForm(request);
    const question = await this.interactions.open(request, reply, uid);
    if (!question || !this.interactions.isOwnForm(question, form.get('csrf') ?? '')) return expired(reply);
    const user = question.userId === undefined ? null : ((await this.users.byId(question.userId)) ?? null);
    if (form.get('do') === 'refuse') return redirect(reply, await this.interactions.refuse(request, reply, question, user));
    if (question.prompt === 'login') return this.signIn(request, reply, question, form);
    if (!user || form.get('do') !== 'allow') return this.ask(request, reply, question);
    redirect(reply, await this.interactions.allow(request, reply, question, user));
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
    if ('user' in result) return redirect(reply, await this.interactions.signedIn(request, reply, result.user.id));
    await this.ask(request, reply, { ...question, loginHint: email }, REASONS[result.refused]);
  }

  private async ask({ url }: FastifyRequest, reply: FastifyReply, question: Question, problem?: string): Promise<void> {
    const { application, csrf, prompt, userId, scopes, redirectUri, loginHint: email } = question;
    const { name: organizationName } = await this.organizations.byId(application.organizationId);
    const common = { action: url.split('?')[0]!, csrf, applicationName: application.name, organizationName };
    const user = prompt === 'consent' ? await this.users.byId(userId!) : undefined;
    const allowed = scopeTexts(this.registry, [...new Set(Object.values(scopes).flat())]);
    const destination = redirectUri === undefined ? undefined : new URL(redirectUri).origin;
    const page = user
      ? consentPage({ ...common, environment: application.environment, userName: user.name, destination, allowed })
      : signInPage({ ...common, email, problem });
    await reply
      .status(problem === undefined ? 200 : 400)
      .headers(destination === undefined ? pageHeaders() : pageHeaders(destination))
      .send(page);
  }
}

type Refused = Exclude<SignIn, { user: unknown }>['refused'];

const REASONS: Record<Refused, string> = {
  credentials: 'The e-mail address or the password is wrong.',
  code_needed: 'Enter the code from your authenticator app as well.',
  code_wrong: 'This code is wrong or has expired. Enter a new one.',
  throttled: 'Too many attempts. Wait a few minutes and try again.',
};

function redirect(reply: FastifyReply, address: string): void {
  void reply.status(303).header('Location', address).send();
}

function expired(reply: FastifyReply): void {
  void reply.status(400).headers(pageHeaders()).send(errorText('This page has expired, or it was opened in a different browser.'));
}
