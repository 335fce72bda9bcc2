import type { WriteContext } from '../database/transaction.js';
import type { DomainEvent } from './event.entity.js';

/**
 * A port: called for every event, inside the transaction that emits it. What a handler writes there is committed together with
 * the event, so no event is lost.
 */
export abstract class EventHandler {
  abstract onAppended(ctx: WriteContext, event: DomainEvent): void;
}
