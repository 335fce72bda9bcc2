import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { idAt } from '../../kernel/ids.js';
import { Partitions, type PartitionedTable } from '../../store/database/partitions.js';
import { UnitOfWork } from '../../store/database/unit-of-work.js';
import { Job } from '../../store/jobs/job.decorator.js';
import type { AuditEntry } from '../../store/audit/audit-entry.entity.js';
import { hashOfRow } from './audit-chain.js';
import type { AuditChain } from './audit-event.entity.js';
import { AuditEventDto } from './audit.dto.js';
import { sealing, SealingRepository, type Place } from './sealing.repository.js';

/** A page touches only the months it is about. */
export const AUDIT_LOG: PartitionedTable = { table: 'audit_events', by: 'time', period: 'month' };

/** Enough to make a transaction worth its while, and few enough that a reader who waits for it hardly notices. */
const BATCH = 2000;

/**
 * Gives committed entries their place in the log. It runs beside the writers: none of them waits for the chain of its
 * organization. What is not committed is not seen, so it never has a place, and what commits late has a later one.
 */
@Injectable()
export class Sealer {
  constructor(
    private readonly entries: SealingRepository,
    private readonly partitions: Partitions,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  @Job({ id: 'audit.seal', summary: 'Gives committed audit entries their place in the log.', everyMs: 1000 })
  async sealAll(): Promise<void> {
    for (;;) {
      const organizationIds = await this.entries.waiting(BATCH);
      if (organizationIds.length === 0) return;
      await this.seal(organizationIds);
    }
  }

  /** Seals all that an organization has committed by now: who reads next sees it. */
  async sealOf(organizationId: string): Promise<void> {
    if (!(await this.entries.isWaiting(organizationId))) return;
    while ((await this.seal([organizationId])) === BATCH);
  }

  /** One batch; says how many entries it had. */
  private async seal(organizationIds: readonly string[]): Promise<number> {
    // The next one, too: what is sealed at the turn of a month may belong to either.
    await this.partitions.ensure(AUDIT_LOG, this.clock.now(), 1);
    return this.unitOfWork.transact(async (unit) => {
      const { chains, entries } = await this.entries.open(organizationIds, BATCH, unit);
      // Another was quicker.
      if (entries.length === 0) return 0;
      const { places, heads } = placesOf(entries, chains, this.clock.timestamp());
      unit.lastWrites.push(sealing(places, heads));
      return entries.length;
    });
  }
}

/** The places of the entries, each in the chain of its organization, and where the chains come to. */
function placesOf(entries: readonly AuditEntry[], chains: readonly AuditChain[], now: string): { places: Place[]; heads: AuditChain[] } {
  const heads = new Map(chains.map((chain) => [chain.organizationId, { ...chain, sealedAt: timeAfter(chain.sealedAt, now) }]));
  const places = entries.map((entry, index) => {
    const head = heads.get(entry.organizationId)!;
    const place = { id: idAt(head.sealedAt, index), createdAt: head.sealedAt, sequence: head.sequence + 1, previousHash: head.hash };
    const hash = hashOfRow(AuditEventDto.from({ ...entry, ...place, hash: '' }));
    Object.assign(head, { sequence: place.sequence, hash });
    return { ...place, hash, ordinal: entry.ordinal };
  });
  const touched = new Set(entries.map(({ organizationId }) => organizationId));
  return { places, heads: [...heads.values()].filter(({ organizationId }) => touched.has(organizationId)) };
}

/** Later than the last sealing of the chain, whatever the clock says: rows are read in the order of this time. */
function timeAfter(last: string | null, now: string): string {
  return last === null || last < now ? now : new Date(Date.parse(last) + 1).toISOString();
}
