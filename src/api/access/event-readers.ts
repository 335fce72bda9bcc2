import { Injectable } from '@nestjs/common';
import { eventOf, type EventDeclaration } from '../../kernel/declare-event.js';
import { lackOf, type Caller } from '../../kernel/permissions.js';
import { Problem, type FieldError } from '../../kernel/problems.js';
import { Registry } from '../operation/registry.js';

/** How many kinds the text of a refusal names. `errors` has more. */
const NAMED_MAX = 3;

/** Events carry records: an event is given to those who may read its record, by the feed, by webhooks and with deliveries. */
@Injectable()
export class EventReaders {
  constructor(private readonly registry: Registry) {}

  kindsFor(caller: Caller): string[] {
    return this.registry.events.filter((event) => this.mayRead(caller, event)).map(({ kind }) => kind);
  }

  /** Throws if the caller may not be given one of these kinds. `place`: the value of the request that names them. */
  require(caller: Caller, kinds: readonly string[], place?: Pick<FieldError, 'location' | 'field'>): void {
    const refused = kinds.flatMap((kind) => {
      // Nothing emits a kind that is no longer declared.
      const event = eventOf(kind);
      return !event || this.mayRead(caller, event) ? [] : [`${kind}, whose record takes ${this.missing(caller, event)}`];
    });
    if (refused.length === 0) return;
    const rest = refused.length - NAMED_MAX;
    const named = [...refused.slice(0, NAMED_MAX), ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
    throw new Problem('event_not_allowed', {
      detail: `Events are given to those who may read their records. Missing for ${named}.`,
      errors: place ? refused.map((one) => ({ ...place, code: 'not_allowed', message: `names ${one}` })) : [],
    });
  }

  private mayRead(caller: Caller, event: EventDeclaration): boolean {
    return this.registry.readersOf(event).some((reader) => !lackOf(caller, reader));
  }

  private missing(caller: Caller, event: EventDeclaration): string {
    const [reader = {}] = this.registry.readersOf(event);
    const lack = lackOf(caller, reader);
    if (lack === 'projects') return 'a credential for all projects';
    return lack === 'role' ? `the role ${reader.role}` : `the scope ${reader.scope}`;
  }
}
