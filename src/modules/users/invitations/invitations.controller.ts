import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply as Reply, FastifyRequest } from 'fastify';
import { isOwnForm } from '../../../api/console/checks.js';
import { ConsoleSessions, type SignedIn } from '../../../api/console/page-context.js';
import { problemWithPassword } from '../new-password-fields.js';
import { page, PAGE_HEADERS, type Page } from '../../../api/http/pages/page.js';
import { readForm } from '../../../api/http/pages/read-form.js';
import { wordingFor } from '../../../api/wording/page-wording.js';
import { Protocol } from '../../../api/operation/operation.decorator.js';
import { Ports } from '../../../store/discovery/ports.js';
import { emailKeyOf } from '../user-rules.js';
import { AcceptanceService, type OpenInvitation } from './acceptance.service.js';
import { acceptedPage, choosePasswordPage, joinedPage, joinPage, noInvitationPage } from './invitation-pages.js';

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
    if (!invitation) return answer(reply, 404, noInvitationPage({ ...asked, signInPath: this.signInPath() }));
    const invited = await this.invitedIn(request, invitation);
    return answer(reply, 200, invited ? joinPage(invitation, invited.csrf, asked.wording) : choosePasswordPage(invitation, asked));
  }

  @Protocol(WHY, 'pages')
  @Post(':token')
  async accept(@Param('token') token: string, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: Reply): Promise<string> {
    const [invitation, asked] = [await this.acceptance.find(token), this.askedBy(request)];
    if (!invitation) return answer(reply, 404, noInvitationPage({ ...asked, signInPath: this.signInPath() }));
    const form = await readForm(request);
    const call = { address: request.ip, requestId: request.id };
    if (form.get('do') === 'join') {
      const invited = await this.invitedIn(request, invitation);
      if (!invited || !isOwnForm(request, invited, form)) return this.show(token, request, reply);
      const joined = await this.acceptance.join(token, invited.user.id, call);
      return joined
        ? answer(reply, 200, joinedPage(asked.wording))
        : answer(reply, 404, noInvitationPage({ ...asked, signInPath: this.signInPath() }));
    }
    const again = (problem: string): string => answer(reply, 400, choosePasswordPage(invitation, asked, problem));
    if (invitation.company !== undefined) return this.show(token, request, reply);
    const password = form.get('password') ?? '';
    if (password !== form.get('repeated')) return again(asked.wording.say('invitation.mismatch'));
    try {
      const user = await this.acceptance.accept(token, password, call);
      const after = { ...asked, signInPath: this.signInPath() };
      return user ? answer(reply, 200, acceptedPage(after)) : answer(reply, 404, noInvitationPage(after));
    } catch (error) {
      return again(problemWithPassword(error, asked.wording));
    }
  }

  private askedBy(request: FastifyRequest) {
    return { wording: wordingFor(request), signInPath: this.signInPath(request) };
  }

  /** The user who is signed in with this browser, if they are the person who was invited. */
  private async invitedIn(request: FastifyRequest, { email, company }: OpenInvitation): Promise<SignedIn | undefined> {
    const signedIn = await this.ports.only(ConsoleSessions)?.find(request);
    const isInvited =
      signedIn && company === undefined && signedIn.signedInBy !== 'single_sign_on' && isSameAddress(signedIn.user.email, email);
    return isInvited ? signedIn : undefined;
  }

  /** None where the service has no console. */
  private signInPath({ url }: Pick<FastifyRequest, 'url'> = { url: '' }): string | undefined {
    return this.ports.only(ConsoleSessions)?.signInPath(url);
  }
}

const isSameAddress = (a: string, b: string): boolean => emailKeyOf(a) === emailKeyOf(b);

function answer(reply: Reply, status: number, shown: Page): string {
  void reply.status(status).headers(PAGE_HEADERS);
  return page(shown);
}
