import { Param } from '@nestjs/common';
import { Assets } from '../../../api/console/assets.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { type Answer, download, type PageContext, PageCtx, pathOf, titledPage } from '../../../api/console/page.js';
import { told } from '../../../api/console/say.js';
import { AuditBrowsing } from '../audit.service.js';
import { ProofsService } from '../tree/proofs.service.js';
import { requirePlan } from './audit.console.js';
import { actionInWords, EventView, ProveHere } from './audit.views.js';

@ConsoleSection({ path: 'audit/:event_id', label: 'Event' })
export class AuditEventConsole {
  constructor(
    private readonly browsing: AuditBrowsing,
    private readonly proofs: ProofsService,
    private readonly assets: Assets,
  ) {}

  @Page({ route: 'GET /', operation: 'audit.list' })
  async show(@PageCtx() ctx: PageContext, @Param('event_id') id: string): Promise<Answer> {
    const event = await this.browsing.get(ctx, id);
    const up = [pathOf(ctx, 'audit'), told('Audit log')] as const;
    const scripts = { start: this.assets.pathOf('verify-event.js'), verifier: this.assets.pathOf('verify-chain.js') };
    const body = [<EventView ctx={ctx} event={event} />, <ProveHere ctx={ctx} id={id} scripts={scripts} />];
    return titledPage(actionInWords(event.action), { up }, body);
  }

  /** For the browser that verifies it: the event, the hashes of its proof, and the checkpoint. */
  @Action({ route: 'POST /proof', role: 'admin' })
  async prove(@PageCtx() ctx: PageContext, @Param('event_id') id: string): Promise<Answer> {
    requirePlan(ctx);
    return download('proof.json', 'application/json', Buffer.from(JSON.stringify(await this.proofs.prove(ctx, id))));
  }
}
