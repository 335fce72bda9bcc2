import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../../kernel/bounded.js';
import { FairShare } from '../../../kernel/fair-share.js';
import type { Plans } from '../../../kernel/plans.js';
import { Registry } from '../../../api/operation/registry.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Database, prepared, type Sql } from '../../../store/database/database.js';
import { acrossTenants } from '../../../store/tenant/tenant-sql.js';
import { OrganizationService } from '../../organization/index.js';
import { isDeliveredToSql } from '../endpoints/endpoint-rules.js';
import { type EventMessage, MESSAGE_COLUMNS } from '../signing/message.js';

/** How long an answer serves. An organization that loses its plan is sent nothing after this. */
const VALID_MS = 50;
/** With an older answer the next one is asked for, so that busy organizations need not wait for it. */
const FRESH_MS = 30;
const MAX_KNOWN = 10_000;

interface Known {
  isEntitled: boolean;
  /** When it was asked for, in the time of `performance`. */
  at: number;
  next?: Promise<boolean>;
}

/** Knows whether events are delivered to organizations now. One statement asks for all that are wanted in one turn of the event loop. */
class EntitledOrganizations {
  private readonly known = new LRUCache<string, Known>(atMost(MAX_KNOWN));
  private asking: { readonly wanted: Set<string>; readonly answer: Promise<{ entitled: Set<string>; at: number }> } | undefined;
  private readonly statement: Sql;

  constructor(
    private readonly database: Database,
    plans: Plans,
  ) {
    const text = `SELECT wanted.id FROM unnest($1::uuid[]) AS wanted (id) WHERE ${isDeliveredToSql('wanted.id', plans)}`;
    this.statement = prepared({ name: 'organizations.delivered_to', text });
  }

  /** Without a promise if it is known. */
  has(organizationId: string): boolean | Promise<boolean> {
    let known = this.known.get(organizationId);
    if (!known) this.known.set(organizationId, (known = { isEntitled: false, at: -Infinity }));
    const age = performance.now() - known.at;
    if (age > FRESH_MS && !known.next) {
      known.next = this.ask(organizationId, known).finally(() => (known.next = undefined));
      // If it fails, the next caller asks again.
      known.next.catch(() => undefined);
    }
    return age <= VALID_MS ? known.isEntitled : known.next!;
  }

  private async ask(organizationId: string, known: Known): Promise<boolean> {
    this.asking ??= this.askTogether();
    this.asking.wanted.add(organizationId);
    const { entitled, at } = await this.asking.answer;
    return Object.assign(known, { isEntitled: entitled.has(organizationId), at }).isEntitled;
  }

  private askTogether() {
    const wanted = new Set<string>();
    const answer = new Promise(setImmediate).then(async () => {
      this.asking = undefined;
      // The statement may see an organization as it is when it begins.
      const at = performance.now();
      const rows = await this.database.rows<{ id: string }>(this.statement, [[...wanted]]);
      return { entitled: new Set(rows.map(({ id }) => id)), at };
    });
    return { wanted, answer };
  }
}

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

/** About what an open request costs in memory beside its body. It also limits how many there are. */
const CONNECTION_BYTES = 32 * 1024;
/** Memory for events that were read ahead, which the deliveries in flight do not count. */
const AHEAD_BYTES = 16 * 1024 * 1024;

const readStatement = (plans: Plans) =>
  acrossTenants(
    'events.bodies',
    'A worker reads the events of all deliveries that it is about to send.',
    `SELECT ${MESSAGE_COLUMNS} FROM unnest(:eventIds::uuid[], :organizationIds::uuid[]) AS wanted (id, organization_id)
    JOIN events event ON event.id = wanted.id AND event.organization_id = wanted.organization_id
    WHERE ${isDeliveredToSql('event.organization_id', plans)}`,
  );

/** The event of a delivery. */
export interface Wanted {
  readonly eventId: string;
  readonly organizationId: string;
  /** Whether the event came with it and is kept for it. */
  readonly isAhead?: boolean;
}

/** Reads the events that are asked for in one turn of the event loop with one statement: a fan-out reads each event once. */
class EventReader {
  private wanted = new Map<string, Wanted>();
  private reading: Promise<Map<string, EventMessage>> | undefined;

  constructor(
    private readonly database: Database,
    private readonly statement: ReturnType<typeof readStatement>,
  ) {}

  async read(delivery: Wanted): Promise<EventMessage | undefined> {
    this.wanted.set(delivery.eventId, delivery);
    this.reading ??= new Promise(setImmediate).then(() => this.readWanted());
    return (await this.reading).get(delivery.eventId);
  }

  private async readWanted(): Promise<Map<string, EventMessage>> {
    const wanted = [...this.wanted.values()];
    this.wanted = new Map();
    this.reading = undefined;
    const values = { eventIds: wanted.map(({ eventId }) => eventId), organizationIds: wanted.map(({ organizationId }) => organizationId) };
    const events = await this.database.rows<EventMessage>(...this.statement.bind(values));
    return new Map(events.map((event) => [event.eventId, event]));
  }
}

/** Within a budget of which an organization has a share: while its receivers hang, there is room for the deliveries of others. */
@Injectable()
export class EventBodies {
  private readonly memory: FairShare;
  private readonly reader: EventReader;
  private readonly entitled: EntitledOrganizations;
  private readonly ahead = new EventsAhead(AHEAD_BYTES);

  constructor(
    settings: Settings,
    database: Database,
    private readonly registry: Registry,
    private readonly organizations: OrganizationService,
  ) {
    const capacity = settings.webhookMaxBytesInFlight;
    this.memory = new FairShare({
      what: 'Bytes of deliveries',
      capacity,
      share: Math.floor(capacity / 2),
      // Deliveries wait patiently, and there are few: each endpoint has at most its concurrency.
      maxWaiting: Infinity,
      maxWaitMs: Infinity,
    });
    this.reader = new EventReader(database, readStatement(settings.plans));
    this.entitled = new EntitledOrganizations(database, settings.plans);
  }

  /** Keeps the event of a delivery that will be sent soon, until `use` or `letGo`. Returns false if there is no room. */
  keep(event: EventMessage): boolean {
    return this.ahead.keep(event);
  }

  letGo({ eventId, isAhead = false }: Wanted): void {
    if (isAhead) this.ahead.letGo(eventId);
  }

  /** Without an event it must not be sent now: the organization may have lost its plan. `isStillWanted` is asked after the wait. */
  async use(
    delivery: Wanted & { readonly bytes: number },
    isStillWanted: () => boolean,
    work: (event: EventMessage | undefined) => Promise<void>,
  ): Promise<void> {
    const bytes = delivery.bytes + CONNECTION_BYTES;
    // Mostly there is nothing to wait for, and then no promise is made.
    const giveBack =
      this.memory.tryTake(delivery.organizationId, bytes) ?? (await this.memory.takePatiently(delivery.organizationId, bytes));
    try {
      const kept = delivery.isAhead ? this.ahead.letGo(delivery.eventId) : undefined;
      if (!isStillWanted()) return await work(undefined);
      if (!kept) return await work(await this.shown(await this.reader.read(delivery)));
      const isEntitled = this.entitled.has(delivery.organizationId);
      await work((typeof isEntitled === 'boolean' ? isEntitled : await isEntitled) ? await this.shown(kept) : undefined);
    } finally {
      giveBack();
    }
  }

  /** Without what is hidden from the organization itself. Whom something else is hidden from made no endpoint for whole records. */
  private shown(event: EventMessage | undefined): EventMessage | undefined | Promise<EventMessage> {
    return event && event.data !== null && this.registry.hidden.any?.isInEvent(event.kind) ? this.cut(event, event.data) : event;
  }

  private async cut(event: EventMessage, data: string): Promise<EventMessage> {
    const organization = await this.organizations.find(event.organizationId);
    const hidden = organization && this.registry.hidden.from({ organization, application: null, user: null });
    return hidden ? { ...event, data: JSON.stringify(hidden.cutEvent(event.kind, JSON.parse(data))) } : event;
  }
}
