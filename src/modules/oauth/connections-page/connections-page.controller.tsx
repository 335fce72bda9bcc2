import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Facts, Sentence } from '../../../api/console/parts/facts.js';
import { scopeGroups, type ScopeGroup } from '../../../api/access/scopes.js';
import { isOwnForm } from '../../../api/console/own-form.js';
import type { SignedIn } from '../../../api/console/page.js';
import { page, readForm, redirect, sendPage } from '../../../api/http/pages/page.js';
import { Protocol } from '../../../api/operation/operation.decorator.js';
import { Registry } from '../../../api/operation/registry.js';
import { wordingFor, FIRST, SECOND } from '../../../api/wording/page-wording.js';
import type { Wording } from '../../../api/wording/wording.js';
import { ENVIRONMENTS } from '../../../kernel/context.js';
import { ProjectsService } from '../../projects/index.js';
import { SignInSteps, type SignInState, OrganizationField, PasskeyLink, signInPage } from '../../users/index.js';
import { environmentIn } from '../interactions/consent.page.js';
import { BrowserSessions } from '../provider/provider-hooks.js';
import { CONNECTIONS_PATH } from '../resources.js';
import { ConnectionsPageService, type Connection } from './connections-page.service.js';

const WHY = 'The page on which users see and end what they allowed applications.';

@Controller(CONNECTIONS_PATH)
export class ConnectionsPageController {
  constructor(
    private readonly connections: ConnectionsPageService,
    private readonly sessions: BrowserSessions,
    private readonly signIns: SignInSteps,
    private readonly registry: Registry,
    private readonly projects: ProjectsService,
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
    const own = await this.connections.listOwn({ id: user.id, organizationId: organization.id });
    const ids = own.flatMap(({ projects }) => projects ?? []);
    const named = ENVIRONMENTS.map((environment) => this.projects.names({ organizationId: organization.id, environment }, ids));
    const projectNames = new Map((await Promise.all(named)).flatMap((names) => [...names]));
    const connections = own.map((connection) => ({ ...connection, groups: scopeGroups(this.registry, connection.scopes, wording) }));
    const names = { userName: user.name, organizationName: organization.name };
    sendPage(reply, connectionsPage({ csrf, ...names, connections, projectNames, wording }));
  }
}

function ask(reply: FastifyReply, organization: string, state: SignInState, wording: Wording): void {
  const about = <p>{wording.say('signIn.toConnections')}</p>;
  const before = <OrganizationField organization={organization} state={state} wording={wording} />;
  const passkey = <PasskeyLink say={wording.say} next={CONNECTIONS_PATH} />;
  const form = { ...state, passkey, action: CONNECTIONS_PATH, csrf: '', about, before, wording, query: { organization } };
  sendPage(reply, signInPage(form), state.problem === undefined ? 200 : 400);
}

const back = (reply: FastifyReply): void => redirect(reply, CONNECTIONS_PATH);

type ShownConnection = Connection & { readonly groups: readonly ScopeGroup[] };

interface Connections {
  readonly csrf: string;
  readonly userName: string;
  readonly organizationName: string;
  readonly connections: readonly ShownConnection[];
  readonly projectNames: ReadonlyMap<string, string>;
  readonly wording: Wording;
}

function connectionsPage({ csrf, userName, organizationName, connections, projectNames, wording }: Connections): string {
  const { say, language } = wording;
  const body = (
    <>
      <Sentence text={say('connections.signedInAs', { name: FIRST, organization: SECOND })} names={[userName, organizationName]} />
      <p>{connections.length === 0 ? say('connections.none') : say('connections.these')}</p>
      {connections.map((connection) => (
        <Connected connection={connection} projectNames={projectNames} csrf={csrf} wording={wording} />
      ))}
      <form method="post" action={CONNECTIONS_PATH}>
        <input type="hidden" name="csrf" value={csrf} />
        <button class="plain" name="do" value="sign-out">
          {say('connections.signOut')}
        </button>
      </form>
    </>
  );
  return page({ title: say('connections.title'), language, offersLanguages: true, body });
}

type ConnectedProps = Pick<Connections, 'csrf' | 'projectNames' | 'wording'> & { readonly connection: ShownConnection };

function Connected({ connection, projectNames, csrf, wording }: ConnectedProps) {
  const { say, formats } = wording;
  const { applicationId, applicationName, environment, since, lastToken, groups, projects } = connection;
  return (
    <section>
      <h2>{applicationName}</h2>
      <Facts
        facts={[
          [say('consent.facts.environment'), environmentIn(environment, wording)],
          [wording.told('Projects'), projects?.map((id) => projectNames.get(id) ?? id).join(', ') ?? say('console.projectChoice.all')],
          [say('connections.since'), formats.day(dayOf(since))],
          [say('connections.lastToken'), lastToken === null ? say('connections.noToken') : formats.day(dayOf(lastToken))],
        ]}
      />
      <ul>
        {groups
          .flatMap(({ scopes }) => scopes)
          .map(({ sentence, scope }) => (
            <li>
              {sentence} <span class="hint">({scope})</span>
            </li>
          ))}
      </ul>
      <form method="post" action={CONNECTIONS_PATH}>
        <input type="hidden" name="csrf" value={csrf} />
        <input type="hidden" name="application" value={applicationId} />
        <button name="do" value="remove" aria-label={say('connections.removeNamed', { application: applicationName })}>
          {say('connections.remove')}
        </button>
      </form>
    </section>
  );
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
