import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConsoleSessions } from '../../../api/console/page-context.js';
import { pageWithin } from '../sign-in/page-within.js';
import { pageHeaders } from '../../../api/http/pages/page.js';
import { readForm } from '../../../api/http/pages/read-form.js';
import { wordingFor } from '../../../api/wording/page-wording.js';
import { Protocol } from '../../../api/operation/operation.decorator.js';
import { Ports } from '../../../store/discovery/ports.js';
import { CompanySignIn } from './company-sign-in.js';
import { companyPage, type CompanyPage, refusedPage } from './sign-on.views.js';

const WHY = 'Sign-in to the console by the identity provider of an organization; people have no credential yet.';

/** Out to the identity provider of an organization, and back. */
@Controller('console/sign-in')
export class SignOnController {
  constructor(
    private readonly signIns: CompanySignIn,
    private readonly ports: Ports,
  ) {}

  @Protocol(WHY, 'pages')
  @Get('company')
  ask(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const { next, organization } = request.query as Record<string, unknown>;
    this.show(request, reply, { organization: typeof organization === 'string' ? organization : '', next: pageWithin(next) });
  }

  @Protocol(WHY, 'pages')
  @Post('company')
  async start(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const [organization, next] = [form.get('organization') ?? '', pageWithin(form.get('next'))];
    if (request.isOfAnotherSite) return goTo(reply, '/console/sign-in/company');
    const started = await this.signIns.start(reply, organization, next, { address: request.ip, requestId: request.id });
    if ('url' in started) return goTo(reply, started.url);
    if ('refused' in started) return refuse(reply, refusedPage(started.refused, wordingFor(request)));
    this.show(request, reply, { organization, next, ...started });
  }

  @Protocol(WHY, 'pages')
  @Get('callback')
  async finish(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const result = await this.signIns.finish(request, reply);
    if ('refused' in result) return refuse(reply, refusedPage(result.refused, wordingFor(request)));
    await this.ports.only(ConsoleSessions)!.begin(request, reply, result.user.id, 'single_sign_on');
    goTo(reply, result.next);
  }

  private show(request: FastifyRequest, reply: FastifyReply, shown: CompanyPage): void {
    // Browsers apply `form-action` to the address of the provider, too, to which the form leads.
    void reply
      .status(shown.isUnknown ? 400 : 200)
      .headers(pageHeaders(...this.signIns.possibleTargets))
      .send(companyPage(shown, wordingFor(request)));
  }
}

const refuse = (reply: FastifyReply, html: string): void => void reply.status(400).headers(pageHeaders()).send(html);
const goTo = (reply: FastifyReply, location: string): void => void reply.status(303).header('Location', location).send();
