import { Injectable } from '@nestjs/common';
import { LIST_MAX_BYTES } from '../../kernel/product.js';
import type { ReadContext } from '../../store/database/unit-of-work.js';
import { bodyOf } from '../webhooks/index.js';
import type { WebhookEventDto, WebhookEventPageDto, ListEventsQuery } from './events.dto.js';
import { EventsRepository } from './events.repository.js';

/** The rest is for what surrounds the records: some 300 bytes an event. */
const RECORDS_MAX_BYTES = LIST_MAX_BYTES - 256 * 1024;

@Injectable()
export class EventsService {
  constructor(private readonly events: EventsRepository) {}

  /** Events that follow a cursor, oldest first. */
  async list(ctx: ReadContext, { after, kind, limit }: ListEventsQuery): Promise<WebhookEventPageDto> {
    const settled = await this.events.settledBefore();
    if (after === undefined) return { data: [], nextCursor: { after: settled }, hasMore: false };
    const from = after.toLowerCase();
    const { events, found } = await this.events.page(ctx, { after: from, before: settled, kind }, limit + 1, RECORDS_MAX_BYTES);
    const page = events.slice(0, limit);
    const hasMore = found > page.length;
    // All that is settled has been read, so the next page need not look at it again. A cursor never goes back.
    const end = hasMore ? page.at(-1)!.eventId : [from, settled].sort().at(-1)!;
    return { data: page.map((event) => JSON.parse(bodyOf(event)) as WebhookEventDto), nextCursor: { after: end }, hasMore };
  }
}
