import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Sentence, Way } from '../../api/console/parts/facts.js';
import { isOwnForm } from '../../api/console/own-form.js';
import { page, readForm, redirect, sendPage } from '../../api/http/pages/page.js';
import { Protocol } from '../../api/operation/operation.decorator.js';
import { wordingFor, FIRST } from '../../api/wording/page-wording.js';
import type { Say, Wording } from '../../api/wording/wording.js';
import { FIRST_PAGE, pageWithin, SignInSteps, OrganizationField, signInPage, type SignInState } from '../users/index.js';
import { SessionsService, SIGN_IN_PATH, SignInLinks, NEW_PASSWORD_PATH } from './sessions/sessions.service.js';

const WHY = 'Where people sign in to the console; they have no credential yet.';

@Controller('console')
export class SignInController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly signIns: SignInSteps,
    private readonly links: SignInLinks,
  ) {}

  @Protocol('The address of the console, from where people are sent to its first page.', 'pages')
  @Get()
  first(@Res() reply: FastifyReply): void {
    redirect(reply, FIRST_PAGE);
  }

  @Protocol(WHY, 'pages')
  @Get('sign-in')
  async ask(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { next, organization } = request.query as Record<string, unknown>;
    if (await this.sessions.find(request)) return redirect(reply, pageWithin(next));
    sendPage(reply, consoleSignInPage({ email: '' }, textOf(organization), pageWithin(next), wordingFor(request)));
  }

  @Protocol(WHY, 'pages')
  @Post('sign-in')
  async signIn(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const next = pageWithin(form.get('next'));
    // Nobody is signed in to an account that is not theirs.
    if (request.isOfAnotherSite) return redirect(reply, SIGN_IN_PATH);
    const result = await this.signIns.takeAnywhere(form, { address: request.ip, requestId: request.id, setsUpSecondFactor: true });
    if (!('user' in result)) {
      const page = consoleSignInPage(result, form.get('organization') ?? '', next, wordingFor(request));
      return sendPage(reply, page, result.problem === undefined ? 200 : 400);
    }
    await this.sessions.begin(request, reply, result.user.id, 'password');
    redirect(reply, next);
  }

  @Protocol('Signs a person out.', 'pages')
  @Post('sign-out')
  async signOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const signedIn = await this.sessions.find(request);
    if (signedIn && isOwnForm(request, signedIn, form)) await this.sessions.end(reply, signedIn);
    const { next } = request.query as Record<string, unknown>;
    redirect(reply, this.sessions.signInPath(next === undefined ? '' : pageWithin(next)));
  }

  @Protocol('Takes a person to another of their organizations.', 'pages')
  @Post('switch')
  async switch(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const signedIn = await this.sessions.find(request);
    if (signedIn && isOwnForm(request, signedIn, form)) await this.sessions.switchTo(request, reply, signedIn, form.get('user') ?? '');
    redirect(reply, FIRST_PAGE);
  }

  @Protocol('A link that signs somebody in once: the page that asks whether it should.', 'pages')
  @Get('links/:token')
  async showLink(@Param('token') token: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const user = await this.links.find(token);
    const wording = wordingFor(request);
    if (!user) return sendPage(reply, noLinkPage(wording), 404);
    sendPage(reply, linkPage(user, wording));
  }

  @Protocol('A link that signs somebody in once.', 'pages')
  @Post('links/:token')
  async useLink(@Param('token') token: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (request.isOfAnotherSite) return redirect(reply, SIGN_IN_PATH);
    const user = await this.links.use(token, { requestId: request.id, ipAddress: request.ip });
    if (!user) return sendPage(reply, noLinkPage(wordingFor(request)), 404);
    await this.sessions.begin(request, reply, user.id, 'link');
    redirect(reply, FIRST_PAGE);
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
function consoleSignInPage(state: SignInState, organization: string, next: string, wording: Wording): string {
  const { say } = wording;
  const before = (
    <>
      <input type="hidden" name="next" value={next} />
      <OrganizationField organization={organization} state={state} wording={wording} />
    </>
  );
  const company = `${SIGN_IN_PATH}/company?${new URLSearchParams({ organization, next }).toString()}`;
  const about = (
    <>
      <p>{say('signIn.toConsole')}</p>
      <Way to={company} label={say('signIn.company')} />
    </>
  );
  const after = state.proof === undefined ? <ForgotPassword say={say} /> : null;
  return signInPage({ ...state, action: SIGN_IN_PATH, csrf: '', about, before, after, wording, query: { organization, next } });
}

const ForgotPassword = ({ say }: { say: Say }) => (
  <p class="hint">
    <a href={NEW_PASSWORD_PATH}>{say('signIn.forgotten')}</a>
  </p>
);

function linkPage({ name, email }: { readonly name: string; readonly email: string }, { say, language }: Wording): string {
  const body = (
    <>
      <Sentence text={say('signIn.linkAs', { name: FIRST, email })} names={[name]} />
      <form method="post">
        <button autoFocus>{say('signIn.submit')}</button>
      </form>
    </>
  );
  return page({ title: say('signIn.title'), language, offersLanguages: true, body });
}

function noLinkPage({ say, language }: Wording): string {
  const withPassword = <a href={SIGN_IN_PATH}>{say('signIn.withPassword')}</a>;
  const body = <Sentence text={say('signIn.linkOnce', { signIn: FIRST })} parts={[withPassword]} />;
  return page({ title: say('signIn.linkInvalid'), language, body });
}
