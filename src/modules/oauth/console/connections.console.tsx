import { Param } from '@nestjs/common';
import { scopeGroups } from '../../../api/access/scope-groups.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { goTo, page, type Answer } from '../../../api/console/page.js';
import { PageCtx, pathOf, type PageContext } from '../../../api/console/page-context.js';
import { PAGE_SIZE, pageNumberIn } from '../../../api/console/parts/list.js';
import { Registry } from '../../../api/operation/registry.js';
import { ConnectionsPageService } from '../connections-page/connections-page.service.js';
import { ConnectionList } from './connections.views.js';

const SECTION = 'connections';

/** What users allowed applications. The service knows who sees and ends whose. */
@ConsoleSection({ path: SECTION, label: 'Connected applications', group: 'Developers', order: 4 })
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
