import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../../kernel/problems.js';
import { page, PAGE_HEADERS, type Page } from '../../../api/http/pages/page.js';
import { readForm } from '../../../api/http/pages/read-form.js';
import { Protocol } from '../../../api/operation/operation.decorator.js';
import { AcceptanceService } from './acceptance.service.js';
import { acceptedPage, choosePasswordPage, noInvitationPage } from './invitation-pages.js';

const WHY = 'The page where an invited user chooses a password. They have no credential yet: the token in the address identifies them.';

@Controller('invitations')
export class InvitationsController {
  constructor(private readonly acceptance: AcceptanceService) {}

  @Protocol(WHY, 'pages')
  @Get(':token')
  async show(@Param('token') token: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const invitation = await this.acceptance.find(token);
    return invitation ? answer(reply, 200, choosePasswordPage(invitation)) : answer(reply, 404, noInvitationPage());
  }

  @Protocol(WHY, 'pages')
  @Post(':token')
  async accept(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const invitation = await this.acceptance.find(token);
    if (!invitation) return answer(reply, 404, noInvitationPage());
    const form = await readForm(request);
    const password = form.get('password') ?? '';
    if (password !== form.get('repeated')) return answer(reply, 400, choosePasswordPage(invitation, 'The two passwords do not match.'));
    try {
      const user = await this.acceptance.accept(token, password, { address: request.ip, requestId: request.id });
      return user ? answer(reply, 200, acceptedPage()) : answer(reply, 404, noInvitationPage());
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
      return answer(reply, 400, choosePasswordPage(invitation, `The ${error.detail}`));
    }
  }
}

function answer(reply: FastifyReply, status: number, shown: Page): string {
  void reply.status(status).headers(PAGE_HEADERS);
  return page(shown);
}
