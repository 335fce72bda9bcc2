import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply as Reply, FastifyRequest } from 'fastify';
import { page, PAGE_HEADERS, type Page } from '../../../api/http/pages/page.js';
import { readForm } from '../../../api/http/pages/read-form.js';
import { wordingFor } from '../../../api/wording/page-wording.js';
import { Protocol } from '../../../api/operation/operation.decorator.js';
import { problemWithPassword } from '../../users/index.js';
import { askedPage, askPage, choosePage, chosenPage, noLinkPage } from './new-password.views.js';
import { NEW_PASSWORD_PATH } from '../sessions/sign-in-links.service.js';
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
      return chosen ? answer(reply, 200, chosenPage(wording)) : answer(reply, 404, noLinkPage(wording));
    } catch (error) {
      return answer(reply, 400, choosePage(user, wording, problemWithPassword(error, wording)));
    }
  }
}

function answer(reply: Reply, status: number, shown: Page): string {
  void reply.status(status).headers(PAGE_HEADERS);
  return page(shown);
}
