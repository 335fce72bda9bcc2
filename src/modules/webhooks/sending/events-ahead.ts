import type { EventMessage } from '../signing/message.js';

/** About what an event takes beside its data. */
const EVENT_BYTES = 1024;

/** The events of deliveries that are next, each of them once, while there is room. */
export class EventsAhead {
  private bytes = 0;
  private readonly events = new Map<string, { readonly event: EventMessage; holders: number }>();

  constructor(private readonly maxBytes: number) {}

  /** Keeps an event for one more delivery, which must let it go. Returns false if there is no room. */
  keep(event: EventMessage): boolean {
    const known = this.events.get(event.eventId);
    if (known) known.holders += 1;
    else {
      const bytes = bytesOf(event);
      if (this.bytes + bytes > this.maxBytes) return false;
      this.bytes += bytes;
      this.events.set(event.eventId, { event, holders: 1 });
    }
    return true;
  }

  /** The event of a delivery that it was kept for, and for which it need not be kept any longer. */
  letGo(eventId: string): EventMessage {
    const known = this.events.get(eventId)!;
    known.holders -= 1;
    if (known.holders === 0) {
      this.events.delete(eventId);
      this.bytes -= bytesOf(known.event);
    }
    return known.event;
  }
}

const bytesOf = ({ data }: EventMessage): number => EVENT_BYTES + (data?.length ?? 0);
