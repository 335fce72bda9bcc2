import { Param } from '@nestjs/common';
import { type ScopeGroup, scopeGroups } from '../../../api/access/scope-groups.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { type PageContext, PageCtx, pathOf } from '../../../api/console/page-context.js';
import { type Answer, goTo, page } from '../../../api/console/page.js';
import { Confirm, Time } from '../../../api/console/parts/facts.js';
import { PAGE_SIZE, pageNumberIn, Pager, Table } from '../../../api/console/parts/list.js';
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
  return (
    <>
      <p>
        {isAdmin ? 'These applications may act for people of ' : 'These applications may act for you at '}
        {ctx.organization.name}, with the {ctx.environment} data. Revoke one, and its access ends at once.
      </p>
      <Table
        caption="Connected applications"
        rows={found.rows}
        empty={
          <p>
            No application may act for {isAdmin ? 'anybody' : 'you'} with the {ctx.environment} data.
          </p>
        }
        columns={[
          ['Application', (row) => <Name ctx={ctx} of={row} isLink={isAdmin} />],
          ...(isAdmin ? [['Allowed by', ({ userName }: MemberConnection) => userName] as const] : []),
          ['Allowed since', ({ since }) => <Time ctx={ctx} at={since.toISOString()} />],
          ['Last new token', ({ lastToken }) => <LastToken ctx={ctx} at={lastToken} />],
          ['May do', ({ scopes }) => <MayDo count={scopes.length} groups={groupsOf(scopes)} />],
          ['Access', (row) => <Revoke ctx={ctx} of={row} />],
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
  at === null ? <span class="hint">None in the last days</span> : <Time ctx={ctx} at={at.toISOString()} />;

/** Without the headings that a page has: it is a cell. */
const MayDo = ({ count, groups }: { count: number; groups: readonly ScopeGroup[] }) => (
  <details>
    <summary>{count === 1 ? '1 scope' : `${count} scopes`}</summary>
    <ul>
      {groups
        .flatMap(({ scopes }) => scopes)
        .map(({ sentence, scope }) => (
          <li>
            {sentence} <code>{scope}</code>
          </li>
        ))}
    </ul>
  </details>
);

function Revoke({ ctx, of: { applicationId, applicationName, userId, userName } }: { ctx: PageContext; of: MemberConnection }) {
  const [whom, who] = userId === ctx.user.id ? ['you', 'You'] : [userName, userName];
  return (
    <Confirm
      ctx={ctx}
      action={pathOf(ctx, 'connections', applicationId, userId, 'revoke')}
      label="Revoke"
      question={`${applicationName} may no longer act for ${whom}, and its tokens end at once. ${who} can allow it again.`}
      submit={`Revoke the access of ${applicationName}`}
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
    const groupsOf = (scopes: readonly string[]) => scopeGroups(this.registry, scopes);
    return page('Connected applications', <ConnectionList ctx={ctx} found={found} groupsOf={groupsOf} />);
  }

  @Action({ route: 'POST /:application_id/:user_id/revoke', role: 'member', records: ['application.access_revoked'] })
  async revoke(
    @PageCtx() ctx: PageContext,
    @Param('application_id') applicationId: string,
    @Param('user_id') userId: string,
  ): Promise<Answer> {
    const isEnded = await this.connections.endSeen(ctx.user, ctx, { applicationId, userId });
    return goTo(pathOf(ctx, SECTION), isEnded ? 'The access has ended.' : 'The access had ended already.');
  }
}
