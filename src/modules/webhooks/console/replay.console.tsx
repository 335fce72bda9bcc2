import { Param } from '@nestjs/common';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type FormState } from '../../../api/console/form.js';
import { goTo, page, type Answer } from '../../../api/console/page.js';
import { PageCtx, pathOf, type PageContext } from '../../../api/console/page-context.js';
import { say } from '../../../api/console/say.js';
import { Problem } from '../../../kernel/problems.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Clock, utcTime } from '../../../kernel/time.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { WebhooksService } from '../endpoints/webhooks.service.js';
import { PingService } from '../operator/ping.service.js';
import { ReplayService } from '../operator/replay.service.js';
import { PingView, ReplayView } from './replay.views.js';
import { requireWebhooks, SENDING_ROLE } from './sending-access.js';

const HOUR_MS = 3_600_000;
const CHOICES = [
  ['hour', HOUR_MS],
  ['day', 24 * HOUR_MS],
  ['week', 7 * 24 * HOUR_MS],
] as const;

/** Tests and replays. Services find an endpoint by its id alone, for operators; so each handler first asks for its own. */
@ConsoleSection({ path: 'webhooks/:webhook_id', label: 'Tests and replays' })
export class ReplayConsole {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly pings: PingService,
    private readonly replays: ReplayService,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  @Action({ route: 'POST /ping', role: SENDING_ROLE })
  async ping(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    const endpoint = await this.ownEndpoint(ctx, id);
    return page(say('console.webhooks.test.title'), <PingView ctx={ctx} endpoint={endpoint} outcome={await this.pings.ping(id)} />);
  }

  @Page({ route: 'GET /replay', role: SENDING_ROLE })
  async preview(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    const endpoint = await this.ownEndpoint(ctx, id);
    const asked = ctx.query.get('since');
    return this.replayPage(ctx, endpoint, asked === null ? undefined : asked.slice(0, 100));
  }

  @Action({ route: 'POST /replay', role: SENDING_ROLE, records: ['webhook.replayed'] })
  async start(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    const endpoint = await this.ownEndpoint(ctx, id);
    const since = utcTime(ctx.form.text('since'));
    if (since === undefined || endpoint.status === 'disabled') return this.replayPage(ctx, endpoint, ctx.form.text('since'));
    const { deliveries: count } = await this.replays.start(ctx.actor, { webhookId: id, since });
    return goTo(pathOf(ctx, 'webhooks', id, 'deliveries'), say('console.webhooks.replay.onTheWay', { count }));
  }

  @Action({ route: 'POST /replay/stop', role: SENDING_ROLE, records: ['webhook.replay_stopped'] })
  async stop(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    await this.ownEndpoint(ctx, id);
    const stopped = await this.replays.stop(ctx.actor, id);
    return goTo(pathOf(ctx, 'webhooks', id, 'deliveries'), say('console.webhooks.replay.takenBack', { count: stopped }));
  }

  private ownEndpoint(ctx: PageContext, id: string): Promise<WebhookEndpoint> {
    requireWebhooks(ctx);
    return this.webhooks.oneOfEnvironment(ctx, id);
  }

  /** With what was missed since the time that is asked for, if it is one. */
  private async replayPage(ctx: PageContext, endpoint: WebhookEndpoint, asked: string | undefined): Promise<Answer> {
    const now = this.clock.now().getTime();
    const choices = CHOICES.map(
      ([name, ms]) => [say(`console.webhooks.replay.choices.${name}`), new Date(now - ms).toISOString()] as const,
    );
    const since = asked === undefined ? undefined : utcTime(asked);
    const state: FormState = { ...formOf({ since: asked }), ...(asked !== undefined && since === undefined && { problem: NO_TIME }) };
    const missed = since === undefined ? [] : await this.replays.preview({ webhookId: endpoint.id, since });
    const shown = { ctx, endpoint, state, since, missed, choices, keptMs: this.settings.eventRetentionMs };
    return page(say('console.webhooks.replay.title'), <ReplayView {...shown} />, state.problem?.status);
  }
}

const NO_TIME = Problem.invalidField('since', 'invalid_time', 'must be a time with its offset, such as 2026-01-31T08:00:00Z');
