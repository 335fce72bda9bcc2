import { Controller, Query } from '@nestjs/common';
import { Ctx } from '../../api/call/ctx.decorator.js';
import type { RequestContext } from '../../api/operation/operation.js';
import { Operation } from '../../api/operation/operation.decorator.js';
import { WebhookEventPageDto, ListEventsQuery } from './events.dto.js';
import { EventsService } from './events.service.js';

@Controller('v1/events')
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Operation({
    id: 'webhooks.list_events',
    route: 'GET /',
    summary: 'List events',
    description:
      'What has changed: the events of the environment of the credential, oldest first, each with the body that a delivery of it has. ' +
      'To begin with all records, ask without `after` first, then read the lists, and follow the cursor from then on. Without `after` ' +
      'there are none, only the `nextCursor` from which to follow them. Fetch again with it, at once while `hasMore` is true. No event ' +
      'is skipped or returned twice; it appears about two seconds after its change. Only events whose records the credential may read ' +
      'are returned: `GET /v1` has the scope of each kind. An addition.',
    returns: WebhookEventPageDto,
    problems: ['event_not_allowed'],
  })
  list(@Ctx() ctx: RequestContext, @Query() query: ListEventsQuery): Promise<WebhookEventPageDto> {
    return this.events.list(ctx, query);
  }
}
