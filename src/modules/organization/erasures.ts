import { Injectable } from '@nestjs/common';
import { changeContext, type Actor } from '../../kernel/context.js';
import { Clock } from '../../kernel/time.js';
import { AuditRecorder } from '../../store/audit/audit-recorder.js';
import { Database, prepared } from '../../store/database/database.js';
import { entityColumns, namedInsertSql, namedValuesOf, selectList } from '../../store/database/sql.js';
import { UnitOfWork, type Unit } from '../../store/database/unit-of-work.js';
import { acrossTenants, ORGANIZATION, organizationSql } from '../../store/tenant/tenant-sql.js';
import { OrganizationErasure } from './organization.entity.js';
import { OrganizationRepository } from './organization.repository.js';

const SQL = entityColumns(OrganizationErasure);
const SELECT = `SELECT ${selectList(SQL)} FROM organization_erasures`;
const GET = organizationSql('organization_erasures.get', `${SELECT} WHERE ${ORGANIZATION}`);
const ALL = acrossTenants('organization_erasures.all', 'Operators see all erasures.', `${SELECT} ORDER BY begun_at, organization_id`);
const UNSWEPT = acrossTenants(
  'organization_erasures.unswept',
  'A worker finds the erasures that are to be repeated.',
  `${SELECT} WHERE swept_at IS NULL AND finished_at < :finishedBefore`,
);
const INSERT = organizationSql('organization_erasures.insert', namedInsertSql(SQL));
// The first one stands: of a log that is half erased, the head proves nothing any more.
const SET_HEAD = organizationSql(
  'organization_erasures.set_head',
  `UPDATE organization_erasures SET audit_sequence = :sequence, audit_hash = :hash WHERE ${ORGANIZATION} AND audit_sequence IS NULL`,
);
const DELETE = prepared({ name: 'organizations.delete', text: 'DELETE FROM organizations WHERE id = $1' });
const FINISH = organizationSql(
  'organization_erasures.finish',
  `UPDATE organization_erasures SET finished_at = :now WHERE ${ORGANIZATION} AND finished_at IS NULL`,
);
const SWEPT = organizationSql('organization_erasures.swept', `UPDATE organization_erasures SET swept_at = :now WHERE ${ORGANIZATION}`);

@Injectable()
export class ErasuresService {
  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
  ) {}

  async get(organizationId: string, unit?: Unit): Promise<OrganizationErasure | undefined> {
    return (await this.database.rows<OrganizationErasure>(...GET.bind({ organizationId }), unit))[0];
  }

  all(): Promise<OrganizationErasure[]> {
    return this.database.rows<OrganizationErasure>(...ALL.bind());
  }

  /** The erasures that were finished before a time and not swept since. */
  unswept(finishedBefore: string): Promise<OrganizationErasure[]> {
    return this.database.rows<OrganizationErasure>(...UNSWEPT.bind({ finishedBefore }));
  }

  /** Ends all access, for good. Returns false if that was done before. */
  async begin(actor: Actor, id: string): Promise<boolean> {
    return this.unitOfWork.run({ ...changeContext(id, actor), isMove: true }, async (ctx) => {
      const organization = await this.organizations.lock(id, ctx.unit);
      if (await this.get(id, ctx.unit)) return false;
      const begunAt = this.clock.timestamp();
      await this.organizations.update({ ...organization, status: 'suspended', updatedAt: begunAt }, ctx.unit);
      const head = { auditSequence: null, auditHash: null };
      const erasure = { organizationId: id, actorName: actor.name, begunAt, ...head, finishedAt: null, sweptAt: null };
      await this.database.rows(...INSERT.bind(erasure, namedValuesOf(SQL, erasure)), ctx.unit);
      this.audit.record(ctx, { action: 'organization.erasure_begun', resourceId: id, changes: {} });
      return true;
    });
  }

  async setHead(organizationId: string, { sequence, hash }: { readonly sequence: number; readonly hash: string }): Promise<void> {
    await this.database.rows(...SET_HEAD.bind({ organizationId }, { sequence, hash }));
  }

  /** Deletes the record itself. From then on nothing is left of the organization but the proof. */
  async finish(organizationId: string): Promise<void> {
    await this.unitOfWork.transact(async (unit) => {
      await this.database.rows(DELETE, [organizationId], unit);
      await this.database.rows(...FINISH.bind({ organizationId }, { now: this.clock.timestamp() }), unit);
    });
  }

  async swept(organizationId: string, now: string): Promise<void> {
    await this.database.rows(...SWEPT.bind({ organizationId }, { now }));
  }
}
