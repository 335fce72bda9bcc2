import { Param } from '@nestjs/common';
import type { JSX } from 'preact';
import { scopeGroups, type ScopeGroup } from '../../../api/access/scopes.js';
import { orAgain, ConsoleDoor } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, goTo, page, titledPage, PageCtx, pathOf, type FormState, type Answer } from '../../../api/console/page.js';
import type { PageContext } from '../../../api/console/page.js';
import { overlapIn, Scopes, LinkButton, PlainLink, Confirm, Time } from '../../../api/console/parts/facts.js';
import { PAGE_SIZE, pageNumberIn, Pager, Table } from '../../../api/console/parts/list.js';
import { say, wordingNow } from '../../../api/console/say.js';
import { Registry } from '../../../api/operation/registry.js';
import { isAtLeast } from '../../../kernel/roles.js';
import { Clock } from '../../../kernel/time.js';
import type { PageOf } from '../../../store/tenant/page.js';
import { chosenProjects, projectsShown, ProjectsService } from '../../projects/index.js';
import type { Application } from '../applications/application.entity.js';
import { ApplicationsService } from '../applications/applications.service.js';
import { ConnectionsPageService, type MemberConnection } from '../connections-page/connections-page.service.js';
import { ApplicationForm, ApplicationList, ApplicationView, ConnectionForm, IssuedView, KeysForm, SECTION } from './application.views.js';
import { applicationFieldsOf, boundsIn, issuedOf, newFieldsOf, valuesOf, type Issued } from './application.views.js';

/** Like keys, applications can do more than most people may. */
const ROLE = 'admin';

/** The service finds an application by its id alone, for operators. So every action here first reads that of its own tenant. */
@ConsoleSection({
  path: SECTION,
  label: 'Applications',
  adds: 'Register an application',
  group: 'Developers',
  order: 3,
  role: ROLE,
  shows: 'names',
})
export class ApplicationsConsole {
  constructor(
    private readonly applications: ApplicationsService,
    private readonly door: ConsoleDoor,
    private readonly registry: Registry,
    private readonly clock: Clock,
    private readonly projects: ProjectsService,
  ) {}

  @Page({ route: 'GET /', role: ROLE })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const found = await this.applications.list(ctx, { page: pageNumberIn(ctx), page_size: PAGE_SIZE });
    const actions = (
      <>
        <PlainLink to={pathOf(ctx, 'connections')} label={say('console.applications.allowed')} />
        <LinkButton to={pathOf(ctx, 'applications', 'new')}>{say('console.applications.new')}</LinkButton>
      </>
    );
    return titledPage(say('console.applications.title'), { actions }, <ApplicationList ctx={ctx} found={found} />);
  }

  @Page({ route: 'GET /new', role: ROLE })
  new(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.form(ctx, formOf({ grants: 'authorization_code' }), { isNew: true });
  }

  @Action({ route: 'POST /new', role: ROLE, records: ['application.created'] })
  create(@PageCtx() ctx: PageContext): Promise<Answer> {
    const create = async (): Promise<Answer> => {
      const wanted = { ...applicationFieldsOf(ctx), ...newFieldsOf(ctx) };
      const made = await this.door.once(ctx, wanted, async (inner) => issuedOf(await this.applications.createIn(inner, wanted)));
      if (made.clientSecret === null)
        return goTo(pathOf(ctx, SECTION, made.id), say('console.applications.registered', { name: wanted.name }));
      return issuedPage(ctx, say('console.applications.issued'), made);
    };
    return orAgain(ctx, create, (state) => this.form(ctx, state, { isNew: true }));
  }

  @Page({ route: 'GET /:application_id', role: ROLE })
  async show(@PageCtx() ctx: PageContext, @Param('application_id') id: string): Promise<Answer> {
    const application = await this.applications.get(ctx, id);
    const groups = scopeGroups(this.registry, application.scopes, wordingNow());
    const projects = await this.projects.names(ctx, application.projectIds ?? []);
    return page(application.name, <ApplicationView {...{ ctx, application, groups, projects }} now={this.clock.now()} />);
  }

  @Page({ route: 'GET /:application_id/edit', role: ROLE })
  async edit(@PageCtx() ctx: PageContext, @Param('application_id') id: string): Promise<Answer> {
    const application = await this.applications.get(ctx, id);
    return this.form(ctx, formOf(valuesOf(application)), { of: application });
  }

  @Action({ route: 'POST /:application_id/edit', role: ROLE, records: ['application.updated'] })
  async update(@PageCtx() ctx: PageContext, @Param('application_id') id: string): Promise<Answer> {
    const of = await this.applications.get(ctx, id);
    const update = async (): Promise<Answer> => {
      await this.applications.update(ctx.actor, id, of.sharedClientId === null ? applicationFieldsOf(ctx) : boundsIn(ctx));
      return goTo(pathOf(ctx, SECTION, id), say('console.applications.changed'));
    };
    return orAgain(ctx, update, (state) => this.form(ctx, state, { of }));
  }

  @Action({ route: 'POST /:application_id/approve', role: ROLE, records: ['application.approved'] })
  async approve(@PageCtx() ctx: PageContext, @Param('application_id') id: string): Promise<Answer> {
    await this.applications.get(ctx, id);
    const { name } = await this.applications.setStatus(ctx.actor, id, 'approved');
    return goTo(pathOf(ctx, SECTION, id), say('console.applications.approved', { name }));
  }

  @Action({ route: 'POST /:application_id/suspend', role: ROLE, records: ['application.suspended'] })
  async suspend(@PageCtx() ctx: PageContext, @Param('application_id') id: string): Promise<Answer> {
    await this.applications.get(ctx, id);
    const { name } = await this.applications.setStatus(ctx.actor, id, 'suspended');
    return goTo(pathOf(ctx, SECTION, id), say('console.applications.suspended', { name }));
  }

  @Action({ route: 'POST /:application_id/rotate-secret', role: ROLE, records: ['application.secret_rotated'] })
  async rotateSecret(@PageCtx() ctx: PageContext, @Param('application_id') id: string): Promise<Answer> {
    const overlapMs = overlapIn(ctx);
    const made = await this.door.once(ctx, { overlapMs }, async (inner) =>
      issuedOf(await this.applications.rotateSecretIn(inner, id, overlapMs)),
    );
    return issuedPage(ctx, say('console.applications.newSecret'), made);
  }

  @Action({ route: 'POST /:application_id/keys', role: ROLE, records: ['application.keys_changed'] })
  async setKeys(@PageCtx() ctx: PageContext, @Param('application_id') id: string): Promise<Answer> {
    await this.applications.get(ctx, id);
    const set = async (): Promise<Answer> => {
      await this.applications.setPublicKeys(ctx.actor, id, ctx.form.text('publicKeys'));
      return goTo(pathOf(ctx, SECTION, id), say('console.applications.keysUsed'));
    };
    return orAgain(ctx, set, (state) => {
      const form = <KeysForm ctx={ctx} state={state} cancel={pathOf(ctx, SECTION, id)} />;
      return formPage(form, say('console.applications.publicKeys'), state);
    });
  }

  private async form(ctx: PageContext, state: FormState, { isNew = false, of }: { isNew?: boolean; of?: Application }): Promise<Answer> {
    const projects = await this.projects.choicesOfSeveral(ctx, chosenProjects(state));
    if (of && of.sharedClientId !== null) return formPage(<ConnectionForm {...{ ctx, state, projects }} />, of.name, state);
    const groups = scopeGroups(this.registry, this.registry.scopes, wordingNow());
    const form = <ApplicationForm {...{ ctx, state, groups, projects, isNew }} />;
    return formPage(form, isNew ? say('console.applications.new') : say('console.applications.editTitle'), state);
  }
}

const formPage = (form: JSX.Element, title: string, { problem }: FormState): Answer => page(title, form, problem?.status);

const issuedPage = (ctx: PageContext, title: string, issued: Issued): Answer => page(title, <IssuedView ctx={ctx} issued={issued} />);

interface ConnectionListProps {
  readonly ctx: PageContext;
  readonly found: PageOf<MemberConnection>;
  readonly groupsOf: (scopes: readonly string[]) => ScopeGroup[];
  readonly projectNames: ReadonlyMap<string, string>;
}

function ConnectionList({ ctx, found, groupsOf, projectNames }: ConnectionListProps) {
  const isAdmin = isAtLeast(ctx.user.role, 'admin');
  const { environment, organization } = ctx;
  return (
    <>
      <p>{say('console.applications.connections.about', { isAdmin, environment, organization: organization.name })}</p>
      <Table
        caption={say('connections.title')}
        rows={found.rows}
        empty={<p>{say('console.applications.connections.none', { isAdmin, environment })}</p>}
        columns={[
          [say('console.applications.connections.application'), (row) => <Name ctx={ctx} of={row} isLink={isAdmin} />],
          ...(isAdmin ? [[say('console.applications.connections.by'), ({ userName }: MemberConnection) => userName] as const] : []),
          [say('connections.since'), ({ since }) => <Time ctx={ctx} at={since.toISOString()} />],
          [say('connections.lastToken'), ({ lastToken }) => <LastToken ctx={ctx} at={lastToken} />],
          [
            say('console.applications.connections.mayDo'),
            ({ scopes, projects }) => (
              <>
                <MayDo count={scopes.length} groups={groupsOf(scopes)} />
                <Reaches ctx={ctx} projects={projects} names={projectNames} />
              </>
            ),
          ],
          [say('console.applications.connections.access'), (row) => <Revoke ctx={ctx} of={row} />],
        ]}
      />
      <Pager ctx={ctx} counted={found} />
    </>
  );
}

const Name = ({ ctx, of: { applicationId, applicationName }, isLink }: { ctx: PageContext; of: MemberConnection; isLink: boolean }) =>
  isLink ? <a href={pathOf(ctx, 'applications', applicationId)}>{applicationName}</a> : <>{applicationName}</>;

/** Tokens are removed when they end: one that was issued long ago is no longer known. */
const LastToken = ({ ctx, at }: { ctx: PageContext; at: Date | null }) =>
  at === null ? <span class="hint">{say('connections.noToken')}</span> : <Time ctx={ctx} at={at.toISOString()} />;

/** Without the headings that a page has: it is a cell. */
const MayDo = ({ count, groups }: { count: number; groups: readonly ScopeGroup[] }) => (
  <details>
    <summary>{say('console.applications.connections.scopes', { count })}</summary>
    <Scopes scopes={groups.flatMap(({ scopes }) => scopes)} />
  </details>
);

type ReachesProps = { ctx: PageContext; projects: readonly string[] | null; names: ReadonlyMap<string, string> };

const Reaches = ({ ctx, projects, names }: ReachesProps) =>
  projects === null ? (
    <>{projectsShown(ctx, null, names)}</>
  ) : (
    <details>
      <summary>{say('console.applications.connections.projects', { count: projects.length })}</summary>
      {projectsShown(ctx, projects, names)}
    </details>
  );

function Revoke({ ctx, of: { applicationId, applicationName, userId, userName } }: { ctx: PageContext; of: MemberConnection }) {
  const isOwn = userId === ctx.user.id;
  return (
    <Confirm
      ctx={ctx}
      action={pathOf(ctx, 'connections', applicationId, userId, 'revoke')}
      label={say('console.applications.connections.revoke')}
      question={say('console.applications.connections.revokeAbout', { application: applicationName, isOwn, user: userName })}
      submit={say('console.applications.connections.revokeIt', { application: applicationName })}
    />
  );
}

const CONNECTIONS = 'connections';

/** What users allowed applications. The service knows who sees and ends whose. */
@ConsoleSection({
  path: CONNECTIONS,
  label: 'Connected applications',
  tabOf: 'applications',
  group: 'Developers',
  order: 4,
  shows: 'names',
})
export class ConnectionsConsole {
  constructor(
    private readonly connections: ConnectionsPageService,
    private readonly registry: Registry,
    private readonly projects: ProjectsService,
  ) {}

  @Page({ route: 'GET /', role: 'member' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const found = await this.connections.list(ctx.user, ctx, { page: pageNumberIn(ctx), page_size: PAGE_SIZE });
    const groupsOf = (scopes: readonly string[]) => scopeGroups(this.registry, scopes, wordingNow());
    const ids = found.rows.flatMap(({ projects }) => projects ?? []);
    const projectNames = await this.projects.names(ctx, ids);
    return page(say('connections.title'), <ConnectionList {...{ ctx, found, groupsOf, projectNames }} />);
  }

  @Action({ route: 'POST /:application_id/:user_id/revoke', role: 'member', records: ['application.access_revoked'] })
  async revoke(
    @PageCtx() ctx: PageContext,
    @Param('application_id') applicationId: string,
    @Param('user_id') userId: string,
  ): Promise<Answer> {
    const isEnded = await this.connections.endSeen(ctx.user, ctx, { applicationId, userId });
    return goTo(pathOf(ctx, CONNECTIONS), say('console.applications.connections.ended', { isEnded }));
  }
}
