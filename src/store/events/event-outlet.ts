import type { WriteContext } from '../database/transaction.js';
import type { DomainEvent } from './event.entity.js';

/**
 * A port: whoever passes events on. It writes what it needs for that in the transaction of the event itself, so nothing is
 * lost between the two.
 */
export abstract class EventOutlet {
  abstract appended(ctx: WriteContext, event: DomainEvent): void;
}
