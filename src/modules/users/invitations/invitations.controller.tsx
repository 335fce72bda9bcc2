import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply as Reply, FastifyRequest } from 'fastify';
import type { JSX } from 'preact';
import { Way } from '../../../api/console/parts/facts.js';
import { isOwnForm } from '../../../api/console/own-form.js';
import { ConsoleSessions, type SignedIn } from '../../../api/console/page.js';
import { answerPage as answer, type Page, readForm } from '../../../api/http/pages/page.js';
import { Protocol } from '../../../api/operation/operation.decorator.js';
import { wordingFor } from '../../../api/wording/page-wording.js';
import type { Wording } from '../../../api/wording/wording.js';
import { Ports } from '../../../store/discovery/ports.js';
import { problemWithPassword, NewPasswordFields } from '../new-password-fields.js';
import { emailKeyOf } from '../user-rules.js';
import { AcceptanceService, type OpenInvitation } from '../users.service.js';

const WHY = 'The page where an invited user chooses a password. They have no credential yet: the token in the address identifies them.';

@Controller('invitations')
export class InvitationsController {
  constructor(
    private readonly acceptance: AcceptanceService,
    private readonly ports: Ports,
  ) {}

  @Protocol(WHY, 'pages')
  @Get(':token')
  async show(@Param('token') token: string, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: Reply): Promise<string> {
    const [invitation, asked] = [await this.acceptance.find(token), this.askedBy(request)];
    if (!invitation) return this.answerGone(reply, asked.wording);
    const invited = await this.invitedIn(request, invitation);
    return answer(reply, 200, invited ? joinPage(invitation, invited.csrf, asked.wording) : choosePasswordPage(invitation, asked));
  }

  @Protocol(WHY, 'pages')
  @Post(':token')
  async accept(@Param('token') token: string, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: Reply): Promise<string> {
    const [invitation, asked] = [await this.acceptance.find(token), this.askedBy(request)];
    const { wording } = asked;
    if (!invitation) return this.answerGone(reply, wording);
    const form = await readForm(request);
    const call = { address: request.ip, requestId: request.id };
    if (form.get('do') === 'join') {
      const invited = await this.invitedIn(request, invitation);
      if (!invited || !isOwnForm(request, invited, form)) return this.show(token, request, reply);
      const joined = await this.acceptance.join(token, invited.user.id, call);
      const open = <Link to="/console" label={wording.say('invitation.openConsole')} />;
      return joined ? answer(reply, 200, donePage('joined', wording, open)) : this.answerGone(reply, wording);
    }
    const again = (problem: string): string => answer(reply, 400, choosePasswordPage(invitation, asked, problem));
    if (invitation.company !== undefined) return this.show(token, request, reply);
    const password = form.get('password') ?? '';
    if (password !== form.get('repeated')) return again(wording.say('invitation.mismatch'));
    try {
      const user = await this.acceptance.accept(token, password, call);
      const signIn = <Link to={this.signInPath()} label={wording.say('invitation.signIn')} />;
      return user ? answer(reply, 200, donePage('set', wording, signIn)) : this.answerGone(reply, wording);
    } catch (error) {
      return again(problemWithPassword(error, wording));
    }
  }

  private askedBy(request: FastifyRequest): Asked {
    return { wording: wordingFor(request), signInPath: this.signInPath(request.url) };
  }

  private answerGone(reply: Reply, { say, language }: Wording): string {
    const signIn = <Link to={this.signInPath()} label={say('invitation.signIn')} />;
    const body = [<p>{say('invitation.invalidAbout')}</p>, <p>{say('invitation.accepted')}</p>, signIn];
    return answer(reply, 404, { title: say('invitation.invalid'), language, body });
  }

  private async invitedIn(request: FastifyRequest, { email, company }: OpenInvitation): Promise<SignedIn | undefined> {
    const signedIn = await this.ports.only(ConsoleSessions)?.find(request);
    if (!signedIn || company !== undefined || signedIn.signedInBy === 'single_sign_on') return undefined;
    return emailKeyOf(signedIn.user.email) === emailKeyOf(email) ? signedIn : undefined;
  }

  /** None where the service has no console. */
  private signInPath(url = ''): string | undefined {
    return this.ports.only(ConsoleSessions)?.signInPath(url);
  }
}

type Asked = { readonly wording: Wording; readonly signInPath: string | undefined };

const titleOf = ({ organizationName }: OpenInvitation, { say }: Wording): string =>
  say('invitation.title', { organization: organizationName });

const Link = ({ to, label }: { to: string | undefined; label: string }) => (to === undefined ? null : <Way to={to} label={label} />);

/** Where passwords are switched off. The first sign-in accepts the invitation. */
function companyPage(invitation: OpenInvitation, organization: string, wording: Wording): Page {
  const about = <p>{wording.say('invitation.company', { email: invitation.email })}</p>;
  const path = `/console/sign-in/company?${new URLSearchParams({ organization }).toString()}`;
  const signIn = <Link to={path} label={wording.say('invitation.signIn')} />;
  return { title: titleOf(invitation, wording), language: wording.language, body: [about, signIn] };
}

/** People with an account go on with it; others choose a password. `problem` says what is wrong with the one that was sent. */
function choosePasswordPage(invitation: OpenInvitation, { wording, signInPath }: Asked, problem?: string): Page {
  const { email, company } = invitation;
  const { say, language } = wording;
  if (company !== undefined) return companyPage(invitation, company, wording);
  const body = (
    <>
      <p>{say('invitation.choose')}</p>
      {signInPath === undefined ? null : (
        <p class="hint">
          {say('invitation.already')} <a href={signInPath}>{say('invitation.signInFirst')}</a>
        </p>
      )}
      <NewPasswordFields email={email} problem={problem} wording={wording} />
    </>
  );
  return { title: titleOf(invitation, wording), language, offersLanguages: true, body };
}

function joinPage(invitation: OpenInvitation, csrf: string, wording: Wording): Page {
  const body = (
    <>
      <p>{wording.say('invitation.joinAs', { email: invitation.email })}</p>
      <form method="post" action={`?lang=${wording.language}`}>
        <input type="hidden" name="csrf" value={csrf} />
        <button name="do" value="join">
          {wording.say('invitation.join')}
        </button>
      </form>
    </>
  );
  return { title: titleOf(invitation, wording), language: wording.language, offersLanguages: true, body };
}

const donePage = (done: 'set' | 'joined', { say, language }: Wording, next: JSX.Element): Page => ({
  title: say(`invitation.${done}`),
  language,
  body: [<p>{say(`invitation.${done}About`)}</p>, next],
});
