import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { Tenant } from '../../../kernel/context.js';
import { idAt } from '../../../kernel/ids.js';
import { messageOf } from '../sending/message.js';
import type { Outgoing } from '../sending/sender.js';
import { EventFeedRepository } from './event-feed.repository.js';

export interface Listening {
  readonly tenant: Tenant;
  /** All kinds when undefined. */
  readonly kinds?: readonly string[];
  readonly url: string;
  readonly secret: string;
}

export interface Heard {
  readonly id: string;
  readonly kind: string;
  readonly message: Outgoing;
}

const LOOK_EVERY_MS = 500;
const AT_ONCE = 200;
/** An event has its id before it is committed, and from another machine's clock: so late it may turn up, and is told of all the same. */
const OVERLAP_MS = 60_000;

/** Follows what happens, for local development: each event once, as the delivery it would be. */
@Injectable()
export class ListenService {
  constructor(
    private readonly feed: EventFeedRepository,
    private readonly clock: Clock,
  ) {}

  /** What is committed from now on, until the signal. Returns once it is known what was there before. */
  async listen({ tenant, kinds, url, secret }: Listening, signal: AbortSignal): Promise<AsyncGenerator<Heard, void>> {
    const known = new Set<string>();
    const fresh = async () => {
      const from = idAt(new Date(this.clock.now().getTime() - OVERLAP_MS).toISOString(), 0);
      for (const id of known) if (id < from) known.delete(id);
      const events = await this.feed.since(tenant, from, [...known], kinds, AT_ONCE);
      for (const { eventId } of events) known.add(eventId);
      return events;
    };
    while ((await fresh()).length === AT_ONCE);
    const { clock } = this;
    return (async function* () {
      while (!signal.aborted) {
        const events = await fresh();
        for (const event of events) yield { id: event.eventId, kind: event.kind, message: messageOf(event, url, [secret], clock.now()) };
        if (events.length === 0) await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
      }
    })();
  }
}
