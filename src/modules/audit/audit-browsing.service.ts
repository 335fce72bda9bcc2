import { Injectable } from '@nestjs/common';
import type { ActorType, Tenant } from '../../kernel/context.js';
import { isUuid, timeOfId } from '../../kernel/ids.js';
import { Problem } from '../../kernel/problems.js';
import { AuditEventDto } from './audit.dto.js';
import { AuditRepository, type AuditFilter, type AuditPosition } from './audit.repository.js';
import { AuditService } from './audit.service.js';

/** Events of a page, and how many of an export are read at once. */
export const EVENTS_PER_PAGE = 50;
const EXPORT_BATCH = 500;
/** A file that a spreadsheet can open, and a request that ends within a minute. */
export const EXPORT_MAX = 100_000;

export interface WantedEvents {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly actionPrefix?: string | undefined;
  readonly actorType?: ActorType | undefined;
}

interface Part {
  readonly after?: AuditPosition | undefined;
  readonly limit?: number;
}

export interface EventPage {
  readonly events: readonly AuditEventDto[];
  /** The last event of the page, if older ones follow. */
  readonly next: AuditPosition | undefined;
}

/** The audit log as people read it: newest first, one event, or all as a file. */
@Injectable()
export class AuditBrowsing {
  constructor(
    private readonly log: AuditRepository,
    private readonly audit: AuditService,
  ) {}

  async newest(tenant: Tenant, wanted: WantedEvents, before?: AuditPosition): Promise<EventPage> {
    await this.audit.sealedHead(tenant.organizationId);
    const found = await this.log.page({ ...filterOf(tenant, wanted), before }, EVENTS_PER_PAGE + 1, 'newest first');
    const rows = found.slice(0, EVENTS_PER_PAGE);
    return { events: rows.map(AuditEventDto.from), next: found.length > rows.length ? rows.at(-1) : undefined };
  }

  async get(tenant: Tenant, id: string): Promise<AuditEventDto> {
    const [event] = isUuid(id) ? await this.log.page({ ...filterOf(tenant, {}), ...atTimeOf(id) }, 1) : [];
    if (!event) throw Problem.notFound(`audit event ${id}`);
    return AuditEventDto.from(event);
  }

  /** Oldest first: those after a position, or all. */
  async *all(tenant: Tenant, wanted: WantedEvents, { after, limit = EXPORT_MAX }: Part = {}): AsyncGenerator<AuditEventDto[]> {
    await this.audit.sealedHead(tenant.organizationId);
    const batches = this.log.batches({ ...filterOf(tenant, wanted), after }, EXPORT_BATCH, limit);
    for await (const rows of batches) yield rows.map(AuditEventDto.from);
  }
}

/** The log belongs to the whole organization. With test data, the part of the test environment is shown, as in the API. */
const filterOf = ({ organizationId, environment }: Tenant, wanted: WantedEvents): AuditFilter => ({
  organizationId,
  ...(environment !== 'live' && { environment }),
  ...wanted,
});

/** The last time that both Postgres and ISO 8601 write with four digits for the year. */
const LAST_TIME_MS = Date.UTC(9999, 11, 31);

/** An id has the time at which its event was sealed, by which the index finds it. */
function atTimeOf(id: string): Pick<AuditFilter, 'id' | 'since' | 'until'> {
  const time = Math.min(timeOfId(id), LAST_TIME_MS);
  return { id, since: new Date(time).toISOString(), until: new Date(time + 1).toISOString() };
}
