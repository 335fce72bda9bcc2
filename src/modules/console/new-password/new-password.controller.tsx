import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply as Reply, FastifyRequest } from 'fastify';
import { SIGNED_OUT_HEADERS } from '../../../api/console/open-pages.js';
import { Sentence, Way } from '../../../api/console/parts/facts.js';
import { answerPage as answer, type Page, readForm } from '../../../api/http/pages/page.js';
import { Protocol } from '../../../api/operation/operation.decorator.js';
import { wordingFor, FIRST } from '../../../api/wording/page-wording.js';
import type { Wording } from '../../../api/wording/wording.js';
import { problemWithPassword, NewPasswordFields } from '../../users/index.js';
import { SIGN_IN_PATH, NEW_PASSWORD_PATH, LINK_MINUTES } from '../sessions/sessions.service.js';
import { NewPasswordMail, NewPasswords } from './new-password.service.js';

const WHY = 'Where people choose a new password. They have no credential: a mail tells them a token.';

@Controller(NEW_PASSWORD_PATH)
export class NewPasswordController {
  constructor(
    private readonly newPasswords: NewPasswords,
    private readonly mail: NewPasswordMail,
  ) {}

  @Protocol(WHY, 'pages')
  @Get()
  ask(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: Reply): string {
    return answer(reply, 200, askPage(wordingFor(request)));
  }

  @Protocol(WHY, 'pages')
  @Post()
  async mailLink(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: Reply): Promise<string> {
    const form = await readForm(request);
    const wording = wordingFor(request);
    if (request.isOfAnotherSite) return answer(reply, 403, askPage(wording));
    await this.mail.ask(form.get('email') ?? '', { requestId: request.id, ipAddress: request.ip });
    return answer(reply, 200, askedPage(wording));
  }

  @Protocol(WHY, 'pages')
  @Get(':token')
  async show(@Param('token') token: string, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: Reply): Promise<string> {
    const user = await this.newPasswords.find(token);
    const wording = wordingFor(request);
    return user ? answer(reply, 200, choosePage(user, wording)) : answer(reply, 404, noLinkPage(wording));
  }

  @Protocol(WHY, 'pages')
  @Post(':token')
  async choose(@Param('token') token: string, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: Reply): Promise<string> {
    const form = await readForm(request);
    const user = await this.newPasswords.find(token);
    const wording = wordingFor(request);
    if (!user) return answer(reply, 404, noLinkPage(wording));
    const password = form.get('password') ?? '';
    if (password !== form.get('repeated')) return answer(reply, 400, choosePage(user, wording, wording.say('invitation.mismatch')));
    try {
      const chosen = await this.newPasswords.choose(token, password, { requestId: request.id, ipAddress: request.ip });
      if (chosen) void reply.headers(SIGNED_OUT_HEADERS);
      return chosen ? answer(reply, 200, chosenPage(wording)) : answer(reply, 404, noLinkPage(wording));
    } catch (error) {
      return answer(reply, 400, choosePage(user, wording, problemWithPassword(error, wording)));
    }
  }
}

const askPage = ({ say, language }: Wording): Page => ({
  title: say('newPassword.title'),
  language,
  offersLanguages: true,
  body: (
    <>
      <p>{say('newPassword.ask')}</p>
      <form method="post" action={`?lang=${language}`}>
        <label for="email">{say('signIn.email')}</label>
        <input id="email" name="email" type="email" autoComplete="username" required maxLength={320} autoFocus />
        <button>{say('newPassword.send')}</button>
      </form>
      <p class="hint">
        <a href={SIGN_IN_PATH}>{say('newPassword.back')}</a>
      </p>
    </>
  ),
});

/** The same whether there is an account or not. */
const askedPage = ({ say, language }: Wording): Page => ({
  title: say('newPassword.asked'),
  language,
  body: (
    <>
      <p>{say('newPassword.askedAbout', { minutes: LINK_MINUTES })}</p>
      <p>{say('newPassword.nothingCame')}</p>
    </>
  ),
});

const choosePage = ({ email }: { readonly email: string }, wording: Wording, problem?: string): Page => ({
  title: wording.say('newPassword.title'),
  language: wording.language,
  offersLanguages: true,
  body: (
    <>
      <p>{wording.say('newPassword.signsOut')}</p>
      <NewPasswordFields email={email} problem={problem} wording={wording} />
    </>
  ),
});

const chosenPage = ({ say, language }: Wording): Page => ({
  title: say('invitation.set'),
  language,
  body: (
    <>
      <p>{say('invitation.setAbout')}</p>
      <Way to={SIGN_IN_PATH} label={say('invitation.signIn')} />
      <Sentence
        text={say('newPassword.applications', { connections: FIRST })}
        parts={[<a href="/oauth/connections">{say('newPassword.connections')}</a>]}
      />
    </>
  ),
});

const noLinkPage = ({ say, language }: Wording): Page => ({
  title: say('signIn.linkInvalid'),
  language,
  body: (
    <p>
      {say('newPassword.linkOnce', { minutes: LINK_MINUTES })} <a href={NEW_PASSWORD_PATH}>{say('newPassword.askAgain')}</a>
    </p>
  ),
});
