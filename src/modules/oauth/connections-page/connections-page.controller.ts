import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isOwnForm } from '../../../api/console/checks.js';
import type { SignedIn } from '../../../api/console/page-context.js';
import { PAGE_HEADERS } from '../../../api/http/pages/page.js';
import { readForm } from '../../../api/http/pages/read-form.js';
import { wordingFor } from '../../../api/wording/page-wording.js';
import type { Wording } from '../../../api/wording/wording.js';
import { Protocol } from '../../../api/operation/operation.decorator.js';
import { Registry } from '../../../api/operation/registry.js';
import { SignInSteps, type SignInState } from '../../users/index.js';
import { scopeGroups } from '../../../api/access/scope-groups.js';
import { BrowserSessions } from '../provider/browser-sessions.js';
import { CONNECTIONS_PATH } from '../routes.js';
import { ConnectionsPageService } from './connections-page.service.js';
import { connectionsPage, connectionsSignInPage } from './connections.page.js';

const WHY = 'The page on which users see and end what they allowed applications.';

@Controller(CONNECTIONS_PATH)
export class ConnectionsPageController {
  constructor(
    private readonly connections: ConnectionsPageService,
    private readonly sessions: BrowserSessions,
    private readonly signIns: SignInSteps,
    private readonly registry: Registry,
  ) {}

  @Protocol(WHY, 'pages')
  @Get()
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const signedIn = await this.sessions.find(request);
    const wording = wordingFor(request);
    if (signedIn) return this.list(reply, signedIn, wording);
    const { organization = '' } = request.query as { organization?: unknown };
    ask(reply, typeof organization === 'string' ? organization : '', { email: '' }, wording);
  }

  @Protocol(WHY, 'pages')
  @Post()
  async change(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    if (request.isOfAnotherSite) return back(reply);
    const action = form.get('do');
    if (action === 'sign-in') return this.signIn(request, reply, form);
    const signedIn = await this.sessions.find(request);
    if (!signedIn || !isOwnForm(request, signedIn, form)) return back(reply);
    if (action === 'sign-out') await this.sessions.end(reply, signedIn);
    if (action === 'remove') await this.remove(request, signedIn, form.get('application') ?? '');
    back(reply);
  }

  private async signIn(request: FastifyRequest, reply: FastifyReply, form: URLSearchParams): Promise<void> {
    const result = await this.signIns.takeAnywhere(form, { address: request.ip, requestId: request.id });
    if (!('user' in result)) return ask(reply, form.get('organization') ?? '', result, wordingFor(request));
    await this.sessions.begin(request, reply, result.user.id);
    back(reply);
  }

  private async remove(request: FastifyRequest, { user, organization }: SignedIn, applicationId: string): Promise<void> {
    const { id, name } = user;
    const actor = { type: 'user' as const, id, name, call: { requestId: request.id, ipAddress: request.ip } };
    await this.connections.end(actor, organization.id, { userId: id, applicationId });
  }

  private async list(reply: FastifyReply, { user, organization, csrf }: SignedIn, wording: Wording): Promise<void> {
    const connections = (await this.connections.listOwn({ id: user.id, organizationId: organization.id })).map((connection) => ({
      ...connection,
      groups: scopeGroups(this.registry, connection.scopes, wording),
    }));
    const names = { userName: user.name, organizationName: organization.name };
    void reply.headers(PAGE_HEADERS).send(connectionsPage({ csrf, ...names, connections, wording }));
  }
}

function ask(reply: FastifyReply, organization: string, state: SignInState, wording: Wording): void {
  void reply
    .status(state.problem === undefined ? 200 : 400)
    .headers(PAGE_HEADERS)
    .send(connectionsSignInPage(organization, state, wording));
}

const back = (reply: FastifyReply): void => void reply.status(303).header('Location', CONNECTIONS_PATH).send();
