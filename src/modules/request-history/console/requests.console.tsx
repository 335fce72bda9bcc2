import { Param } from '@nestjs/common';
import { ConsoleSection, Page } from '../../../api/console/declarations.js';
import { goTo, page, type Answer } from '../../../api/console/page.js';
import { PageCtx, pathOf, type PageContext } from '../../../api/console/page-context.js';
import { PAGE_SIZE } from '../../../api/console/parts/list.js';
import { Registry } from '../../../api/operation/registry.js';
import { RequestHistoryService } from '../request-history.service.js';
import { RequestList, RequestView } from './requests.views.js';

const SECTION = 'requests';

@ConsoleSection({ path: SECTION, label: 'Requests', group: 'Developers', order: 0 })
export class RequestsConsole {
  constructor(
    private readonly history: RequestHistoryService,
    private readonly registry: Registry,
  ) {}

  @Page({ route: 'GET /', role: 'member' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const of = (name: string): string | undefined => ctx.query.get(name)?.trim() || undefined;
    const requestId = of('request');
    if (requestId !== undefined) return this.found(ctx, requestId);
    const filter = { failed: OUTCOMES[of('outcome') ?? ''], operation: of('operation'), credentialId: of('key') };
    const found = await this.history.list(ctx, filter, of('before'), PAGE_SIZE);
    return page('Requests', <RequestList ctx={ctx} found={found} operations={this.registry.operations.map(({ id }) => id).sort()} />);
  }

  @Page({ route: 'GET /:request_id', role: 'member' })
  async show(@PageCtx() ctx: PageContext, @Param('request_id') id: string): Promise<Answer> {
    const request = await this.history.get(ctx, id);
    return page(`${request.method} ${request.path}`, <RequestView ctx={ctx} request={request} />);
  }

  /** Whoever looks for one call is led to it. */
  private async found(ctx: PageContext, requestId: string): Promise<Answer> {
    const requests = await this.history.withRequestId(ctx, requestId);
    if (requests.length === 1) return goTo(pathOf(ctx, SECTION, requests[0]!.id));
    return page('Requests', <RequestList ctx={ctx} found={{ requests, next: undefined }} operations={[]} />);
  }
}

/** What the filter by outcome asks for. */
const OUTCOMES: Readonly<Record<string, boolean | undefined>> = { failed: true, succeeded: false };
