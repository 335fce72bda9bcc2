import { Injectable } from '@nestjs/common';
import type { PageContext } from '../../api/console/page.js';
import { type Tenant, ACTOR_TYPES } from '../../kernel/context.js';
import { timeOfId, isUuid, idAt } from '../../kernel/ids.js';
import { existing, Problem } from '../../kernel/problems.js';
import { isCalendarDate, utcTime } from '../../kernel/time.js';
import { type ReadContext, UnitOfWork } from '../../store/database/unit-of-work.js';
import { DatabaseClock } from '../../store/database/database-clock.js';
import { Partitions, type PartitionedTable } from '../../store/database/partitions.js';
import { Implements } from '../../store/discovery/ports.js';
import { type Waiting, WaitingWork } from '../../store/metrics/gauges.js';
import { Job } from '../../store/jobs/job.decorator.js';
import type { AuditEntry } from '../../store/audit/audit-recorder.js';
import { CHAIN_START, faultAtEnd, verifyChain, type ChainFault, type ChainHead, type ChainVerdict, hashOfRow } from './audit-chain.js';
import { AuditEventDto, type AuditEventPageDto, type ListAuditEventsQuery } from './audit.dto.js';
import { AuditRepository, type AuditFilter, type AuditPosition, SealingRepository, type Seal } from './audit.repository.js';
import type { AuditChain } from './audit-event.entity.js';

/** By month, so that a page reads only the months it covers. */
const AUDIT_EVENTS: PartitionedTable = { table: 'audit_events', by: 'time', period: 'month' };
/** Entries that one transaction seals. A reader may have to wait for it, so it must be short. */
const BATCH = 2000;
/** When there was nothing to seal, a worker looks again after this. Readers do not wait for it: they seal what their organization has. */
const QUIET_MS = 4500;

/** Seals beside the writers, which never wait for the chain of their organization. An entry that commits late gets a later sequence. */
@Implements(WaitingWork)
export class SealingService implements WaitingWork {
  readonly table = 'audit_entries';
  private quietUntilMs = 0;

  constructor(
    private readonly entries: SealingRepository,
    private readonly partitions: Partitions,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: DatabaseClock,
  ) {}

  @Job({ id: 'audit.seal', summary: 'Seals committed audit entries: adds them to the audit log.', everyMs: 1000 })
  async sealAll(): Promise<void> {
    const now = this.clock.elapsedMs();
    if (now < this.quietUntilMs) return;
    let organizationIds = await this.entries.organizationsWithEntries(BATCH);
    if (organizationIds.length === 0) this.quietUntilMs = now + QUIET_MS;
    while (organizationIds.length > 0) {
      await this.sealBatch(organizationIds);
      organizationIds = await this.entries.organizationsWithEntries(BATCH);
    }
  }

  waiting(): Promise<Waiting> {
    return this.entries.waiting();
  }

  async sealOrganization(organizationId: string): Promise<void> {
    if (!(await this.entries.hasEntries(organizationId))) return;
    while ((await this.sealBatch([organizationId])) === BATCH);
  }

  private async sealBatch(organizationIds: readonly string[]): Promise<number> {
    // One month ahead: the month may change before the batch is written.
    await this.partitions.ensure(AUDIT_EVENTS, this.clock.now(), 1);
    return this.unitOfWork.transact(async (unit) => {
      const { chains, entries } = await this.entries.lockChains(organizationIds, BATCH, unit);
      // Another process has sealed them.
      if (entries.length === 0) return 0;
      const { seals, heads } = sealsOf(entries, chains, this.clock.timestamp());
      await this.entries.seal(seals, heads, unit);
      return entries.length;
    });
  }
}

function sealsOf(entries: readonly AuditEntry[], chains: readonly AuditChain[], now: string): { seals: Seal[]; heads: AuditChain[] } {
  const heads = new Map(chains.map((chain) => [chain.organizationId, { ...chain, sealedAt: timeAfter(chain.sealedAt, now) }]));
  const seals = entries.map((entry, index) => {
    const head = heads.get(entry.organizationId)!;
    const position = { id: idAt(head.sealedAt, index), createdAt: head.sealedAt, sequence: head.sequence + 1, previousHash: head.hash };
    const hash = hashOfRow(AuditEventDto.from({ ...entry, ...position, hash: '' }));
    Object.assign(head, { sequence: position.sequence, hash });
    return { ...position, hash, ordinal: entry.ordinal, organizationId: entry.organizationId };
  });
  const sealed = new Set(entries.map(({ organizationId }) => organizationId));
  return { seals, heads: [...heads.values()].filter(({ organizationId }) => sealed.has(organizationId)) };
}

/** Later than the last batch of the chain, even if the clock was set back: the log is read in the order of this time. */
function timeAfter(last: string | null, now: string): string {
  return last === null || last < now ? now : new Date(Date.parse(last) + 1).toISOString();
}

const VERIFY_BATCH = 1000;

@Injectable()
export class AuditService {
  constructor(
    private readonly log: AuditRepository,
    private readonly sealing: SealingService,
  ) {}

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

  async verify(organizationId: string, keptHead?: ChainHead): Promise<ChainVerdict> {
    await this.sealing.sealOrganization(organizationId);
    const known = [await this.log.head(organizationId), ...(keptHead ? [keptHead] : [])];
    let head = CHAIN_START;
    for await (const rows of this.log.batches({ organizationId }, VERIFY_BATCH)) {
      const page = verifyChain(rows.map(AuditEventDto.from), head, known);
      head = page.head;
      if (page.fault) return { rows: head.sequence, head, fault: page.fault };
    }
    // Read the head again: sealing may have moved it meanwhile, but only forward.
    const { sequence } = await this.log.head(organizationId);
    const fault = faultAtEnd(known, head) ?? (sequence < head.sequence ? headSetBack(sequence, head) : null);
    return { rows: head.sequence, head, fault };
  }
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

interface Part {
  readonly after?: AuditPosition | undefined;
  readonly limit?: number;
}

export interface EventPage {
  readonly events: readonly AuditEventDto[];
  readonly next: AuditPosition | undefined;
}

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
    const find = async () => (await this.log.page({ ...filterOf(tenant, {}), ...atTimeOf(id) }, 1))[0];
    return AuditEventDto.from(await existing('audit event', id, find));
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
