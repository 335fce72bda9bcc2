import { Param } from '@nestjs/common';
import { type ScopeGroup, scopeGroups } from '../../../api/access/scopes.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { type PageContext, PageCtx, pathOf, type Answer, goTo, page } from '../../../api/console/page.js';
import { Scopes } from '../../../api/console/parts/credentials.js';
import { Confirm, Time } from '../../../api/console/parts/facts.js';
import { PAGE_SIZE, pageNumberIn, Pager, Table } from '../../../api/console/parts/list.js';
import { say, wordingNow } from '../../../api/console/say.js';
import { Registry } from '../../../api/operation/registry.js';
import { isAtLeast } from '../../../kernel/roles.js';
import type { PageOf } from '../../../store/tenant/page.js';
import { ConnectionsPageService, type MemberConnection } from '../connections-page/connections-page.service.js';

interface ConnectionListProps {
  readonly ctx: PageContext;
  readonly found: PageOf<MemberConnection>;
  readonly groupsOf: (scopes: readonly string[]) => ScopeGroup[];
}

function ConnectionList({ ctx, found, groupsOf }: ConnectionListProps) {
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
          [say('console.applications.connections.mayDo'), ({ scopes }) => <MayDo count={scopes.length} groups={groupsOf(scopes)} />],
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

const SECTION = 'connections';

/** What users allowed applications. The service knows who sees and ends whose. */
@ConsoleSection({ path: SECTION, label: 'Connected applications', tabOf: 'applications', group: 'Developers', order: 4 })
export class ConnectionsConsole {
  constructor(
    private readonly connections: ConnectionsPageService,
    private readonly registry: Registry,
  ) {}

  @Page({ route: 'GET /', role: 'member' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const found = await this.connections.list(ctx.user, ctx, { page: pageNumberIn(ctx), page_size: PAGE_SIZE });
    const groupsOf = (scopes: readonly string[]) => scopeGroups(this.registry, scopes, wordingNow());
    return page(say('connections.title'), <ConnectionList ctx={ctx} found={found} groupsOf={groupsOf} />);
  }

  @Action({ route: 'POST /:application_id/:user_id/revoke', role: 'member', records: ['application.access_revoked'] })
  async revoke(
    @PageCtx() ctx: PageContext,
    @Param('application_id') applicationId: string,
    @Param('user_id') userId: string,
  ): Promise<Answer> {
    const isEnded = await this.connections.endSeen(ctx.user, ctx, { applicationId, userId });
    return goTo(pathOf(ctx, SECTION), say('console.applications.connections.ended', { isEnded }));
  }
}
