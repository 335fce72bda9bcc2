import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageHeaders } from '../../../api/http/pages/page.js';
import { readForm } from '../../../api/http/pages/read-form.js';
import { Protocol } from '../../../api/operation/operation.decorator.js';
import { Registry } from '../../../api/operation/registry.js';
import { OrganizationService } from '../../organization/index.js';
import { SignInService, UsersService, type SignIn } from '../../users/index.js';
import { InteractionsService, type Question } from './interactions.service.js';
import { chosenEnvironment, SharedConsent, type Shown } from './shared-consent.js';
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
    private readonly shared: SharedConsent,
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
    const environment = chosenEnvironment(question, form.get('do'));
    if (!user || !environment) return this.ask(request, reply, question);
    const answer = await this.interactions.allow(request, reply, question, { user, environment });
    if ('address' in answer) return redirect(reply, answer.address);
    await this.ask(request, reply, question, answer);
  }

  private async signIn(request: FastifyRequest, reply: FastifyReply, question: Question, form: URLSearchParams): Promise<void> {
    const [email = '', password = '', code = ''] = ['email', 'password', 'code'].map((name) => form.get(name) ?? '');
    const attempt = { email, password, code: code.replaceAll(' ', ''), address: request.ip, requestId: request.id };
    const result = question.shared
      ? await this.signIns.signInAnywhere({ ...attempt, organization: form.get('organization') ?? '' })
      : await this.signIns.signIn({ ...attempt, organizationId: question.application.organizationId });
    if ('user' in result) return redirect(reply, await this.interactions.signedIn(request, reply, result.user.id));
    const reasons = question.shared ? REASONS_ANYWHERE : REASONS;
    await this.ask(request, reply, { ...question, loginHint: email }, { problem: reasons[result.refused] });
  }

  private async ask({ url }: FastifyRequest, reply: FastifyReply, question: Question, after: Attempted = {}): Promise<void> {
    const { problem } = after;
    const { csrf, prompt, userId, scopes, redirectUri, loginHint: email } = question;
    const form = { action: url.split('?')[0]!, csrf };
    const user = prompt === 'consent' ? await this.users.byId(userId!) : undefined;
    const allowed = scopeTexts(this.registry, [...new Set(Object.values(scopes).flat())]);
    if (question.shared) {
      const { status, page } = await this.shared.page(question.shared, { ...form, ...after, user, redirectUri, allowed, email });
      return void (await reply.status(status).headers(pageHeaders(redirectUri)).send(page));
    }
    const { name: applicationName, organizationId, environment } = question.application;
    const { name: organizationName } = await this.organizations.byId(organizationId);
    const common = { ...form, applicationName, organizationName };
    const page = user
      ? consentPage({ ...common, environment, userName: user.name, redirectUri, allowed })
      : signInPage({ ...common, email, problem });
    await reply
      .status(problem === undefined ? 200 : 400)
      .headers(pageHeaders(redirectUri))
      .send(page);
  }
}

/** What became of the form before: what was wrong with the sign-in, or why the application cannot be connected. */
type Attempted = Pick<Shown, 'problem' | 'refused'>;
type Refused = Exclude<SignIn, { user: unknown }>['refused'];

const REASONS: Record<Refused, string> = {
  credentials: 'The e-mail address or the password is wrong.',
  code_needed: 'Enter the code from your authenticator app as well.',
  code_wrong: 'This code is wrong or has expired. Enter a new one.',
  throttled: 'Too many attempts. Wait a few minutes and try again.',
};

const REASONS_ANYWHERE: Record<Refused, string> = {
  ...REASONS,
  credentials: `${REASONS.credentials} If you have accounts at several organizations, enter the organization as well.`,
};

function redirect(reply: FastifyReply, address: string): void {
  void reply.status(303).header('Location', address).send();
}

function expired(reply: FastifyReply): void {
  void reply.status(400).headers(pageHeaders()).send(errorText('This page has expired, or it was opened in a different browser.'));
}
