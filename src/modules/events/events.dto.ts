import { ENVIRONMENTS, type Environment } from '../../kernel/context.js';
import { subscribableKinds } from '../../kernel/declare-event.js';
import { EVENT_DATA_MAX_BYTES, LIST_MAX_BYTES } from '../../kernel/product.js';
import { setting } from '../../kernel/settings/setting-text.js';
import { Flag, FreeFormObject, Integer, ListOf, Nested, OneOf, Text, TextList, Timestamp, Uuid } from '../../api/validation/fields.js';

export class ListEventsQuery {
  @Uuid({
    about:
      '`after` of the last `nextCursor`, or the id of any event: only events that follow it. Omitted: no events, only the cursor for ' +
      'those from now on. `00000000-0000-0000-0000-000000000000` begins with the oldest event that is kept ' +
      `(${setting('eventRetentionMs')}).`,
    optional: true,
  })
  after?: string;

  @OneOf(subscribableKinds, {
    about: 'Only events of this kind. Refused if the credential may not read their records.',
    optional: true,
    example: 'claim_project.created',
  })
  kind?: string;

  @Integer({
    about:
      `Maximum number of events. There may be fewer although \`hasMore\` is true, because an answer has at most ` +
      `${LIST_MAX_BYTES / 1024 ** 2} MiB. For a credential that is bound to projects, even none.`,
    min: 1,
    max: 200,
    optional: true,
    default: 50,
    example: 50,
  })
  limit: number = 50;
}

export class WebhookEventDto {
  @Uuid({ about: 'Id of the event: the `webhook-id` of its deliveries.' }) id: string;
  @Text({ about: 'The kind of event.', example: 'claim_project.created' }) type: string;
  @Timestamp({ about: 'When the event happened.' }) timestamp: string;
  @OneOf(['v1'], { about: 'The API version of the record in `data`.' }) apiVersion: 'v1';
  @OneOf(ENVIRONMENTS, { about: 'The environment of the event.' }) environment: Environment;
  @Uuid({ about: 'The organization of the event.' }) organizationId: string;
  @FreeFormObject({
    about:
      'The record right after the change; for a deletion, as it was before. `/asyncapi.json` has its schema for each kind. Left out if ' +
      `it is larger than ${EVENT_DATA_MAX_BYTES / 1024} KiB: then \`record\` is there instead.`,
    optional: true,
    isOfEvent: true,
    example: { name: 'Berlin office' },
  })
  data?: object;
  @FreeFormObject({
    about: 'Only without `data`: the `id` and `type` of the record, and the `path` to GET it from.',
    optional: true,
  })
  record?: object;
  @TextList({ about: 'Only for `*.updated`: the fields of `data` that have changed.', optional: true, example: ['name'] })
  changedFields?: string[];
}

export class WebhookEventCursorDto {
  @Uuid({ about: 'Send this as `after`.' }) after: string;
}

export class WebhookEventPageDto {
  @ListOf(WebhookEventDto, { about: 'The events, oldest first.' }) data: WebhookEventDto[];
  @Nested(WebhookEventCursorDto, {
    about: 'Points behind the events that you have seen, also when there were none. Continue from it at any time.',
  })
  nextCursor: WebhookEventCursorDto;
  @Flag({ about: 'Whether more events follow.', example: false }) hasMore: boolean;
}
