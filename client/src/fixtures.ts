import { EXAMPLES } from './event-examples.js';
import type { ClaimsEvent, EventType } from './generated-types.js';
import { Webhooks, type SignOptions } from './webhooks.js';

export type EventOf<Type extends EventType> = Extract<ClaimsEvent, { type: Type }>;

/** What a fixture has instead of the example's. `data` may state some fields only. */
export type Overrides<Event extends ClaimsEvent> = Partial<Omit<Event, 'type' | 'data'>> & { data?: Partial<NonNullable<Event['data']>> };

/**
 * An event as the service sends it, for your tests: the example of the documents with an id of its own and the current time. With
 * `record` among the overrides it has no `data`, like an event whose record is too large.
 */
export function fixtureOf<Type extends EventType>(type: Type, overrides: Overrides<EventOf<Type>> = {}): EventOf<Type> {
  const { data: example, ...envelope } = EXAMPLES[type] as ClaimsEvent;
  const { data, ...others } = overrides as { data?: object; record?: object };
  return {
    ...envelope,
    id: crypto.randomUUID(),
    timestamp: new Date().toISOString(),
    ...(!others.record && { data: { ...example, ...data } }),
    ...others,
  } as EventOf<Type>;
}

/** The body and the headers of a delivery of such an event, signed with the secret that your receiver has (`whsec_…`). */
export async function signedFixture<Type extends EventType>(
  type: Type,
  secret: string,
  overrides?: Overrides<EventOf<Type>>,
  options?: SignOptions,
): Promise<{ body: string; headers: Record<string, string> }> {
  const body = JSON.stringify(fixtureOf(type, overrides));
  return { body, headers: await Webhooks.sign(body, secret, options) };
}
