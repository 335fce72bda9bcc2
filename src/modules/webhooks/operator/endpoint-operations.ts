import { Injectable } from '@nestjs/common';
import type { Actor, Tenant } from '../../../kernel/context.js';
import { isUuid, idAt } from '../../../kernel/ids.js';
import { notFound } from '../../../kernel/problems.js';
import { Clock } from '../../../kernel/time.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import { DeliveriesRepository, type ReplayProgress } from '../deliveries/deliveries.repository.js';
import { PingService } from '../deliveries/pings.service.js';
import { ReplayService, type Replay, type WantedReplay } from '../deliveries/replays.service.js';
import type { MissedKindDto, PingDto } from '../deliveries/replays.dto.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { WebhooksRepository } from '../endpoints/webhooks.repository.js';
import type { Outgoing } from '../sending/sender.js';
import { MESSAGE_COLUMNS, messageOf, type EventMessage } from '../signing/message.js';
import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '../../../store/database/database.js';
import { TENANT, tenantSql } from '../../../store/tenant/tenant-sql.js';
import { signingKey } from '../signing/webhook-secret.js';

/** Endpoints as operators work on them: found by their id alone. */
@Injectable()
export class EndpointOperations {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly deliveries: DeliveriesRepository,
    private readonly replays: ReplayService,
    private readonly pings: PingService,
  ) {}

  async get(id: string): Promise<WebhookEndpoint> {
    const endpoint = isUuid(id) ? await this.webhooks.byId(id) : undefined;
    return endpoint ?? notFound(`There is no webhook endpoint ${id}.`);
  }

  async redeliver(actor: Actor, deliveryId: string): Promise<{ id: string; webhookId: string }> {
    const delivery = isUuid(deliveryId) ? await this.deliveries.byId(deliveryId) : undefined;
    if (!delivery) notFound(`There is no delivery ${deliveryId}.`);
    const { webhookId } = delivery;
    return { id: await this.unitOfWork.runAs(actor, delivery, (ctx) => this.replays.redeliver(ctx, webhookId, deliveryId)), webhookId };
  }

  async preview(id: string, wanted: WantedReplay): Promise<MissedKindDto[]> {
    return this.replays.preview(await this.get(id), wanted);
  }

  async replay(actor: Actor, id: string, wanted: WantedReplay): Promise<Replay> {
    const endpoint = await this.get(id);
    return this.unitOfWork.runAs(actor, endpoint, (ctx) => this.replays.start(ctx, endpoint, wanted));
  }

  async progress(id: string, replayId: string): Promise<ReplayProgress> {
    return this.replays.progress(await this.get(id), replayId);
  }

  async ping(actor: Actor, id: string): Promise<PingDto> {
    const endpoint = await this.get(id);
    const sent = (await this.pings.send(endpoint))!;
    await this.unitOfWork.runAs(actor, endpoint, (ctx) => Promise.resolve(this.pings.note(ctx, id, sent)));
    return sent;
  }

  /** Returns how many are taken back. */
  async stopReplays(actor: Actor, id: string): Promise<number> {
    const endpoint = await this.get(id);
    return this.unitOfWork.runAs(actor, endpoint, (ctx) => this.replays.stop(ctx, id));
  }
}

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
