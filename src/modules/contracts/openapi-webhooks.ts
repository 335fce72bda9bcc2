import type { OpenAPIObject } from '@nestjs/swagger';
import { declaredEvents, type EventDeclaration } from '../../kernel/declare-event.js';
import { setting } from '../../kernel/settings/setting-text.js';
import { headersOf, payloadOf, WHEN_SENT } from './event-messages.js';
import { eventSchemaNameOf } from './openapi-schemas.js';

const ANSWERS = {
  EventReceived: { description: 'Received. Answer at once, and process the event afterwards.' },
  EndpointGone: { description: 'There is no such receiver any more: the endpoint is disabled, with `gone` as its `disabledReason`.' },
  DeliveryFailed: {
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
  TestPassed: { description: 'The endpoint works.' },
  TestFailed: { description: 'The operator is told. The test is not repeated, and changes nothing.' },
};
const answer = (name: keyof typeof ANSWERS) => ({ $ref: `#/components/responses/${name}` });

export const recordsOfEvents = () => declaredEvents().flatMap(({ data }) => data ?? []);

/** Adds the request that endpoints get for each kind of event. */
export function addWebhooks(document: OpenAPIObject): void {
  const events = declaredEvents();
  const schemas = Object.fromEntries(events.map((event) => [eventSchemaNameOf(event), payloadOf(event)]));
  Object.assign(document.components!.schemas!, schemas);
  const webhooks = Object.fromEntries(events.map((event) => [event.kind, { post: requestFor(event) }]));
  Object.assign(document, { webhooks });
  Object.assign(document.components!, { responses: { ...ANSWERS } });
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
    responses:
      status === 'test'
        ? { '2XX': answer('TestPassed'), default: answer('TestFailed') }
        : { '2XX': answer('EventReceived'), 410: answer('EndpointGone'), default: answer('DeliveryFailed') },
  };
}
