import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Sentence, Way } from '../../api/console/parts/facts.js';
import { isOwnForm } from '../../api/console/own-form.js';
import { CONSOLE_HEADERS } from '../../api/console/open-pages.js';
import { page, readForm, redirect, sendPage } from '../../api/http/pages/page.js';
import { Protocol } from '../../api/operation/operation.decorator.js';
import { wordingFor, FIRST } from '../../api/wording/page-wording.js';
import { Problem } from '../../kernel/problems.js';
import type { Say, Wording } from '../../api/wording/wording.js';
import {
  AskedAgain,
  FIRST_PAGE,
  hasSecondFactor,
  OrganizationField,
  PASSKEY_PATH,
  PasskeyButton,
  Passkeys,
  pageWithin,
  ProblemNote,
  SignInSteps,
  signInPage,
  type SignInState,
  type UserFacts,
} from '../users/index.js';
import { SessionsService, SIGN_IN_PATH, SignInLinks, NEW_PASSWORD_PATH } from './sessions/sessions.service.js';

const WHY = 'Where people sign in to the console; they have no credential yet.';

@Controller('console')
export class SignInController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly signIns: SignInSteps,
    private readonly links: SignInLinks,
    private readonly passkeys: Passkeys,
    private readonly askedAgain: AskedAgain,
  ) {}

  @Protocol('The address of the console, from where people are sent to its first page.', 'pages')
  @Get()
  first(@Res() reply: FastifyReply): void {
    redirect(reply, FIRST_PAGE);
  }

  @Protocol(WHY, 'pages')
  @Get('sign-in')
  async ask(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { next, organization, again } = request.query as Record<string, unknown>;
    if (again === undefined && (await this.sessions.find(request))) return redirect(reply, pageWithin(next));
    this.show(reply, { email: '' }, textOf(organization), pageWithin(next), wordingFor(request));
  }

  @Protocol('What a browser asks a passkey for, before anybody is known.', 'pages')
  @Post(PASSKEY_PATH.slice('/console/'.length))
  challenge(@Req() { isOfAnotherSite }: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): object {
    if (isOfAnotherSite) throw new Problem('route_not_found');
    return this.passkeys.challenge(reply.status(200));
  }

  @Protocol(WHY, 'pages')
  @Post('sign-in')
  async signIn(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const next = pageWithin(form.get('next'));
    // Nobody is signed in to an account that is not theirs.
    if (request.isOfAnotherSite) return redirect(reply, SIGN_IN_PATH);
    const passkey = this.passkeys.answerIn(request, form.get('passkey'));
    const call = { address: request.ip, requestId: request.id, setsUpSecondFactor: true, passkey };
    const result = await this.signIns.takeAnywhere(form, call);
    if (!('user' in result)) return this.show(reply, result, form.get('organization') ?? '', next, wordingFor(request));
    await this.sessions.begin(request, reply, result.user.id, result.by);
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
    sendPage(reply, linkPage(user, wording), 200, CONSOLE_HEADERS);
  }

  @Protocol('A link that signs somebody in once.', 'pages')
  @Post('links/:token')
  async useLink(@Param('token') token: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (request.isOfAnotherSite) return redirect(reply, SIGN_IN_PATH);
    const wording = wordingFor(request);
    const call = { requestId: request.id, ipAddress: request.ip };
    const found = await this.links.find(token);
    if (!found) return sendPage(reply, noLinkPage(wording), 404);
    const form = await readForm(request);
    try {
      await this.askedAgain.proveBesideLink({ type: 'user', id: found.id, name: found.name, call }, form, request);
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      const wrong = form.get('passkey') ? 'passkey_wrong' : 'code_wrong';
      return sendPage(reply, linkPage(found, wording, error.code === 'rate_limited' ? 'throttled' : wrong), 400, CONSOLE_HEADERS);
    }
    const user = await this.links.use(token, call);
    if (!user) return sendPage(reply, noLinkPage(wording), 404);
    await this.sessions.begin(request, reply, user.id, 'link');
    redirect(reply, FIRST_PAGE);
  }

  private show(reply: FastifyReply, state: SignInState, organization: string, next: string, wording: Wording): void {
    const shown = consoleSignInPage(state, organization, next, wording, this.passkeys.areOffered);
    sendPage(reply, shown, state.problem === undefined ? 200 : 400, CONSOLE_HEADERS);
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
function consoleSignInPage(state: SignInState, organization: string, next: string, wording: Wording, hasPasskeys: boolean): string {
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
  const passkey = hasPasskeys ? <PasskeyButton say={say} label={say('signIn.passkey')} /> : undefined;
  const query = { organization, next };
  const form = { action: SIGN_IN_PATH, csrf: '', query, hasScript: hasPasskeys };
  return signInPage({ ...state, ...form, about, before, passkey, after, wording });
}

const ForgotPassword = ({ say }: { say: Say }) => (
  <p class="hint">
    <a href={NEW_PASSWORD_PATH}>{say('signIn.forgotten')}</a>
  </p>
);

function linkPage(user: UserFacts, { say, language }: Wording, problem?: 'throttled' | 'passkey_wrong' | 'code_wrong'): string {
  const { name, email, passkeys } = user;
  const body = (
    <>
      <Sentence text={say('signIn.linkAs', { name: FIRST, email })} names={[name]} />
      <ProblemNote text={problem && say(`signIn.problems.${problem}`)} />
      <form method="post">
        {hasSecondFactor(user) ? (
          <>
            <label for="code">{say('signIn.code')}</label>
            <input id="code" name="code" autoComplete="one-time-code" required maxLength={40} autoFocus />
          </>
        ) : null}
        <button autoFocus={!hasSecondFactor(user)}>{say('signIn.submit')}</button>
        {passkeys > 0 ? <PasskeyButton say={say} /> : null}
      </form>
    </>
  );
  return page({ title: say('signIn.title'), language, offersLanguages: true, hasScript: passkeys > 0, body });
}

function noLinkPage({ say, language }: Wording): string {
  const withPassword = <a href={SIGN_IN_PATH}>{say('signIn.withPassword')}</a>;
  const body = <Sentence text={say('signIn.linkOnce', { signIn: FIRST })} parts={[withPassword]} />;
  return page({ title: say('signIn.linkInvalid'), language, body });
}
