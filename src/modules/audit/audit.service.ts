import { Injectable } from '@nestjs/common';
import type { PageContext } from '../../api/console/page.js';
import { type Tenant, ACTOR_TYPES } from '../../kernel/context.js';
import { timeOfId, isUuid } from '../../kernel/ids.js';
import { Problem } from '../../kernel/problems.js';
import { isCalendarDate, utcTime } from '../../kernel/time.js';
import { Partitions } from '../../store/database/partitions.js';
import type { ReadContext } from '../../store/database/unit-of-work.js';
import { CHAIN_START, faultAtEnd, verifyChain, type ChainFault, type ChainHead, type ChainVerdict } from './audit-chain.js';
import { AuditEventDto, type AuditEventPageDto, type ListAuditEventsQuery } from './audit.dto.js';
import { AuditRepository, type AuditFilter, type AuditPosition } from './audit.repository.js';
import { AUDIT_EVENTS, SealingService } from './sealing.service.js';
import { Checkpoints, type Witnessed } from './tree/checkpoints.service.js';

const VERIFY_BATCH = 1000;

@Injectable()
export class AuditService {
  constructor(
    private readonly log: AuditRepository,
    private readonly sealing: SealingService,
    private readonly checkpoints: Checkpoints,
    private readonly partitions: Partitions,
  ) {}

  /** For events that another installation has sealed. */
  async makePartitions(months: readonly string[]): Promise<void> {
    for (const month of months) await this.partitions.ensure(AUDIT_EVENTS, new Date(month), 0);
  }

  /** Events of the organization, oldest first. Committed entries are sealed first, so a caller sees its own writes. */
  async list(ctx: ReadContext, query: ListAuditEventsQuery): Promise<AuditEventPageDto> {
    const { since, until, action_prefix: actionPrefix, actor_type: actorType, limit } = query;
    const after = cursorOf(query);
    await this.sealing.sealOrganization(ctx.organizationId);
    const found = await this.log.page({ ...filterOf(ctx, { since, until, actionPrefix, actorType }), after }, limit + 1);
    const rows = found.slice(0, limit);
    const last = rows.at(-1) ?? after;
    return {
      data: rows.map(AuditEventDto.from),
      nextCursor: last ? { cursorCreatedAt: last.createdAt, cursorId: last.id } : null,
      hasMore: found.length > limit,
    };
  }

  async sealedHead(organizationId: string): Promise<ChainHead> {
    await this.sealing.sealOrganization(organizationId);
    return this.log.head(organizationId);
  }

  /** The chain from its start, and every checkpoint that was signed of it. A head and a checkpoint may have been kept elsewhere. */
  async verify(organizationId: string, keptHead?: ChainHead, keptNote?: string): Promise<LogVerdict> {
    await this.sealing.sealOrganization(organizationId);
    const known = [await this.log.head(organizationId), ...(keptHead ? [keptHead] : [])];
    const signed = await this.checkpoints.check(organizationId, keptNote);
    let head = CHAIN_START;
    for await (const rows of this.log.batches({ organizationId }, VERIFY_BATCH)) {
      const events = rows.map(AuditEventDto.from);
      const page = verifyChain(events, head, known);
      head = page.head;
      const fault = page.fault ?? (await signed.faultIn(events));
      if (fault) return { rows: head.sequence, head, fault, checkpoints: signed.proven, witnessed: signed.witnessed };
    }
    // Read the head again: sealing may have moved it meanwhile, but only forward.
    const { sequence } = await this.log.head(organizationId);
    const atEnd = faultAtEnd([...known, ...signed.beyond], head) ?? (sequence < head.sequence ? headSetBack(sequence, head) : null);
    return { rows: head.sequence, head, fault: atEnd, checkpoints: signed.proven, witnessed: signed.witnessed };
  }
}

export interface LogVerdict extends ChainVerdict {
  /** How many signed checkpoints the rows agree with. */
  readonly checkpoints: number;
  readonly witnessed: readonly Witnessed[];
}

function cursorOf({ cursor_created_at: createdAt, cursor_id: id }: ListAuditEventsQuery): AuditFilter['after'] {
  if (createdAt === undefined && id === undefined) return undefined;
  if (createdAt !== undefined && id !== undefined) return { createdAt, id };
  const [field, other] = id === undefined ? ['cursor_id', 'cursor_created_at'] : ['cursor_created_at', 'cursor_id'];
  throw Problem.validation([{ location: 'query', field, code: 'required', message: `is required together with ${other}` }]);
}

function headSetBack(sequence: number, last: ChainHead): ChainFault {
  return {
    sequence: sequence + 1,
    id: null,
    kind: 'out_of_order',
    message: `The recorded head of the log is row ${sequence}, but the log ends at row ${last.sequence}: one of the two was changed.`,
  };
}

const EVENTS_PER_PAGE = 50;
const EXPORT_BATCH = 500;
/** A file that a spreadsheet can open, and a request that ends within a minute. */
export const EXPORT_MAX = 100_000;

export type WantedEvents = Pick<AuditFilter, 'since' | 'until' | 'actionPrefix' | 'actorType'>;

type Part = { readonly after?: AuditPosition | undefined; readonly limit?: number };
export type EventPage = { readonly events: readonly AuditEventDto[]; readonly next: AuditPosition | undefined };

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
    const [row] = isUuid(id) ? await this.log.page({ ...filterOf(tenant, {}), ...atTimeOf(id) }, 1) : [];
    if (!row) throw Problem.notFound('audit event with this id');
    return AuditEventDto.from(row);
  }

  /** Oldest first: those after a position, or all. */
  async *all(tenant: Tenant, wanted: WantedEvents, { after, limit = EXPORT_MAX }: Part = {}): AsyncGenerator<AuditEventDto[]> {
    await this.audit.sealedHead(tenant.organizationId);
    const batches = this.log.batches({ ...filterOf(tenant, wanted), after }, EXPORT_BATCH, limit);
    for await (const rows of batches) yield rows.map(AuditEventDto.from);
  }
}

/** The log belongs to the whole organization. With test data, or a test credential, it is the part of the test environment. */
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

const ACTION_MAX = 120;
const DAY_MS = 86_400_000;

/** The filters of the log, by the names of their fields: in an address, or in the form of an export. What makes no sense is left out. */
export function wantedIn(valueOf: (name: string) => string | null): WantedEvents {
  const day = (name: string): string | undefined => [valueOf(name) ?? ''].find(isCalendarDate);
  const [since, until] = [day('since'), day('until')];
  return {
    since: since && `${since}T00:00:00.000Z`,
    // The day that is named is part of what is shown.
    until: until && until < '9999-12-31' ? new Date(Date.parse(until) + DAY_MS).toISOString() : undefined,
    actionPrefix: valueOf('action')?.trim().slice(0, ACTION_MAX) || undefined,
    actorType: ACTOR_TYPES.find((type) => type === valueOf('actor')),
  };
}

/** Where a page begins: after the last event of the page before. */
export const positionIn = ({ query }: Pick<PageContext, 'query'>): AuditPosition | undefined => readPosition(query.get('before') ?? '');

export function readPosition(text: string): AuditPosition | undefined {
  const [time = '', id = ''] = text.split('_');
  const createdAt = utcTime(time);
  return createdAt !== undefined && isUuid(id) ? { createdAt, id } : undefined;
}

export const writtenPosition = ({ createdAt, id }: AuditPosition): string => `${createdAt}_${id}`;
export const writtenHead = ({ sequence, hash }: ChainHead): string => `${sequence}:${hash}`;

export function headIn(text: string): ChainHead | undefined {
  if (text.trim() === '') return undefined;
  const match = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text.trim());
  if (!match)
    throw Problem.invalidField('head', 'not_allowed', 'must be a head as an earlier check showed it: a number, a colon and 64 hex digits');
  return { sequence: Number(match[1]), hash: match[2]! };
}
