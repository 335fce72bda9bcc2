import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { page, PAGE_HEADERS, type Page } from '../../../api/http/pages/page.js';
import { readForm } from '../../../api/http/pages/read-form.js';
import { Protocol } from '../../../api/operation/operation.decorator.js';
import { Problem } from '../../../kernel/problems.js';
import { askedPage, askPage, choosePage, chosenPage, noLinkPage } from './new-password.views.js';
import { NEW_PASSWORD_PATH } from '../sessions/sign-in-links.service.js';
import { NewPasswordMail } from './new-password-mail.js';
import { NewPasswords } from './new-password.service.js';

const WHY = 'Where people choose a new password. They have no credential: a mail tells them a token.';

@Controller(NEW_PASSWORD_PATH)
export class NewPasswordController {
  constructor(
    private readonly newPasswords: NewPasswords,
    private readonly mail: NewPasswordMail,
  ) {}

  @Protocol(WHY, 'pages')
  @Get()
  ask(@Res({ passthrough: true }) reply: FastifyReply): string {
    return answer(reply, 200, askPage());
  }

  @Protocol(WHY, 'pages')
  @Post()
  async mailLink(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const form = await readForm(request);
    if (request.isOfAnotherSite) return answer(reply, 403, askPage());
    await this.mail.ask(form.get('email') ?? '', { requestId: request.id, ipAddress: request.ip });
    return answer(reply, 200, askedPage());
  }

  @Protocol(WHY, 'pages')
  @Get(':token')
  async show(@Param('token') token: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const user = await this.newPasswords.find(token);
    return user ? answer(reply, 200, choosePage(user)) : answer(reply, 404, noLinkPage());
  }

  @Protocol(WHY, 'pages')
  @Post(':token')
  async choose(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const form = await readForm(request);
    const user = await this.newPasswords.find(token);
    if (!user) return answer(reply, 404, noLinkPage());
    const password = form.get('password') ?? '';
    if (password !== form.get('repeated')) return answer(reply, 400, choosePage(user, 'The two passwords do not match.'));
    try {
      const chosen = await this.newPasswords.choose(token, password, { requestId: request.id, ipAddress: request.ip });
      return chosen ? answer(reply, 200, chosenPage()) : answer(reply, 404, noLinkPage());
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
      return answer(reply, 400, choosePage(user, `The ${error.detail}`));
    }
  }
}

function answer(reply: FastifyReply, status: number, shown: Page): string {
  void reply.status(status).headers(PAGE_HEADERS);
  return page(shown);
}
