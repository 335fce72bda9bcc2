import { ConsoleSection, Page } from '../../../api/console/declarations.js';
import { page, type Answer } from '../../../api/console/page.js';
import { PageCtx, type PageContext } from '../../../api/console/page-context.js';
import { UsageService } from '../usage.service.js';
import { UsageView } from './usage.views.js';

@ConsoleSection({ path: 'usage', label: 'Usage', group: 'Organization', order: 4, operation: 'usage.get' })
export class UsageConsole {
  constructor(private readonly usage: UsageService) {}

  @Page({ route: 'GET /', operation: 'usage.get' })
  async show(@PageCtx() ctx: PageContext): Promise<Answer> {
    const [summary, byDay] = await Promise.all([this.usage.summary(ctx), this.usage.byDay(ctx)]);
    return page('Usage', <UsageView ctx={ctx} summary={summary} byDay={byDay} />);
  }
}
