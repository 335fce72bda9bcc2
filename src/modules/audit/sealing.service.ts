import { Injectable } from '@nestjs/common';
import { idAt } from '../../kernel/ids.js';
import { UnitOfWork } from '../../store/database/unit-of-work.js';
import { DatabaseClock } from '../../store/database/database-clock.js';
import { Partitions, type PartitionedTable } from '../../store/database/partitions.js';
import { Implements } from '../../store/discovery/ports.js';
import { type Waiting, WaitingWork } from '../../store/metrics/gauges.js';
import { Job } from '../../store/jobs/job.decorator.js';
import { hashOfRow } from './audit-chain.js';
import { AuditEventDto } from './audit.dto.js';
import { type Seal, SealingRepository } from './audit.repository.js';
import type { AuditChain } from './audit-event.entity.js';
import type { CommittedEntry } from './personal/committed-entry.js';
import { PersonalValues } from './personal/personal-values.js';

/** By month, so that a page reads only the months it covers. */
export const AUDIT_EVENTS: PartitionedTable = { table: 'audit_events', by: 'time', period: 'month' };
/** Entries that one transaction seals. A reader may have to wait for it, so it must be short. */
const BATCH = 2000;
/** When there was nothing to seal, a worker looks again after this. Readers do not wait for it: they seal what their organization has. */
const QUIET_MS = 4500;

/** Seals beside the writers, which never wait for the chain of their organization. An entry that commits late gets a later sequence. */
@Implements(WaitingWork)
@Injectable()
export class SealingService implements WaitingWork {
  readonly table = 'audit_entries';
  private quietUntilMs = 0;

  constructor(
    private readonly entries: SealingRepository,
    private readonly partitions: Partitions,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: DatabaseClock,
    private readonly personal: PersonalValues,
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
      const { committed, keys } = await this.personal.commit(entries, unit);
      const { events, heads } = eventsOf(committed, chains, this.clock.timestamp());
      await Promise.all([this.entries.seal(events.map(sealOf), heads, unit), this.personal.store(events, keys, unit)]);
      return entries.length;
    });
  }
}

type Event = CommittedEntry & Pick<Seal, 'id' | 'sequence' | 'createdAt' | 'previousHash' | 'hash'>;

function eventsOf(entries: readonly CommittedEntry[], chains: readonly AuditChain[], now: string) {
  const heads = new Map(chains.map((chain) => [chain.organizationId, { ...chain, sealedAt: timeAfter(chain.sealedAt, now) }]));
  const events = entries.map((entry, index) => {
    const head = heads.get(entry.organizationId)!;
    const position = { id: idAt(head.sealedAt, index), createdAt: head.sealedAt, sequence: head.sequence + 1, previousHash: head.hash };
    const hash = hashOfRow(AuditEventDto.from({ ...entry, ...position, hash: '' }));
    Object.assign(head, { sequence: position.sequence, hash });
    return { ...entry, ...position, hash };
  });
  const sealed = new Set(entries.map(({ organizationId }) => organizationId));
  return { events, heads: [...heads.values()].filter(({ organizationId }) => sealed.has(organizationId)) };
}

/** What is not personal is taken from the entry, in the database. */
function sealOf({ id, sequence, createdAt, previousHash, hash, ordinal, organizationId, ...entry }: Event): Seal {
  const { actorName, changes, commitments } = entry;
  const differs = commitments
    ? { actorName, changes: JSON.stringify(changes), commitments: JSON.stringify(commitments) }
    : { actorName: null, changes: null, commitments: null };
  return { id, sequence, createdAt, previousHash, hash, ordinal, organizationId, ...differs };
}

/** Later than the last batch of the chain, even if the clock was set back: the log is read in the order of this time. */
function timeAfter(last: string | null, now: string): string {
  return last === null || last < now ? now : new Date(Date.parse(last) + 1).toISOString();
}
