import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../../../api/http/pages/html.js';
import { pageHeaders } from '../../../api/http/pages/page.js';
import { readForm } from '../../../api/http/pages/read-form.js';
import { Protocol } from '../../../api/operation/operation.decorator.js';
import { Registry } from '../../../api/operation/registry.js';
import { OrganizationService } from '../../organization/index.js';
import { UsersService } from '../../users/index.js';
import { InteractionsService, type Question } from './interactions.service.js';
import { consentPage } from './consent.page.js';
import { errorText } from '../provider/error.page.js';
import { scopeGroups } from './scope-groups.js';
import { signInPage, type SignInState } from '../sign-in/sign-in.page.js';
import { SignInSteps } from '../sign-in/sign-in-steps.js';

const WHY = 'Sign-in and consent pages of the authorization server.';
const NOTHING_CHOSEN = 'Choose at least one permission, or refuse.';

/** How a page is shown again: where a sign-in stands, or what was wrong with an answer. */
type Shown = Partial<SignInState>;

/** The pages on which a user signs in and decides whether an application may act for them. */
@Controller('oauth/interaction')
export class InteractionsController {
  constructor(
    private readonly interactions: InteractionsService,
    private readonly users: UsersService,
    private readonly signIns: SignInSteps,
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
    const action = form.get('do');
    if (action === 'refuse') return redirect(reply, await this.interactions.refuse(request, reply, question, user));
    if (question.prompt === 'login') return this.signIn(request, reply, question, form);
    if (action === 'other-account') {
      await this.interactions.signOut(request, reply);
      return redirect(reply, request.url.split('?')[0]!);
    }
    if (!user || action !== 'allow') return this.ask(request, reply, question);
    const chosen = form.getAll('scope');
    const isNothing = !Object.values(question.scopes).some((names) => names.some((name) => chosen.includes(name)));
    if (isNothing && Object.values(question.scopes).flat().length > 0)
      return this.ask(request, reply, question, { problem: NOTHING_CHOSEN });
    redirect(reply, await this.interactions.allow(request, reply, question, user, chosen));
  }

  private async signIn(request: FastifyRequest, reply: FastifyReply, question: Question, form: URLSearchParams): Promise<void> {
    const { organizationId } = question.application;
    const result = await this.signIns.take(form, { organizationId, address: request.ip, requestId: request.id });
    if ('user' in result) return redirect(reply, await this.interactions.signedIn(request, reply, question, result.user.id));
    await this.ask(request, reply, question, result);
  }

  private async ask({ url }: FastifyRequest, reply: FastifyReply, question: Question, shown: Shown = {}): Promise<void> {
    const { application, csrf, prompt, userId, scopes, leftOut, isRepeated, redirectUri, loginHint } = question;
    const { name: organizationName } = await this.organizations.byId(application.organizationId);
    const common = { action: url.split('?')[0]!, csrf, applicationName: application.name, organizationName };
    const user = prompt === 'consent' ? await this.users.byId(userId!) : undefined;
    const asked = scopeGroups(this.registry, [...new Set(Object.values(scopes).flat())]);
    const destination = redirectUri === undefined ? undefined : new URL(redirectUri).origin;
    const { environment } = application;
    const { problem } = shown;
    const page = user
      ? consentPage({ ...common, environment, userName: user.name, destination, asked, leftOut, isRepeated, problem })
      : signInPage({ ...common, ...aboutSignIn(common), email: loginHint, ...shown });
    await reply
      .status(problem === undefined ? 200 : 400)
      .headers(destination === undefined ? pageHeaders() : pageHeaders(destination))
      .send(page);
  }
}

function aboutSignIn({ applicationName, organizationName }: { applicationName: string; organizationName: string }) {
  return {
    about: html`<p>Sign in to continue to <strong>${applicationName}</strong> with your account at
<strong>${organizationName}</strong>.</p>`,
    after: html`<button class="plain" name="do" value="refuse" formnovalidate>Do not sign in</button>
`,
  };
}

function redirect(reply: FastifyReply, address: string): void {
  void reply.status(303).header('Location', address).send();
}

function expired(reply: FastifyReply): void {
  void reply.status(400).headers(pageHeaders()).send(errorText('This page has expired, or it was opened in a different browser.'));
}
