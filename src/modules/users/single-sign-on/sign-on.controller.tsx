import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Way } from '../../../api/console/parts/facts.js';
import { ConsoleSessions } from '../../../api/console/page.js';
import { page, pageHeaders, readForm, redirect, sendPage } from '../../../api/http/pages/page.js';
import { Protocol } from '../../../api/operation/operation.decorator.js';
import { wordingFor } from '../../../api/wording/page-wording.js';
import type { Wording } from '../../../api/wording/wording.js';
import { Ports } from '../../../store/discovery/ports.js';
import { pageWithin } from '../sign-in/page-within.js';
import { ProblemNote } from '../sign-in/sign-in.page.js';
import { CompanySignIn } from './sign-on.service.js';
import { SIGN_ON_REFUSALS, type SignOnRefusal } from './sign-in-ways.js';

const WHY = 'Sign-in to the console by the identity provider of an organization; people have no credential yet.';

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
    if (request.isOfAnotherSite) return redirect(reply, '/console/sign-in/company');
    const started = await this.signIns.start(reply, organization, next, { address: request.ip, requestId: request.id });
    if ('url' in started) return redirect(reply, started.url);
    if ('refused' in started) return sendPage(reply, refusedPage(started.refused, wordingFor(request)), 400);
    this.show(request, reply, { organization, next, ...started });
  }

  @Protocol(WHY, 'pages')
  @Get('callback')
  async finish(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const result = await this.signIns.finish(request, reply);
    if ('refused' in result) return sendPage(reply, refusedPage(result.refused, wordingFor(request)), 400);
    await this.ports.only(ConsoleSessions)!.begin(request, reply, result.user.id, 'single_sign_on');
    redirect(reply, result.next);
  }

  private show(request: FastifyRequest, reply: FastifyReply, shown: CompanyPage): void {
    // Browsers apply `form-action` to the address of the provider, too, to which the form leads.
    const headers = pageHeaders(...this.signIns.possibleTargets);
    sendPage(reply, companyPage(shown, wordingFor(request)), shown.isUnknown ? 400 : 200, headers);
  }
}

interface CompanyPage {
  readonly organization: string;
  readonly next: string;
  /** No organization with this name has another way than passwords. */
  readonly isUnknown?: boolean;
}

function companyPage({ organization, next, isUnknown }: CompanyPage, { say, language }: Wording): string {
  const body = (
    <>
      <p>{say('console.users.signOn.about')}</p>
      <ProblemNote text={isUnknown ? say('console.users.signOn.unknown') : undefined} />
      <form method="post" action="/console/sign-in/company">
        <input type="hidden" name="next" value={next} />
        <label for="organization">{say('signIn.organization')}</label>
        <p class="hint" id="hint">
          {say('console.users.signOn.hint')}
        </p>
        <input
          id="organization"
          name="organization"
          autoComplete="organization"
          required
          maxLength={100}
          value={organization}
          autoFocus
          aria-describedby={isUnknown ? 'problem hint' : 'hint'}
          aria-invalid={isUnknown ? 'true' : undefined}
        />
        <button>{say('signIn.next')}</button>
      </form>
      <Way to="/console/sign-in" label={say('console.users.signOn.password')} />
    </>
  );
  return page({ title: say('console.users.signOn.title'), language, body });
}

function refusedPage(reason: SignOnRefusal, { say, told, language }: Wording): string {
  const body = [<p>{told(SIGN_ON_REFUSALS[reason])}</p>, <Way to="/console/sign-in/company" label={say('console.users.signOn.again')} />];
  return page({ title: say('console.users.signOn.refused'), language, body });
}
