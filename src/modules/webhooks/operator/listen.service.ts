import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/time.js';
import type { Tenant } from '../../../kernel/context.js';
import { idAt } from '../../../kernel/ids.js';
import { Database } from '../../../store/database/database.js';
import { TENANT, tenantSql } from '../../../store/tenant/tenant-sql.js';
import { signingKey } from '../signing/webhook-secret.js';
import { MESSAGE_COLUMNS, messageOf, type EventMessage } from '../signing/message.js';
import type { Outgoing } from '../sending/sender.js';

export interface Listening {
  readonly tenant: Tenant;
  /** undefined: all kinds. */
  readonly kinds?: readonly string[];
  readonly url: string;
  readonly secret: string;
}

export interface Heard {
  readonly id: string;
  readonly kind: string;
  readonly headers: Outgoing['headers'];
  readonly body: string;
}

const POLL_INTERVAL_MS = 500;
const BATCH = 200;
/** An event gets its id before its commit, possibly from another machine's clock. It is found if its id is at most this old. */
const LATE_COMMIT_MS = 60_000;

/** Committed events of a tenant from an id on without those already known, oldest first. */
const SINCE = tenantSql(
  'events.since',
  `SELECT ${MESSAGE_COLUMNS} FROM events event WHERE ${TENANT} AND id >= :fromId AND id <> ALL (:knownIds::uuid[])
      AND (:kinds::text[] IS NULL OR kind = ANY (:kinds)) ORDER BY id LIMIT :limit`,
);

/** Follows the events of a tenant for local development: each event once, as the request that would deliver it. */
@Injectable()
export class ListenService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Events that are committed from now on, until the signal. Resolves once the events that exist already are known. */
  async listen({ tenant, kinds, url, secret }: Listening, signal: AbortSignal): Promise<AsyncGenerator<Heard, void>> {
    const known = new Set<string>();
    const keys = [signingKey(secret)];
    const nextBatch = async (): Promise<EventMessage[]> => {
      const fromId = idAt(new Date(this.clock.now().getTime() - LATE_COMMIT_MS).toISOString(), 0);
      for (const id of known) if (id < fromId) known.delete(id);
      const values = { fromId, knownIds: [...known], kinds: kinds ?? null, limit: BATCH };
      const events = await this.database.rows<EventMessage>(...SINCE.bind(tenant, values));
      for (const { eventId } of events) known.add(eventId);
      return events;
    };
    while ((await nextBatch()).length === BATCH);
    const { clock } = this;
    return (async function* () {
      while (!signal.aborted) {
        const events = await nextBatch();
        for (const event of events) {
          const { headers, body } = messageOf(event, { url }, keys, clock.now());
          yield { id: event.eventId, kind: event.kind, headers, body };
        }
        if (events.length === 0) await delay(POLL_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
      }
    })();
  }
}
