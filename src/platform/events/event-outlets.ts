import { Injectable } from '@nestjs/common';
import type { WriteContext } from '../context/request-context.js';
import type { DomainEvent } from './event.entity.js';

/** A port: whoever passes events on writes what it needs for that in the transaction of the event itself, so that none is lost between the two. */
export interface EventOutlet {
  appended(ctx: WriteContext, event: DomainEvent): void;
}

@Injectable()
export class EventOutlets {
  private readonly outlets: EventOutlet[] = [];

  register(outlet: EventOutlet): void {
    this.outlets.push(outlet);
  }

  appended(ctx: WriteContext, event: DomainEvent): void {
    for (const outlet of this.outlets) outlet.appended(ctx, event);
  }
}
