import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import type { Actor } from '../../../kernel/context.js';
import { isUuid } from '../../../kernel/ids.js';
import { notFound } from '../../../kernel/problems.js';
import { DatabaseClock } from '../../../store/database/database-clock.js';
import { Job } from '../../../store/jobs/job.decorator.js';
import { AuditService } from '../../audit/index.js';
import { ErasuresService, type OrganizationErasure, OrganizationService } from '../../organization/index.js';
import { RowsRepository } from './rows.repository.js';

/** That an organization existed and was erased, and how much its audit log had. */
export interface ErasureProof extends Readonly<Pick<OrganizationErasure, 'organizationId' | 'begunAt' | 'finishedAt'>> {
  readonly actor: string;
  readonly auditHead: { readonly sequence: number; readonly hash: string } | null;
}

/** The audit log goes last: until then its head is not known for good. */
const LOG = /^audit_/;
/** All replicas know within a second that access has ended; then they write what they have counted. */
const ACCESS_ENDS_MS = 1500;
const SWEEP_EVERY_MS = 60_000;
/** Longer than a call takes that was accepted before the erasure began: to send its body, to wait and to write. */
const LONGEST_CALL_MS = 5 * 60_000;

/** First all access ends; then all rows go, table by table; then the record itself. Interrupted, it goes on when it is called again. */
@Injectable()
export class ErasureService {
  constructor(
    private readonly organizations: OrganizationService,
    private readonly erasures: ErasuresService,
    private readonly content: RowsRepository,
    private readonly audit: AuditService,
    private readonly clock: DatabaseClock,
  ) {}

  async proofs(): Promise<ErasureProof[]> {
    return (await this.erasures.all()).map(proofOf);
  }

  /** Returns the proof, also of an organization that was erased before. */
  async erase(actor: Actor, id: string): Promise<ErasureProof> {
    if (await this.organizations.find(id)) {
      if (await this.erasures.begin(actor, id)) await delay(ACCESS_ENDS_MS);
      await this.content.erase(id, (table) => !LOG.test(table));
      await this.erasures.setHead(id, await this.audit.sealedHead(id));
      await this.content.erase(id, (table) => LOG.test(table));
      await this.erasures.finish(id);
    }
    return this.proof(id);
  }

  async proof(id: string): Promise<ErasureProof> {
    const erasure = isUuid(id) ? await this.erasures.get(id) : undefined;
    return proofOf(erasure ?? notFound(`There is no organization ${id}.`));
  }

  @Job({
    id: 'organizations.sweep',
    summary: 'Erases what calls have written that were on their way when the erasure of their organization began.',
    everyMs: SWEEP_EVERY_MS,
  })
  async sweep(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - LONGEST_CALL_MS).toISOString();
    for (const { organizationId } of await this.erasures.unswept(before)) {
      await this.content.erase(organizationId, () => true);
      await this.erasures.swept(organizationId, this.clock.timestamp());
    }
  }
}

function proofOf({ organizationId, begunAt, finishedAt, actorName, auditSequence, auditHash }: OrganizationErasure): ErasureProof {
  const auditHead = auditSequence === null || auditHash === null ? null : { sequence: auditSequence, hash: auditHash };
  return { organizationId, begunAt, finishedAt, actor: actorName, auditHead };
}
