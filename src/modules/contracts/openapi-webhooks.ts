import type { OpenAPIObject } from '@nestjs/swagger';
import { declaredEvents, type EventDeclaration } from '../../kernel/declare-event.js';
import { setting } from '../../kernel/settings/setting-text.js';
import { headersOf, payloadOf, WHEN_SENT } from './event-messages.js';
import { eventSchemaNameOf } from './schema-names.js';

const SIGNED_ANSWERS = {
  '2XX': { description: 'Received. Answer at once, and process the event afterwards.' },
  410: { description: 'There is no such receiver any more: the endpoint is disabled, with `gone` as its `disabledReason`.' },
  default: {
    description:
      `A failure, as is a redirect, or no answer within ${setting('webhookTimeoutMs')}. The delivery is repeated, for about ` +
      `${setting('webhookRetrySchedule')} in all.`,
    headers: {
      'Retry-After': {
        description: 'Seconds, or a date: how long to wait at least, up to the delay after the next one.',
        schema: { type: 'string' },
      },
    },
  },
};
const TEST_ANSWERS = {
  '2XX': { description: 'The endpoint works.' },
  default: { description: 'The operator is told. The test is not repeated, and changes nothing.' },
};

/** The classes of what events are about. */
export const recordsOfEvents = () => declaredEvents().flatMap(({ data }) => data ?? []);

/** Adds the request that endpoints get for each kind of event. */
export function addWebhooks(document: OpenAPIObject): void {
  const events = declaredEvents();
  const schemas = Object.fromEntries(events.map((event) => [eventSchemaNameOf(event), payloadOf(event)]));
  Object.assign(document.components!.schemas!, schemas);
  const webhooks = Object.fromEntries(events.map((event) => [event.kind, { post: requestFor(event) }]));
  Object.assign(document, { webhooks });
}

function requestFor(event: EventDeclaration) {
  const { kind, status, summary } = event;
  const headers = headersOf(event);
  const parameters = Object.entries(headers.properties).map(([name, { description, example, ...schema }]) => ({
    name,
    in: 'header',
    required: headers.required.includes(name),
    description,
    schema,
    example,
  }));
  return {
    operationId: kind,
    summary,
    description: WHEN_SENT[status],
    'x-status': status,
    // The signature is in the headers; there is no credential.
    security: [],
    parameters,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${eventSchemaNameOf(event)}` } } },
    },
    responses: status === 'test' ? TEST_ANSWERS : SIGNED_ANSWERS,
  };
}
