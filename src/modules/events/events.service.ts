import { Injectable } from '@nestjs/common';
import { LIST_MAX_BYTES } from '../../kernel/product.js';
import { EventReaders } from '../../api/access/event-readers.js';
import type { RequestContext } from '../../api/operation/operation.js';
import { subscribableKinds } from '../../kernel/declare-event.js';
import { bodyOf } from '../webhooks/index.js';
import type { WebhookEventDto, WebhookEventPageDto, ListEventsQuery } from './events.dto.js';
import { EventsRepository } from './events.repository.js';

/** The rest is for what surrounds the records: some 300 bytes an event. */
const RECORDS_MAX_BYTES = LIST_MAX_BYTES - 256 * 1024;

@Injectable()
export class EventsService {
  constructor(
    private readonly events: EventsRepository,
    private readonly readers: EventReaders,
  ) {}

  /** Events that follow a cursor, oldest first: those that the caller may be given. A cursor also passes the others. */
  async list(ctx: RequestContext, { after, kind, limit }: ListEventsQuery): Promise<WebhookEventPageDto> {
    const kinds = this.kindsFor(ctx, kind);
    const settled = await this.events.settledBefore();
    if (after === undefined) return { data: [], nextCursor: { after: settled }, hasMore: false };
    const from = after.toLowerCase();
    const [last = settled, before = settled] = (await this.events.endOfReading(ctx, { after: from, before: settled })) ?? [];
    const { events, found } = await this.events.page(ctx, { after: from, before, kinds }, limit + 1, RECORDS_MAX_BYTES);
    const page = events.slice(0, limit);
    const isFull = found > page.length;
    // All up to there has been read, so the next page need not look at it again. A cursor never goes back.
    const end = isFull ? page.at(-1)!.eventId : [from, last].sort().at(-1)!;
    const data = page.map((event) => JSON.parse(bodyOf(event)) as WebhookEventDto);
    return { data, nextCursor: { after: end }, hasMore: isFull || before !== settled };
  }

  /** A caller who may be given none is told so: an empty list would look as if nothing happened. */
  private kindsFor({ principal }: RequestContext, kind: string | undefined): readonly string[] {
    if (kind !== undefined) this.readers.require(principal, [kind], { location: 'query', field: 'kind' });
    const kinds = this.readers.kindsFor(principal);
    if (kinds.length === 0) this.readers.require(principal, subscribableKinds());
    return kind === undefined ? kinds : [kind];
  }
}
